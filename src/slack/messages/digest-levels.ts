import type { NarrowedDigest, NotificationContent } from '../../digests/ports.js';
import type { GraceEffect } from '../../digests/store-ports.js';
import { formatDay } from '../../figures/format/dates.js';
import { formatPlural } from '../../figures/format/values.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import { plainText, section } from './blocks.js';
import { channelSentence, digestName } from './digest-notifications.js';

const effects: Readonly<Record<GraceEffect, string>> = {
  team: 'limited to your team',
  self: 'limited to your own records',
  'small-groups': 'without figures about few people',
  stops: 'stops, because your level does not allow it',
};

/** A message has 50 blocks. */
const maxShown = 30;

/** For the owner of digests from before there were levels: what will narrow or stop, and when. */
export function levelsMessage(
  digests: readonly NarrowedDigest[],
  until: number,
  zone: string,
): OutgoingMessage {
  const day = formatDay(until, zone);
  const count = formatPlural(digests.length, ['digest', 'digests']);
  const intro = `On ${day}, access levels change ${count} of yours. Until then, they run as before.`;
  const more = digests.length - maxShown;
  const fix = 'Ask an admin for more access, or change or hand over what stops.';
  return {
    text: escaped(`${intro} ${fix}`),
    blocks: [
      section(plainText(intro)),
      ...digests
        .slice(0, maxShown)
        .map(({ digest, effect }) =>
          channelSentence(`• ${digestName(digest)}, to `, digest.channel, `: ${effects[effect]}.`),
        ),
      ...(more > 0 ? [section(plainText(`And ${more} more.`))] : []),
      section(plainText(fix)),
    ],
  };
}

/** For admins, once after the upgrade. */
export function levelsSummaryMessage({
  narrower,
  stopping,
  until,
  zone,
}: Extract<NotificationContent, { readonly kind: 'levels-summary' }>): OutgoingMessage {
  const day = formatDay(until, zone);
  const line = `On ${day}, access levels limit ${formatPlural(narrower, ['digest', 'digests'])} and stop ${stopping}. Until then, set levels with /report access; the owners know.`;
  return { text: escaped(line), blocks: [section(plainText(line))] };
}
