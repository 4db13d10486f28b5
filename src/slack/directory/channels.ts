import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { isPermanentError } from '../transport/clients.js';
import { lookUpCache } from './look-ups.js';

/** A channel as Slack describes it. Slack does not describe private channels that the bot is not a member of. */
export type ChannelFacts =
  | {
      readonly known: true;
      readonly isMember: boolean;
      /** Shared with another organization, or about to be. */
      readonly isShared: boolean;
      readonly isArchived: boolean;
      readonly isPrivate: boolean;
      /** Only some members may post there. */
      readonly isReadOnly: boolean;
    }
  /** `isTemporary` is true if Slack could not be reached, and false if Slack refused. */
  | { readonly known: false; readonly isTemporary: boolean };

/**
 * - false: from the cache of ten minutes.
 * - `last-minute`: what Slack said within the last minute, for a second step of a person that follows a first one.
 * - true: as Slack says now.
 */
export type Freshness = boolean | 'last-minute';

/** The maximum age in milliseconds of something that is cached for ten minutes. */
export function maxAgeMsFor(fresh: Freshness): number {
  if (fresh === 'last-minute') return 60_000;
  return fresh ? 0 : ttlMs;
}

const ttlMs = 10 * 60_000;
const maxChannels = 10_000;
const maxDirectMessages = 10_000;

/**
 * Channels as Slack describes them, cached for ten minutes because Slack allows about fifty of these calls a minute.
 *
 * @param client may retry, because these calls change nothing that people see
 * @param now monotonic milliseconds
 * @param markShared called with each channel that Slack describes as shared. If it fails, the channel counts as unknown.
 */
export function channelsOf(
  client: WebClient,
  now: () => number,
  markShared: (channel: string) => Promise<void>,
) {
  // A refusal is cached. If Slack could not be reached, the next call may succeed.
  const cache = lookUpCache<ChannelFacts>(
    maxChannels,
    ttlMs,
    now,
    (facts) => facts.known || !facts.isTemporary,
  );
  const direct = new LRUCache<string, string>({ max: maxDirectMessages });

  return {
    /** Never throws. */
    find(channel: string, { fresh = false }: { readonly fresh?: Freshness } = {}): Promise<ChannelFacts> {
      return cache.find(channel, () => fetchChannel(client, channel, markShared), maxAgeMsFor(fresh));
    },
    /** Removes a changed channel from the cache. Absent: all channels. */
    invalidate: cache.invalidate,
    /** The channel of the direct messages between the bot and a person. Throws if Slack does not open it. */
    async directWith(user: string): Promise<string> {
      const cached = direct.get(user);
      if (cached) return cached;
      const { channel } = await client.conversations.open({ users: user });
      if (!channel?.id) throw new Error('Slack opened no direct messages');
      direct.set(user, channel.id);
      return channel.id;
    },
  };
}

export type Channels = ReturnType<typeof channelsOf>;

async function fetchChannel(
  client: WebClient,
  channel: string,
  markShared: (channel: string) => Promise<void>,
): Promise<ChannelFacts> {
  try {
    const { channel: described } = await client.conversations.info({ channel });
    if (!described) return { known: false, isTemporary: true };
    const { is_member, is_ext_shared, is_pending_ext_shared, is_org_shared, is_archived, is_private } =
      described;
    const isReadOnly = 'is_read_only' in described && described.is_read_only === true;
    const pending = described.pending_connected_team_ids ?? [];
    // Sharing between workspaces of one organization does not count.
    const isShared =
      is_ext_shared === true ||
      is_pending_ext_shared === true ||
      (pending.length > 0 && is_org_shared !== true);
    if (isShared) await markShared(channel);
    return {
      known: true,
      isMember: is_member === true,
      isShared,
      isArchived: is_archived === true,
      isPrivate: is_private === true,
      isReadOnly,
    };
  } catch (error) {
    return { known: false, isTemporary: !isPermanentError(error) };
  }
}
