import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { isPermanentError } from '../transport/clients.js';

/** A channel as Slack describes it. Slack does not describe private channels that the bot is not in. */
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
  /** `passing`: Slack could not be reached; otherwise it refused. */
  | { readonly known: false; readonly passing: boolean };

export interface Channels {
  /** Never throws. `fresh`: ask Slack now, whatever is cached. */
  find(channel: string, options?: { readonly fresh?: boolean }): Promise<ChannelFacts>;
  /** Drops a channel that has changed. */
  forget(channel: string): void;
  /** The direct messages between the bot and a person. Throws where Slack opens none. */
  directWith(user: string): Promise<string>;
}

const ttlMs = 10 * 60_000;
const maxChannels = 10_000;
const maxDirectMessages = 10_000;

/**
 * Channels as Slack describes them, cached for ten minutes: Slack allows about fifty of these calls a minute.
 *
 * @param client may try again: these calls change nothing that anybody sees
 * @param now monotonic milliseconds
 */
export function channelsOf(client: WebClient, now: () => number): Channels {
  const cache = new LRUCache<string, Promise<ChannelFacts>>({
    max: maxChannels,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
  });
  const direct = new LRUCache<string, string>({ max: maxDirectMessages });

  return {
    find(channel, { fresh = false } = {}) {
      const cached = fresh ? undefined : cache.get(channel);
      if (cached) return cached;
      const facts = fetchChannel(client, channel);
      cache.set(channel, facts);
      void facts.then((described) => {
        // A refusal stays one for a while; a Slack that could not be reached may answer the next time.
        if (!described.known && described.passing) cache.delete(channel);
      });
      return facts;
    },
    forget(channel) {
      cache.delete(channel);
    },
    async directWith(user) {
      const cached = direct.get(user);
      if (cached) return cached;
      const { channel } = await client.conversations.open({ users: user });
      if (!channel?.id) throw new Error('Slack opened no direct messages');
      direct.set(user, channel.id);
      return channel.id;
    },
  };
}

async function fetchChannel(client: WebClient, channel: string): Promise<ChannelFacts> {
  try {
    const { channel: described } = await client.conversations.info({ channel });
    if (!described) return { known: false, passing: true };
    const { is_member, is_ext_shared, is_pending_ext_shared, is_org_shared, is_archived, is_private } =
      described;
    const isReadOnly = 'is_read_only' in described && described.is_read_only === true;
    const pending = described.pending_connected_team_ids ?? [];
    return {
      known: true,
      isMember: is_member === true,
      // Shared within one organization's workspaces is not shared with another organization.
      isShared:
        is_ext_shared === true ||
        is_pending_ext_shared === true ||
        (pending.length > 0 && is_org_shared !== true),
      isArchived: is_archived === true,
      isPrivate: is_private === true,
      isReadOnly,
    };
  } catch (error) {
    return { known: false, passing: !isPermanentError(error) };
  }
}
