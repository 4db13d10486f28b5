import type { WebAPICallResult, WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { callsOfMinute, isPermanentError, lookUpCache, pagesOf } from '../delivery/clients.js';

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

const ttlMs = 10 * 60_000;
const maxAgesMs = { false: ttlMs, 'last-minute': 60_000, true: 0 } as const;
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
    find(channel: string, fresh: Freshness = false): Promise<ChannelFacts> {
      return cache.find(channel, () => fetchChannel(client, channel, markShared), maxAgesMs[`${fresh}`]);
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

/** Maximum age of lists that people see. */
const maxAgeForPeopleMs = 60_000;

/** People in more than 12,000 channels are looked up in the members of the channel. */
const maxChannelPages = 12;
const perPage = 999;

/**
 * Slack allows about twenty calls a minute for a person's channels, and a hundred for a channel's members. Digests
 * leave some of them to people.
 */
const maxChannelCallsForDigests = 15;
const maxPeopleCallsForDigests = 60;

/**
 * One call for a person's channels covers all digests of that person, so it comes first. A channel that is missing from
 * the list proves nothing, because archived channels are left out and calls are limited. Then the members of the
 * channel decide.
 *
 * @param client may retry, because these calls change nothing
 * @param now monotonic milliseconds
 */
export function membershipsOf(client: WebClient, now: () => number) {
  const channels = listCache(
    (user, cursor) =>
      client.users.conversations({
        user,
        types: 'public_channel,private_channel',
        exclude_archived: true,
        limit: perPage,
        cursor,
      }),
    (page) => (page.channels ?? []).flatMap(({ id }) => id ?? []),
    now,
    maxChannelPages,
  );
  const people = listCache(
    (channel, cursor) => client.conversations.members({ channel, limit: perPage, cursor }),
    ({ members = [] }) => members,
    now,
  );

  return {
    /**
     * A person's public channels, and the private ones that the bot is in too, without archived ones. Undefined if Slack
     * did not say. Never throws.
     */
    channelsOf: (user: string) => channels.get(user, maxAgeForPeopleMs, Number.POSITIVE_INFINITY),

    /**
     * Whether a person is a member of a channel; `unknown` if Slack does not say. Never throws.
     *
     * @param fresh asks about the members of the channel, not only about the person's channels
     */
    async isMember(channel: string, user: string, fresh: Freshness = false): Promise<boolean | 'unknown'> {
      if (!fresh) {
        const theirs = await channels.get(user, ttlMs, maxChannelCallsForDigests);
        if (theirs?.has(channel)) return true;
      }
      const there = await people.get(channel, maxAgesMs[`${fresh}`], maxPeopleCallsForDigests);
      return there === undefined ? 'unknown' : there.has(user);
    },

    /** Removes a changed channel from the cache, or one person who joined or left it. Without a channel: everything. */
    invalidate(channel?: string, user?: string): void {
      people.invalidate(channel);
      channels.invalidate(user);
    },
  };
}

export type Memberships = ReturnType<typeof membershipsOf>;

const maxListsCached = 1_000;

/** Caches lists that Slack returns in pages, up to `maxPages` pages. Failures are not cached. */
function listCache<Page extends WebAPICallResult>(
  fetchPage: (name: string, cursor: string | undefined) => Promise<Page>,
  idsOf: (page: Page) => readonly string[],
  now: () => number,
  maxPages?: number,
) {
  const cache = lookUpCache<ReadonlySet<string> | undefined>(
    maxListsCached,
    ttlMs,
    now,
    (list) => list !== undefined,
  );
  const calls = callsOfMinute(now);

  async function fetchList(name: string, maxCalls: number): Promise<ReadonlySet<string> | undefined> {
    const all = new Set<string>();
    const nextPage = async (cursor: string | undefined) => {
      if (calls.count() >= maxCalls) throw new Error('No call is left in this minute');
      calls.add();
      return fetchPage(name, cursor);
    };
    try {
      for await (const page of pagesOf(nextPage, maxPages)) for (const id of idsOf(page)) all.add(id);
      return all;
    } catch {
      return undefined;
    }
  }

  return {
    /**
     * Returns a list. Undefined if Slack did not return it, or if `maxCalls` was reached. Never throws.
     *
     * @param maxAgeMs maximum age of a cached list
     * @param maxCalls maximum calls to Slack of all lists together within the last minute
     */
    get: (name: string, maxAgeMs: number, maxCalls: number) =>
      cache.find(name, () => fetchList(name, maxCalls), maxAgeMs),
    invalidate: cache.invalidate,
  };
}
