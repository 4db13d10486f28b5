import { setTimeout as sleep } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { foldText } from '../../requests/text.js';
import { nextCursor, pagesOf } from '../delivery/clients.js';
import type { ListedPerson, PageBudget } from './people-list.js';

export interface NamedPerson {
  readonly id: string;
  readonly email: string;
}

interface NamedPeople {
  /** Those with just this display name, full name or handle. */
  readonly whole: readonly NamedPerson[];
  /** Those with a name of which it is one word, such as the first name. */
  readonly part: readonly NamedPerson[];
}

/**
 * `slow`: the reading goes on. `unreachable`: Slack did not answer. `too-many-people`: the workspace has too many to read,
 * so that another person could have the name too.
 */
export type NameSearch =
  | { readonly kind: 'found'; readonly of: (phrase: string) => NamedPeople }
  | { readonly kind: 'slow' | 'unreachable' | 'too-many-people' };

/** About 2 KB for each person, which are parsed at once. */
const perPage = 400;
export const maxNamedPeople = 10_000;
/** Names are cached for so long, in memory alone. */
const ttlMs = 5 * 60_000;

interface Names {
  readonly whole: Map<string, NamedPerson[]>;
  readonly words: Map<string, NamedPerson[]>;
}

/**
 * The names of a workspace, read page by page when one is typed, and dropped five minutes later.
 *
 * @param client may retry, because these calls change nothing
 * @param isIncluded false for bots, and for people who have left or never belonged here
 * @param now monotonic milliseconds
 */
export function peopleNamesOf(
  client: Pick<WebClient, 'users'>,
  isIncluded: (person: ListedPerson) => boolean,
  budget: PageBudget,
  now: () => number,
) {
  let latest: { readonly reading: Promise<Names | undefined>; until: number } | undefined;

  async function readNames(): Promise<Names | undefined> {
    const names: Names = { whole: new Map(), words: new Map() };
    const nextPage = async (cursor: string | undefined) => {
      await budget.turn();
      return client.users.list({ limit: perPage, cursor });
    };
    for await (const page of pagesOf(nextPage, maxNamedPeople / perPage)) {
      for (const member of page.members ?? []) if (isIncluded(member)) addNames(names, member);
      if (nextCursor(page) === undefined) return names;
    }
    return undefined;
  }

  function read(): Promise<Names | undefined> {
    if (latest && latest.until > now()) return latest.reading;
    const current = { reading: readNames(), until: Number.POSITIVE_INFINITY };
    latest = current;
    const drop = () => {
      if (latest === current) latest = undefined;
    };
    current.reading.then(() => {
      current.until = now() + ttlMs;
      setTimeout(drop, ttlMs).unref();
    }, drop);
    return current.reading;
  }

  return {
    /** Finds people by their names: reads the names of the workspace, unless they were read lately. Never throws. */
    async search(maxWaitMs: number): Promise<NameSearch> {
      const slow = new AbortController();
      try {
        const names = await Promise.race([
          read(),
          sleep(maxWaitMs, 'slow' as const, { signal: slow.signal, ref: false }),
        ]);
        if (names === 'slow') return { kind: 'slow' };
        if (!names) return { kind: 'too-many-people' };
        return {
          kind: 'found',
          of: (phrase) => {
            const folded = foldedName(phrase);
            return { whole: names.whole.get(folded) ?? [], part: names.words.get(folded) ?? [] };
          },
        };
      } catch {
        return { kind: 'unreachable' };
      } finally {
        slow.abort();
      }
    },
  };
}

export type PeopleNames = ReturnType<typeof peopleNamesOf>;

function addNames({ whole, words }: Names, { id, name, real_name, profile }: ListedPerson): void {
  const email = profile?.email;
  if (id === undefined || !email) return;
  const person = { id, email };
  const full = [real_name, profile.real_name, profile.display_name].flatMap((each) =>
    each ? [foldedName(each)] : [],
  );
  for (const each of new Set([...full, foldedName(name ?? '')])) add(whole, each, person);
  for (const word of new Set(full.flatMap((each) => each.split(' ')))) add(words, word, person);
}

function add(names: Map<string, NamedPerson[]>, name: string, person: NamedPerson): void {
  if (name === '') return;
  const known = names.get(name);
  if (known) known.push(person);
  else names.set(name, [person]);
}

/** Case, accents, signs and an `@` do not count. Most names are plain, for which this is several times as fast. */
function foldedName(name: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name) ? name.toLowerCase() : foldText(name);
  return plain
    .replace(/['’ʼ`´]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
