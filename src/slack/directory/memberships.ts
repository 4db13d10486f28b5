import type { WebAPICallResult, WebClient } from '@slack/web-api';
import { type Freshness, maxAgeMsFor } from './channels.js';
import { callsOfMinute, lookUpCache, pagesOf } from './look-ups.js';

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
  idsIn: (page: Page) => readonly string[],
  now: () => number,
  maxPages?: number,
) {
  const cache = lookUpCache<ReadonlySet<string> | undefined>(
    maxListsCached,
    maxAgeForDigestsMs,
    now,
    (list) => list !== undefined,
  );
  const calls = callsOfMinute(now);

  async function fetchList(name: string, maxCalls: number): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    const nextPage = async (cursor: string | undefined) => {
      if (calls.count() >= maxCalls) throw new Error('The calls of this minute are used up');
      calls.add();
      return fetchPage(name, cursor);
    };
    for await (const page of pagesOf(nextPage, maxPages)) for (const id of idsIn(page)) all.add(id);
    return all;
  }

  return {
    /**
     * Returns a list. Undefined if Slack did not return it, or if `maxCalls` was reached. Never throws.
     *
     * @param maxAgeMs maximum age of a cached list
     * @param maxCalls maximum calls to Slack of all lists together within the last minute
     */
    get: (name: string, maxAgeMs: number, maxCalls: number) =>
      cache.find(name, () => fetchList(name, maxCalls).catch(() => undefined), maxAgeMs),
    invalidate: cache.invalidate,
  };
}
