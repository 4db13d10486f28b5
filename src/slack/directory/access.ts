import type { WebClient } from '@slack/web-api';
import { type AccessRule, type Level, levelFor } from '../../access/levels.js';
import type { Access } from '../../access/scope.js';
import type { ReportName } from '../../catalogue/index.js';
import type { Store } from '../../store/store.js';
import { lookUpCache, slackErrorCode } from '../delivery/clients.js';
import type { People } from './people.js';

interface AccessParts {
  /** May try again: these calls change nothing. */
  readonly client: WebClient;
  readonly people: People;
  readonly store: Pick<Store, 'accessRules' | 'admins'>;
  /** ROLLCALL_ADMINS. */
  readonly configuredAdmins: readonly string[];
  readonly defaultAccess: Level;
  /** Called with a group that Slack no longer knows. It may still have rules. */
  readonly groupIsGone: (group: string) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Members of a group are never older than this. */
const maxAgeMs = 60_000;
const maxGroups = 500;

/** A refused person asks one of these. */
export const maxAdminsToAsk = 3;

/** `hidden`: the app may not read user groups, until it is installed with the scope for it. */
type Members = ReadonlySet<string> | 'unreadable' | 'hidden' | 'gone';

/** What Slack says about a user group that was deleted or never existed. */
const goneErrors: ReadonlySet<string> = new Set(['no_such_subteam', 'subteam_not_found']);

export function accessDirectory(parts: AccessParts) {
  const { client, people, store, configuredAdmins, defaultAccess, groupIsGone, now } = parts;
  const groups = lookUpCache<Members>(
    maxGroups,
    maxAgeMs,
    now,
    (members) => members !== 'unreadable' && members !== 'gone',
  );

  async function fetchMembers(group: string): Promise<Members> {
    try {
      const { users } = await client.usergroups.users.list({ usergroup: group });
      return users ? new Set(users) : 'unreadable';
    } catch (error) {
      const code = slackErrorCode(error);
      if (code === 'missing_scope') return 'hidden';
      if (!goneErrors.has(code)) return 'unreadable';
      groupIsGone(group);
      return 'gone';
    }
  }

  async function membershipOf(user: string, rules: readonly AccessRule[]) {
    const ids = new Set(rules.flatMap(({ subject }) => (subject.kind === 'group' ? subject.id : [])));
    const found = await Promise.all(
      [...ids].map(async (id) => ({ id, members: await groups.find(id, () => fetchMembers(id)) })),
    );
    const groupsThat = (have: (members: Members) => boolean) =>
      new Set(found.flatMap(({ id, members }) => (have(members) ? id : [])));
    return {
      memberOf: groupsThat((members) => typeof members !== 'string' && members.has(user)),
      unreadable: groupsThat((members) => members === 'unreadable' || members === 'hidden'),
      hidden: groupsThat((members) => members === 'hidden'),
    };
  }

  async function admins(): Promise<readonly string[]> {
    const added = (await store.admins.all()).map(({ person }) => person);
    return [...new Set([...configuredAdmins, ...added])];
  }

  async function adminNames(limit?: number): Promise<readonly string[]> {
    const first = (await admins()).slice(0, limit);
    return Promise.all(first.map(async (id) => (await people.find(id)).name ?? id));
  }

  async function isAdmin(user: string): Promise<boolean> {
    const named = await admins();
    if (named.length > 0) return named.includes(user);
    return (await people.find(user)).isOwner === true;
  }

  return {
    /** Slack user IDs of all named admins; empty where the owners of the workspace are the admins. */
    admins,
    /** Names of the first admins, at most `limit`. */
    adminNames,
    isAdmin,
    /** A person's access to a report now. Admins have `everything`. */
    async accessOf(user: string, report: ReportName): Promise<Access> {
      const { confirmedEmail: address } = await people.find(user);
      if (await isAdmin(user)) return { level: 'everything', address };
      const rules = await store.accessRules.all();
      const membership = await membershipOf(user, rules);
      const level = levelFor(rules, user, membership, report, defaultAccess);
      // What the app may not read does not change by itself, so no answer waits for it.
      const known = { ...membership, unreadable: membership.hidden };
      const isUncertain = level !== levelFor(rules, user, known, report, defaultAccess);
      if (level !== 'nothing') return { level, address, isUncertain };
      return { level, address, isUncertain, admins: await adminNames(maxAdminsToAsk) };
    },

    /** Drops the cached members of a user group that has changed. Absent: of all groups. */
    invalidateGroup: groups.invalidate,
    endGroup: groupIsGone,
  };
}

export type AccessDirectory = ReturnType<typeof accessDirectory>;
