import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { nextCursor } from './look-ups.js';

export type ListedPerson = NonNullable<Awaited<ReturnType<WebClient['users']['list']>>['members']>[number];

/** About 2 KB for each person, which are parsed at once. */
const perPage = 400;
/** Slack allows this many lookups of one person in the time of a page. */
const lookupsPerPage = 5;
const maxWaitMs = 5_000;

interface Reading {
  /** The people who are not found yet, each with a function that ends the wait. */
  readonly wanted: Map<string, (isFound: boolean) => void>;
  readonly waits: Map<string, Promise<boolean>>;
}

/**
 * Reads the list of all people, for some of them.
 *
 * @param client may retry, because these calls change nothing
 * @param now monotonic milliseconds
 * @param found called for each of the people, with the time when the page was requested
 */
export function peopleListOf(
  client: Pick<WebClient, 'users'>,
  now: () => number,
  budget: PageBudget,
  found: (id: string, person: ListedPerson, requestedAt: number) => void,
) {
  let reading: Reading | undefined;
  /** Where the next page begins; undefined at the beginning of the list. */
  let cursor: string | undefined;

  async function readPages({ wanted }: Reading): Promise<void> {
    const pages = Math.ceil(wanted.size / lookupsPerPage);
    for (let page = 0; page < pages && wanted.size > 0 && budget.hasOne; page += 1) {
      const requestedAt = now();
      budget.take();
      const listed = await client.users.list({ limit: perPage, cursor });
      for (const member of listed.members ?? []) {
        const end = member.id !== undefined && wanted.get(member.id);
        if (member.id === undefined || !end) continue;
        found(member.id, member, requestedAt);
        wanted.delete(member.id);
        end(true);
      }
      cursor = nextCursor(listed);
      if (cursor === undefined) return;
    }
  }

  function finish(current: Reading, ids = [...current.wanted.keys()]): void {
    for (const id of ids) {
      const end = current.wanted.get(id);
      current.wanted.delete(id);
      end?.(false);
    }
  }

  return {
    /**
     * Begins to read for these people, unless it reads or has no calls left in this minute. A large list is read over
     * several calls: each goes on where the last one ended.
     */
    read(users: readonly string[]): void {
      if (reading || !budget.hasOne) return;
      const current: Reading = { wanted: new Map(), waits: new Map() };
      for (const user of new Set(users)) {
        current.waits.set(user, new Promise((resolve) => current.wanted.set(user, resolve)));
      }
      reading = current;
      readPages(current)
        // A cursor can expire.
        .catch(() => {
          cursor = undefined;
        })
        .finally(() => {
          reading = undefined;
          finish(current);
        });
    },

    /** Resolves when the person is found; to false if the list has ended or is slow. Undefined if nobody waits for them. */
    wait(user: string): Promise<boolean> | undefined {
      const current = reading;
      const wait = current?.wanted.has(user) && current.waits.get(user);
      if (!current || !wait) return undefined;
      // A profile that is looked up meanwhile is newer than the list, so it stays.
      const timer = setTimeout(() => finish(current, [user]), maxWaitMs);
      return wait.finally(() => clearTimeout(timer));
    },

    /** Ignores what the list says about a person from now on. Absent: about everybody. */
    invalidate(user?: string): void {
      if (reading) finish(reading, user === undefined ? undefined : [user]);
    },
  };
}

/** Slack allows about twenty pages a minute. Some are left to admins who type a name after `audit`. */
const maxPages = 15;
const minuteMs = 60_000;
const lookAgainMs = 1_000;

/**
 * Pages of Slack's list of people that may be read now. All readers of the list share them.
 *
 * @param now monotonic milliseconds
 */
export function pageBudgetOf(now: () => number) {
  const calls: number[] = [];
  const budget = {
    /** True if a page is left in this minute. */
    get hasOne() {
      while (calls[0] !== undefined && calls[0] <= now() - minuteMs) calls.shift();
      return calls.length < maxPages;
    },
    take(): void {
      calls.push(now());
    },
    /** Waits until a page is left, and takes it. */
    async turn(): Promise<void> {
      while (!budget.hasOne) await sleep(lookAgainMs, undefined, { ref: false });
      budget.take();
    },
  };
  return budget;
}

export type PageBudget = ReturnType<typeof pageBudgetOf>;
