import type { WebClient } from '@slack/web-api';

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
   * @param options `fresh`: as Slack lists it at this moment, rather than within the last ten minutes
   */
  isMember(
    channel: string,
    user: string,
    options?: { readonly fresh?: boolean },
  ): Promise<boolean | 'unknown'>;
  /** A channel is not what it was, or who is in it: that one person where somebody is named. */
  forget(channel: string, user?: string): void;
}

/** What people look at. */
const freshForPeople = 60_000;
/** What digests go by: Slack reports who comes and goes, so that this is for what a lost report leaves out. */
const freshForDigests = 10 * 60_000;

/** Somebody in more channels than twelve thousand is looked up in the channel's own list. */
const mostPages = 12;
const perPage = 999;

/**
 * Slack lets an app ask about twenty times a minute for somebody's channels, and a hundred times for a channel's people.
 * Digests take no more than this of it; the rest is for what people do at that moment.
 */
const channelPagesForDigests = 15;
const memberPagesForDigests = 60;

/**
 * Somebody's list of channels answers all of their digests at once, and is asked first. Not to be on it proves nothing:
 * archived channels are left out, and it can be asked for seldom. The channel's own list decides then.
 *
 * @param client may try again: these calls change nothing
 * @param now milliseconds of a clock that nobody moves
 */
export function membershipsOf(client: WebClient, now: () => number): Memberships {
  const channels = listCache((user, cursor) => channelPage(client, user, cursor), mostPages, now);
  const people = listCache(
    (channel, cursor) => peoplePage(client, channel, cursor),
    Number.POSITIVE_INFINITY,
    now,
  );

  return {
    channelsOf: (user) => channels.of(user, freshForPeople, Number.POSITIVE_INFINITY),

    async isMember(channel, user, { fresh = false } = {}) {
      if (!fresh) {
        const theirs = await channels.of(user, freshForDigests, channelPagesForDigests);
        if (theirs?.has(channel)) return true;
      }
      const there = await people.of(channel, fresh ? 0 : freshForDigests, memberPagesForDigests);
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
    ...(cursor ? { cursor } : {}),
  });
  const ids = (page.channels ?? []).flatMap(({ id }) => id ?? []);
  return { ids, next: page.response_metadata?.next_cursor };
}

async function peoplePage(client: WebClient, channel: string, cursor: string | undefined) {
  const page = await client.conversations.members({
    channel,
    limit: perPage,
    ...(cursor ? { cursor } : {}),
  });
  return { ids: page.members ?? [], next: page.response_metadata?.next_cursor };
}

/** A page of a list that Slack gives out in pages. */
export interface ListPage {
  readonly ids: readonly string[];
  /** Where the next page begins; empty or absent after the last one. */
  readonly next?: string | undefined;
}

export interface ListCache {
  /**
   * The list of that name. Undefined where Slack did not say, or was asked often enough. Never throws.
   *
   * @param freshFor milliseconds for which one that is known will do
   * @param mostCalls beyond so many calls within a minute, all lists together, Slack is not asked
   */
  of(name: string, freshFor: number, mostCalls: number): Promise<ReadonlySet<string> | undefined>;
  forget(name: string): void;
  forgetAll(): void;
}

interface Known {
  readonly all: Promise<ReadonlySet<string> | undefined>;
  readonly at: number;
}

const minute = 60_000;
const mostRemembered = 1_000;

/**
 * Lists as Slack gave them, asked for page by page. One that fails is not remembered.
 *
 * @param mostPages what stands on later ones is left out
 * @param now milliseconds of a clock that nobody moves
 */
export function listCache(
  page: (name: string, cursor: string | undefined) => Promise<ListPage>,
  mostPages: number,
  now: () => number,
): ListCache {
  const known = new Map<string, Known>();
  const calls: number[] = [];

  function countCall(most: number) {
    while (calls[0] !== undefined && calls[0] < now() - minute) calls.shift();
    if (calls.length >= most) throw new Error('Enough was asked for this minute');
    calls.push(now());
  }

  async function ask(name: string, mostCalls: number): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < mostPages; pages += 1) {
      countCall(mostCalls);
      const { ids, next } = await page(name, cursor);
      for (const id of ids) all.add(id);
      if (!next) break;
      cursor = next;
    }
    return all;
  }

  return {
    of(name, freshFor, mostCalls) {
      const found = known.get(name);
      if (found && now() - found.at < freshFor) return found.all;
      if (known.size >= mostRemembered) known.clear();
      const asked: Known = { all: ask(name, mostCalls).catch(() => undefined), at: now() };
      known.set(name, asked);
      void asked.all.then((said) => {
        if (said === undefined && known.get(name) === asked) known.delete(name);
      });
      return asked.all;
    },
    forget: (name) => void known.delete(name),
    forgetAll: () => known.clear(),
  };
}
