import { tellAsker } from './delivery/notify-asker.js';
import type { OutgoingMessage } from './delivery/outgoing-message.js';
import type { ListenerParts } from './listeners/context.js';
import { accessMessage } from './messages/access.js';
import { auditMessage } from './messages/audit-message.js';
import { notice } from './messages/notices.js';
import { type AskedIn, whereAsked } from './where-asked.js';
import { whoAsks } from './who-asks.js';

const week = 7 * 24 * 60 * 60_000;
const mostAsks = 20;

export const adminsOnly = notice(
  'That is for admins. They are named in ROLLCALL_ADMINS, which your operator sets.',
);

/** `/report access` and `/report audit`: shown to an admin alone, in the place where they asked. */
export async function adminPage(
  page: 'access' | 'audit',
  asked: AskedIn,
  parts: ListenerParts,
): Promise<void> {
  const who = await whoAsks(asked.asker, parts.people, parts.defaultZone);
  const place = await whereAsked(asked, parts);
  const tell = (message: OutgoingMessage) => tellAsker(message, asked.asker, place, parts.client);
  if ('refused' in who) await tell(notice(who.refused));
  else if (!parts.admins.includes(asked.asker)) await tell(adminsOnly);
  else if (page === 'access') {
    await tell(
      accessMessage({
        channel: asked.channel,
        personLevel: place.personLevel,
        fromTheStart: parts.personLevelChannels,
        approved: await parts.store.approvals.approvedChannels(),
        released: await parts.store.approvals.releasedKeys(),
      }),
    );
  } else {
    const asks = await parts.store.asks.recent(parts.clock.now() - week, mostAsks);
    await tell(auditMessage(asks, who.asker.zone));
  }
}
