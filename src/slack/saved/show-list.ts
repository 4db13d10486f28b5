import type { SavedReport } from '../../store/saved-reports.js';
import { digestReader, rowsOf } from '../digests/rows.js';
import type { ListenerParts } from '../listeners/parts.js';
import type { OutgoingMessage } from '../outgoing-message.js';
import { tellAsker } from '../tell-asker.js';
import { digestBlocks } from '../views/digest-list.js';
import { notice } from '../views/notices.js';
import { savedListMessages, savedPage } from '../views/saved-list.js';
import type { SavedReader } from '../views/saved-row.js';
import { type AskedIn, whereAsked } from '../where-asked.js';
import { whoAsks } from '../who-asks.js';
import { mayChange, whyNotKeptIn } from './rights.js';

/** What is to be seen of the list. */
export interface ListView {
  /** How many come before it. */
  readonly from?: number;
  /** One that the reader has just deleted. */
  readonly deleted?: SavedReport;
}

/** `/report list`: what this channel keeps, for whoever asked for it alone. */
export async function showList(asked: AskedIn, parts: ListenerParts): Promise<void> {
  const place = await whereAsked(asked, parts);
  for (const message of await savedList(asked, parts, {})) {
    await tellAsker(message, asked.asker, place, parts.client);
  }
}

/** The list as it is now, in place of the one whose button was pressed. What follows it in a message of its own stays. */
export async function showListAgain(asked: AskedIn, parts: ListenerParts, view: ListView): Promise<void> {
  const [message] = await savedList(asked, parts, view);
  const replaced = await asked.responseUrl?.replaceOriginal(message);
  if (replaced?.kind === 'posted') return;
  await tellAsker(message, asked.asker, await whereAsked(asked, parts), parts.client);
}

async function savedList(
  asked: AskedIn,
  parts: ListenerParts,
  { from = 0, deleted }: ListView,
): Promise<readonly [OutgoingMessage, ...OutgoingMessage[]]> {
  const who = await whoAsks(asked.asker, parts.people, parts.defaultZone);
  if ('refused' in who) return [notice(who.refused)];
  const place = await whereAsked(asked, parts);
  const reason = await whyNotKeptIn(place, parts);
  if (reason !== undefined) return [notice(reason)];
  const found = await parts.store.savedReports.inChannels([asked.channel], savedPage + 1, from);
  // The last one of a page may have been deleted since the page before was shown.
  if (found.length === 0 && from > 0) {
    const before = Math.max(0, from - savedPage);
    return savedList(asked, parts, { from: before, ...(deleted ? { deleted } : {}) });
  }
  return savedListMessages(
    {
      reports: found.slice(0, savedPage),
      from,
      more: found.length > savedPage,
      ...(deleted ? { deleted } : {}),
      others: digestBlocks(
        await rowsOf(await parts.store.digests.inChannel(asked.channel), parts.store),
        digestReader(asked.asker, false, parts),
      ),
    },
    readerOf(who.asker, place.personLevel === 'allowed', parts),
  );
}

export function readerOf(
  { id, zone }: { readonly id: string; readonly zone: string },
  seesPeople: boolean,
  parts: Pick<ListenerParts, 'admins'>,
): SavedReader {
  return { user: id, zone, seesPeople, mayChange: (saved) => mayChange(saved, id, parts) };
}
