import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { type AccessRule, type GroupMembership, type Level, levelFor } from '../../access/levels.js';
import type { Access } from '../../access/scope.js';
import type { ReportName } from '../../catalogue/index.js';
import { slackErrorCode } from '../transport/clients.js';
import type { People } from './people.js';

interface AccessParts {
  /** May try again: these calls change nothing. */
  readonly client: WebClient;
  readonly people: People;
  readonly store: {
    readonly accessRules: { all(): Promise<readonly AccessRule[]> };
    readonly admins: { all(): Promise<readonly { readonly person: string }[]> };
  };
  /** ROLLCALL_ADMINS. */
  readonly configuredAdmins: readonly string[];
  /** DEFAULT_ACCESS. */
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

/** Looks up levels of access and admins. */
export function accessDirectory(parts: AccessParts) {
  const { client, people, store, configuredAdmins, defaultAccess, groupIsGone, now } = parts;
  const groups = new LRUCache<string, Promise<Members>>({
    max: maxGroups,
    ttl: maxAgeMs,
    ttlResolution: 0,
    perf: { now },
  });

  function membersOf(group: string): Promise<Members> {
    const cached = groups.get(group);
    if (cached) return cached;
    const members = fetchMembers(client, group);
    groups.set(group, members);
    void members.then((found) => {
      if (found === 'gone') groupIsGone(group);
      // The next question asks Slack again.
      const isKept = typeof found !== 'string' || found === 'hidden';
      if (!isKept && groups.peek(group) === members) groups.delete(group);
    });
    return members;
  }

  async function membershipOf(
    user: string,
    rules: readonly AccessRule[],
  ): Promise<GroupMembership & { readonly hidden: ReadonlySet<string> }> {
    const ids = new Set(rules.flatMap(({ subject }) => (subject.kind === 'group' ? subject.id : [])));
    const memberOf = new Set<string>();
    const unreadable = new Set<string>();
    const hidden = new Set<string>();
    for (const [id, members] of await Promise.all(
      [...ids].map(async (id) => [id, await membersOf(id)] as const),
    )) {
      if (members === 'hidden') hidden.add(id);
      if (members === 'hidden' || members === 'unreadable') unreadable.add(id);
      else if (members !== 'gone' && members.has(user)) memberOf.add(id);
    }
    return { memberOf, unreadable, hidden };
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
      // What the app may not read does not change by itself, so nobody waits for it.
      const known = { ...membership, unreadable: membership.hidden };
      const isUncertain = level !== levelFor(rules, user, known, report, defaultAccess);
      if (level !== 'nothing') return { level, address, isUncertain };
      return { level, address, isUncertain, admins: await adminNames(maxAdminsToAsk) };
    },

    /** Drops the cached members of a user group that has changed. Absent: of all groups. */
    invalidateGroup(group?: string): void {
      if (group === undefined) groups.clear();
      else groups.delete(group);
    },
    /** Ends the rules of a user group that was deleted. */
    endGroup: groupIsGone,
  };
}

export type AccessDirectory = ReturnType<typeof accessDirectory>;

async function fetchMembers(client: WebClient, group: string): Promise<Members> {
  try {
    const { users } = await client.usergroups.users.list({ usergroup: group });
    return users ? new Set(users) : 'unreadable';
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === 'missing_scope') return 'hidden';
    return goneErrors.has(code) ? 'gone' : 'unreadable';
  }
}
