import type { Channels, Memberships } from '../directory/channels.js';
import { isDirect } from './request-context.js';

/**
 * True if a person may see what is saved in a channel: in their own direct messages with the bot, in public channels,
 * and in private channels of which both are members.
 */
export async function maySee(
  channel: string,
  user: string,
  parts: { readonly channels: Channels; readonly memberships: Memberships },
): Promise<boolean> {
  if (channel.startsWith('D')) return isDirect(channel, user, parts);
  const facts = await parts.channels.find(channel);
  if (facts.known && !facts.isPrivate) return true;
  return (await parts.memberships.channelsOf(user))?.has(channel) ?? false;
}
