import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';

/** Who is a member of which channels. */
export interface Memberships {
  /**
   * Somebody's public channels, and those private ones that the bot is in too; archived ones are left out. Undefined
   * where Slack did not say. Never throws.
   */
  channelsOf(user: string): Promise<ReadonlySet<string> | undefined>;
  /**
   * Whether somebody is in a channel; `unknown` where Slack does not say, for now. Never throws.
   *
   * @param options `fresh`: ask Slack now; otherwise what it said within the last ten minutes will do
   */
  isMember(
    channel: string,
    user: string,
    options?: { readonly fresh?: boolean },
  ): Promise<boolean | 'unknown'>;
  /** Drops what is cached of a channel that has changed, or of one person who joined or left it. */
  forget(channel: string, user?: string): void;
}

/** What people look at may be this old. */
const maxAgeForPeopleMs = 60_000;
/** What digests go by may be this old. Slack reports who joins and leaves, so this matters where a report is lost. */
const maxAgeForDigestsMs = 10 * 60_000;

/** Somebody in more channels than twelve thousand is looked up in the channel's own list. */
const maxChannelPages = 12;
const perPage = 999;

/**
 * Slack allows about twenty calls a minute for the channels of a person, and a hundred for the people of a channel.
 * Digests leave the rest of these to people who are waiting.
 */
const maxChannelCallsForDigests = 15;
const maxPeopleCallsForDigests = 60;

/**
 * The channels of a person answer for all of that person's digests at once, so they are tried first. They prove
 * nothing where a channel is missing: archived channels are left out, and calls are few. The people of the channel
 * decide then.
 *
 * @param client may try again: these calls change nothing
 * @param now monotonic milliseconds
 */
export function membershipsOf(client: WebClient, now: () => number): Memberships {
  const channels = listCache((user, cursor) => channelPage(client, user, cursor), maxChannelPages, now);
  const people = listCache(
    (channel, cursor) => peoplePage(client, channel, cursor),
    Number.POSITIVE_INFINITY,
    now,
  );

  return {
    channelsOf: (user) => channels.get(user, maxAgeForPeopleMs, Number.POSITIVE_INFINITY),

    async isMember(channel, user, { fresh = false } = {}) {
      if (!fresh) {
        const theirs = await channels.get(user, maxAgeForDigestsMs, maxChannelCallsForDigests);
        if (theirs?.has(channel)) return true;
      }
      const there = await people.get(channel, fresh ? 0 : maxAgeForDigestsMs, maxPeopleCallsForDigests);
      return there === undefined ? 'unknown' : there.has(user);
    },

    forget(channel, user) {
      people.forget(channel);
      if (user === undefined) channels.forgetAll();
      else channels.forget(user);
    },
  };
}

async function channelPage(client: WebClient, user: string, cursor: string | undefined) {
  const page = await client.users.conversations({
    user,
    types: 'public_channel,private_channel',
    exclude_archived: true,
    limit: perPage,
    cursor,
  });
  const ids = (page.channels ?? []).flatMap(({ id }) => id ?? []);
  return { ids, next: page.response_metadata?.next_cursor };
}

async function peoplePage(client: WebClient, channel: string, cursor: string | undefined) {
  const page = await client.conversations.members({
    channel,
    limit: perPage,
    cursor,
  });
  return { ids: page.members ?? [], next: page.response_metadata?.next_cursor };
}

/** A page of a list that Slack gives out in pages. */
interface ListPage {
  readonly ids: readonly string[];
  /** Where the next page begins; empty or absent after the last one. */
  readonly next?: string | undefined;
}

interface ListCache {
  /**
   * Gets a list. Undefined where Slack did not say, or where `maxCalls` was reached. Never throws.
   *
   * @param maxAgeMs how old a cached list may be
   * @param maxCalls the calls to Slack that all lists together may have made within the last minute
   */
  get(name: string, maxAgeMs: number, maxCalls: number): Promise<ReadonlySet<string> | undefined>;
  forget(name: string): void;
  forgetAll(): void;
}

interface CachedList {
  readonly list: Promise<ReadonlySet<string> | undefined>;
  readonly fetchedAt: number;
}

const minuteMs = 60_000;
const maxListsCached = 1_000;

/**
 * Caches lists that Slack gives in pages. A failure is not cached.
 *
 * @param maxPages pages beyond these are left out
 * @param now monotonic milliseconds
 */
function listCache(
  fetchPage: (name: string, cursor: string | undefined) => Promise<ListPage>,
  maxPages: number,
  now: () => number,
): ListCache {
  const cache = new LRUCache<string, CachedList>({ max: maxListsCached });
  const calls: number[] = [];

  function countCall(maxCalls: number) {
    while (calls[0] !== undefined && calls[0] < now() - minuteMs) calls.shift();
    if (calls.length >= maxCalls) throw new Error('The calls of this minute are used up');
    calls.push(now());
  }

  async function fetchList(name: string, maxCalls: number): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < maxPages; pages += 1) {
      countCall(maxCalls);
      const { ids, next } = await fetchPage(name, cursor);
      for (const id of ids) all.add(id);
      if (!next) break;
      cursor = next;
    }
    return all;
  }

  return {
    get(name, maxAgeMs, maxCalls) {
      const cached = cache.get(name);
      if (cached && now() - cached.fetchedAt < maxAgeMs) return cached.list;
      const list = fetchList(name, maxCalls).catch(() => undefined);
      const entry = { list, fetchedAt: now() };
      cache.set(name, entry);
      void list.then((found) => {
        if (found === undefined && cache.peek(name) === entry) cache.delete(name);
      });
      return list;
    },
    forget: (name) => void cache.delete(name),
    forgetAll: () => cache.clear(),
  };
}
