import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { Channels } from '../directory/channels.js';
import type { Memberships } from '../directory/memberships.js';
import type { Place } from '../request-context.js';

/** A deletion can be taken back for so long. */
export const undoMilliseconds = 10 * 60_000;

interface RightsParts {
  readonly channels: Channels;
  readonly memberships: Memberships;
  readonly admins: readonly string[];
}

/** The one who made a saved report, its owner and admins edit, rename and delete it. */
export function mayChange(
  { owner, madeBy }: Pick<SavedReport, 'owner' | 'madeBy'>,
  user: string,
  { admins }: Pick<RightsParts, 'admins'>,
): boolean {
  return user === owner || user === madeBy || admins.includes(user);
}

/**
 * True where somebody may know of what is kept in a channel: in their own direct messages with the bot, in public
 * channels, and in private ones that both are in.
 */
export async function maySee(channel: string, user: string, parts: RightsParts): Promise<boolean> {
  if (channel.startsWith('D')) {
    return parts.channels.directWith(user).then(
      (direct) => direct === channel,
      () => false,
    );
  }
  const facts = await parts.channels.find(channel);
  if (facts.known && !facts.isPrivate) return true;
  return (await parts.memberships.channelsOf(user))?.has(channel) ?? false;
}

/** Why nothing can be kept in a place, with the way out; undefined where it can. */
export async function whyNotKeptIn(
  { kind, channel }: Pick<Place, 'kind' | 'channel'>,
  { channels }: Pick<RightsParts, 'channels'>,
): Promise<string | undefined> {
  if (kind !== 'elsewhere') return undefined;
  const elsewhere = 'You can do it in your direct messages with me.';
  if (channel.startsWith('D')) {
    return `Slack does not let me into direct messages between people, so nothing can be kept or scheduled here. ${elsewhere}`;
  }
  const facts = await channels.find(channel);
  if (facts.known) return undefined;
  if (facts.passing) return 'Slack could not tell me about this channel just now. Try again in a minute.';
  return `I cannot enter this conversation, so nothing can be kept or scheduled here. If it is a channel, type /invite @Rollcall and try again. ${elsewhere}`;
}
