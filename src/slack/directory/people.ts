import type { WebClient } from '@slack/web-api';
import { isZone } from '../../time/calendar.js';
import { lookUpCache, pagesOf } from '../delivery/clients.js';
import { type ListedPerson, pageBudgetOf, peopleListOf, peoplePerPage } from './people-list.js';
import { peopleNamesOf } from './people-names.js';

/** A person's relation to this workspace. Only members may use Rollcall. `unknown`: Slack did not say. */
type Standing = 'member' | 'guest' | 'outsider' | 'bot' | 'gone' | 'unknown';

/** A person as Slack describes them: all but the standing is absent where Slack did not say. */
export type Person = Partial<ReturnType<typeof personOf>> & {
  readonly id: string;
  readonly standing: Standing;
};

interface Workspace {
  readonly teamId: string;
  /** TRUST_SLACK_EMAIL. Absent: false. */
  readonly trustEmail?: boolean | undefined;
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
 * @param workspace its ID, and whether it trusts addresses of which Slack does not say whether they are confirmed
 * @param now monotonic milliseconds
 */
export function peopleOf(client: WebClient, workspace: Workspace, now: () => number) {
  const cache = lookUpCache<Person>(maxPeople, ttlMs, now, ({ standing }) => standing !== 'unknown');
  const budget = pageBudgetOf(now);
  const list = peopleListOf(client, now, budget, (id, person, requestedAt) => {
    cache.set(id, Promise.resolve(personOf(id, person, workspace)), requestedAt);
  });
  const isIncluded = (person: ListedPerson) =>
    ['member', 'guest'].includes(standingOf(person, workspace.teamId));

  return {
    ...peopleNamesOf(client, isIncluded, budget, now),
    /** Never throws: people whom Slack does not describe are `unknown`. */
    async find(user: string): Promise<Person> {
      const cached = cache.get(user);
      if (cached) return cached;
      await list.wait(user);
      return cache.find(user, () => fetchPerson(client, user, workspace));
    },
    /** Looks up people who will be needed soon, in few calls if that saves calls. `find` waits for them a while. */
    prepare(users: readonly string[]): void {
      const unknown = users.filter((user) => !cache.get(user));
      if (unknown.length >= minListed) list.read(unknown.slice(0, maxListed));
    },
    /**
     * Reads the whole list of people, page by page. Those for whom `wants` is true are cached.
     *
     * @throws the error of a call; where the signal is aborted
     */
    async readAll(wants: (person: Person) => boolean, signal?: AbortSignal): Promise<void> {
      let requestedAt = now();
      const nextPage = async (cursor: string | undefined) => {
        await budget.turn(signal);
        signal?.throwIfAborted();
        requestedAt = now();
        return client.users.list({ limit: peoplePerPage, cursor });
      };
      for await (const page of pagesOf(nextPage)) {
        for (const member of page.members ?? []) {
          if (member.id === undefined) continue;
          const person = personOf(member.id, member, workspace);
          if (wants(person)) cache.set(person.id, Promise.resolve(person), requestedAt);
        }
      }
    },
    /** Removes a person with a changed profile from the cache. Absent: everybody. */
    invalidate(user?: string): void {
      list.invalidate(user);
      cache.invalidate(user);
    },
  };
}

export type People = Pick<ReturnType<typeof peopleOf>, 'find' | 'invalidate'>;

/** The list of all people, for digests that reach many. */
export type PeopleList = Pick<ReturnType<typeof peopleOf>, 'readAll' | 'prepare'>;

async function fetchPerson(client: WebClient, id: string, workspace: Workspace): Promise<Person> {
  try {
    const { user } = await client.users.info({ user: id });
    return user ? personOf(id, user, workspace) : { id, standing: 'unknown' };
  } catch {
    return { id, standing: 'unknown' };
  }
}

type SlackUser = NonNullable<Awaited<ReturnType<WebClient['users']['info']>>['user']> | ListedPerson;

function personOf(id: string, user: SlackUser, { teamId, trustEmail = false }: Workspace) {
  const email = user.profile?.email || undefined;
  return {
    id,
    standing: standingOf(user, teamId),
    /** IANA zone of their Slack profile. */
    zone: user.tz && isZone(user.tz) ? user.tz : undefined,
    email,
    /** The address, if Slack says that it is confirmed; with TRUST_SLACK_EMAIL also if Slack does not say. */
    confirmedEmail: (user.is_email_confirmed ?? trustEmail) ? email : undefined,
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
