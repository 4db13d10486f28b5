import type { WebClient } from '@slack/web-api';

export interface Members {
  /** Whether somebody is in a channel; `unknown` where Slack does not say, for now. Never throws. */
  isMember(channel: string, user: string): Promise<boolean | 'unknown'>;
  /** Somebody joined it or left it. */
  forget(channel: string): void;
}

const freshForMilliseconds = 10 * 60_000;
const mostChannels = 500;
const perPage = 1000;

/** Slack lets an app ask about a hundred times a minute: the rest is for what people do at that moment. */
const pagesPerMinute = 60;

/**
 * Who is in which channel, as Slack lists it, remembered for ten minutes.
 *
 * @param client may try again: these calls change nothing
 * @param now milliseconds of a clock that nobody moves
 */
export function membersOf(client: WebClient, now: () => number): Members {
  const known = new Map<string, { readonly all: Promise<ReadonlySet<string>>; readonly at: number }>();
  const asked: number[] = [];

  async function page(channel: string, cursor: string | undefined) {
    while (asked[0] !== undefined && asked[0] < now() - 60_000) asked.shift();
    if (asked.length >= pagesPerMinute) throw new Error('Enough was asked for this minute');
    asked.push(now());
    return client.conversations.members({ channel, limit: perPage, ...(cursor ? { cursor } : {}) });
  }

  async function list(channel: string): Promise<ReadonlySet<string>> {
    const all = new Set<string>();
    let cursor: string | undefined;
    do {
      const { members = [], response_metadata: metadata } = await page(channel, cursor);
      for (const member of members) all.add(member);
      cursor = metadata?.next_cursor;
    } while (cursor);
    return all;
  }

  return {
    async isMember(channel, user) {
      let found = known.get(channel);
      if (!found || now() - found.at >= freshForMilliseconds) {
        if (known.size >= mostChannels) known.clear();
        found = { all: list(channel), at: now() };
        known.set(channel, found);
      }
      try {
        return (await found.all).has(user);
      } catch {
        known.delete(channel);
        return 'unknown';
      }
    },
    forget(channel) {
      known.delete(channel);
    },
  };
}
