import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { callsOfMinute, nextCursor } from '../delivery/clients.js';

export type ListedPerson = NonNullable<Awaited<ReturnType<WebClient['users']['list']>>['members']>[number];

/** About 2 KB for each person, which are parsed at once. */
export const peoplePerPage = 400;
/** Slack allows this many lookups of one person in the time of a page. */
const lookupsPerPage = 5;
const maxWaitMs = 5_000;

interface Wait {
  readonly ended: Promise<void>;
  readonly end: () => void;
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
  let reading: Map<string, Wait> | undefined;
  /** Where the next page begins; undefined at the beginning of the list. */
  let cursor: string | undefined;

  async function readPages(wanted: Map<string, Wait>): Promise<void> {
    const pages = Math.ceil(wanted.size / lookupsPerPage);
    for (let page = 0; page < pages && wanted.size > 0 && budget.hasOne; page += 1) {
      const requestedAt = now();
      budget.take();
      const listed = await client.users.list({ limit: peoplePerPage, cursor });
      for (const member of listed.members ?? []) {
        if (member.id === undefined || !wanted.has(member.id)) continue;
        found(member.id, member, requestedAt);
        finish(wanted, [member.id]);
      }
      cursor = nextCursor(listed);
      if (cursor === undefined) return;
    }
  }

  function finish(wanted: Map<string, Wait>, ids = [...wanted.keys()]): void {
    for (const id of ids) {
      wanted.get(id)?.end();
      wanted.delete(id);
    }
  }

  return {
    /**
     * Begins to read for these people, unless it reads already or has no calls left in this minute. A large list is
     * read over several calls: each continues where the last one ended.
     */
    read(users: readonly string[]): void {
      if (reading || !budget.hasOne) return;
      const wanted = new Map<string, Wait>();
      for (const user of users) {
        let end = () => {};
        const ended = new Promise<void>((resolve) => {
          end = resolve;
        });
        wanted.set(user, { ended, end });
      }
      reading = wanted;
      readPages(wanted)
        // A cursor can expire.
        .catch(() => {
          cursor = undefined;
        })
        .finally(() => {
          reading = undefined;
          finish(wanted);
        });
    },

    /** Resolves when the person is found, or when the list has ended or is slow. At once if the list is not read for them. */
    async wait(user: string): Promise<void> {
      const wanted = reading;
      const wait = wanted?.get(user);
      if (!wanted || !wait) return;
      // A profile that is looked up meanwhile is newer than the list, so it stays.
      const timer = setTimeout(() => finish(wanted, [user]), maxWaitMs);
      await wait.ended.finally(() => clearTimeout(timer));
    },

    /** Ignores what the list says about a person from now on. Absent: about everybody. */
    invalidate(user?: string): void {
      if (reading) finish(reading, user === undefined ? undefined : [user]);
    },
  };
}

/** Slack allows about twenty pages a minute. Some are left to admins who type a name after `audit`. */
const maxPages = 15;
const lookAgainMs = 1_000;

/** Pages of Slack's list of people that may be read now, shared by all its readers. `now`: monotonic milliseconds. */
export function pageBudgetOf(now: () => number) {
  const calls = callsOfMinute(now);
  const budget = {
    /** True if a page is left in this minute. */
    get hasOne() {
      return calls.count() < maxPages;
    },
    take: calls.add,
    /** Waits until a page is left, and takes it. Rejects once the signal is aborted. */
    async turn(signal?: AbortSignal): Promise<void> {
      while (!budget.hasOne) await sleep(lookAgainMs, undefined, { ref: false, signal });
      budget.take();
    },
  };
  return budget;
}

export type PageBudget = ReturnType<typeof pageBudgetOf>;
