import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { type Freshness, maxAgeMsFor } from './channels.js';

/** Maximum age of lists that people see. */
const maxAgeForPeopleMs = 60_000;
/** Maximum age of lists for digests. Slack reports changes of membership, so this matters only if a report is lost. */
const maxAgeForDigestsMs = 10 * 60_000;

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
  const channels = listCache((user, cursor) => channelPage(client, user, cursor), maxChannelPages, now);
  const people = listCache(
    (channel, cursor) => peoplePage(client, channel, cursor),
    Number.POSITIVE_INFINITY,
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
     * @param options `fresh`: asks about the members of the channel, not only about the person's channels
     */
    async isMember(
      channel: string,
      user: string,
      { fresh = false }: { readonly fresh?: Freshness } = {},
    ): Promise<boolean | 'unknown'> {
      if (!fresh) {
        const theirs = await channels.get(user, maxAgeForDigestsMs, maxChannelCallsForDigests);
        if (theirs?.has(channel)) return true;
      }
      const there = await people.get(channel, maxAgeMsFor(fresh), maxPeopleCallsForDigests);
      return there === undefined ? 'unknown' : there.has(user);
    },

    /** Removes a changed channel from the cache, or one person who joined or left it. Without a channel: everything. */
    invalidate(channel?: string, user?: string): void {
      if (channel === undefined) people.invalidateAll();
      else people.invalidate(channel);
      if (user === undefined) channels.invalidateAll();
      else channels.invalidate(user);
    },
  };
}

export type Memberships = ReturnType<typeof membershipsOf>;

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

/** One page of a list from Slack. */
interface ListPage {
  readonly ids: readonly string[];
  /** Slack's cursor for the next page; empty or absent on the last page. */
  readonly next?: string | undefined;
}

interface CachedList {
  readonly list: Promise<ReadonlySet<string> | undefined>;
  readonly fetchedAt: number;
}

const minuteMs = 60_000;
const maxListsCached = 1_000;

/**
 * Caches lists that Slack returns in pages. Failures are not cached.
 *
 * @param maxPages further pages are left out
 * @param now monotonic milliseconds
 */
function listCache(
  fetchPage: (name: string, cursor: string | undefined) => Promise<ListPage>,
  maxPages: number,
  now: () => number,
) {
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
    /**
     * Returns a list. Undefined if Slack did not return it, or if `maxCalls` was reached. Never throws.
     *
     * @param maxAgeMs maximum age of a cached list
     * @param maxCalls maximum calls to Slack of all lists together within the last minute
     */
    get(name: string, maxAgeMs: number, maxCalls: number): Promise<ReadonlySet<string> | undefined> {
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
    invalidate: (name: string) => void cache.delete(name),
    invalidateAll: () => cache.clear(),
  };
}
