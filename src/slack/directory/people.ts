import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { type ListedPerson, peopleListOf } from './people-list.js';

/** A person's relation to this workspace. Only members may use Rollcall. `unknown`: Slack did not say. */
type Standing = 'member' | 'guest' | 'outsider' | 'bot' | 'gone' | 'unknown';

interface Person {
  readonly id: string;
  readonly standing: Standing;
  /** IANA zone of their Slack profile. */
  readonly zone?: string | undefined;
  readonly email?: string | undefined;
  /** The address, unless Slack says that it is not confirmed. */
  readonly confirmedEmail?: string | undefined;
  /** An owner of the workspace. */
  readonly isOwner?: boolean | undefined;
  /** As the workspace knows the person; absent where Slack did not say. */
  readonly name?: string | undefined;
}

export interface People {
  /** Never throws: people whom Slack does not describe are `unknown`. */
  find(user: string): Promise<Person>;
  /** Removes a person with a changed profile from the cache. Absent: everybody. */
  invalidate(user?: string): void;
}

export interface ManyPeople {
  /** Looks up people who will be needed soon, in few calls if that saves calls. `find` waits for them a while. */
  prepare(users: readonly string[]): void;
}

const ttlMs = 10 * 60_000;
const maxPeople = 10_000;
/** Fewer people are looked up one by one. */
const minListed = 30;
/** Leaves room in the cache for other people. */
const maxListed = 8_000;

/**
 * People as Slack describes them, cached for ten minutes.
 *
 * @param client may retry, because these calls change nothing
 * @param teamId the ID of the workspace
 * @param now monotonic milliseconds
 */
export function peopleOf(client: WebClient, teamId: string, now: () => number): People & ManyPeople {
  const cache = new LRUCache<string, Promise<Person>>({
    max: maxPeople,
    ttl: ttlMs,
    ttlResolution: 0,
    perf: { now },
  });

  const list = peopleListOf(client, now, (id, person, requestedAt) => {
    cache.set(id, Promise.resolve(personOf(id, person, teamId)), { start: requestedAt });
  });

  function fetch(user: string): Promise<Person> {
    const person = fetchPerson(client, user, teamId);
    cache.set(user, person);
    void person.then(({ standing }) => {
      if (standing === 'unknown' && cache.peek(user) === person) cache.delete(user);
    });
    return person;
  }

  return {
    async find(user) {
      const listed = cache.has(user) ? undefined : list.wait(user);
      if (listed) await listed;
      return cache.get(user) ?? fetch(user);
    },
    prepare(users) {
      const unknown = users.filter((user) => !cache.has(user));
      if (unknown.length >= minListed) list.read(unknown.slice(0, maxListed));
    },
    invalidate(user) {
      list.invalidate(user);
      if (user === undefined) cache.clear();
      else cache.delete(user);
    },
  };
}

async function fetchPerson(client: WebClient, id: string, teamId: string): Promise<Person> {
  try {
    const { user } = await client.users.info({ user: id });
    return user ? personOf(id, user, teamId) : { id, standing: 'unknown' };
  } catch {
    return { id, standing: 'unknown' };
  }
}

type SlackUser = NonNullable<Awaited<ReturnType<WebClient['users']['info']>>['user']> | ListedPerson;

function personOf(id: string, user: SlackUser, teamId: string): Person {
  const email = user.profile?.email || undefined;
  return {
    id,
    standing: standingOf(user, teamId),
    zone: user.tz && isZone(user.tz) ? user.tz : undefined,
    email,
    confirmedEmail: user.is_email_confirmed === false ? undefined : email,
    isOwner: user.is_owner === true,
    name: user.profile?.real_name || user.real_name || user.profile?.display_name || user.name,
  };
}

function standingOf(user: SlackUser, teamId: string): Standing {
  if (user.deleted) return 'gone';
  if (user.is_bot) return 'bot';
  if ('is_stranger' in user && user.is_stranger === true) return 'outsider';
  // In an organization with several workspaces, Slack lists the workspaces of each person.
  const teams = user.enterprise_user?.teams ?? (user.team_id ? [user.team_id] : []);
  if (teams.length > 0 && !teams.includes(teamId)) return 'outsider';
  return user.is_restricted || user.is_ultra_restricted ? 'guest' : 'member';
}

/** Checking a name takes longer than everything else about a person. */
const knownZones = new Set<string>();

function isZone(zone: string): boolean {
  if (knownZones.has(zone)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    knownZones.add(zone);
    return true;
  } catch {
    return false;
  }
}
