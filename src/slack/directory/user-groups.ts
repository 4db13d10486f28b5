import type { WebClient } from '@slack/web-api';
import { lookUpCache, slackErrorCode } from '../delivery/clients.js';

interface UserGroup {
  readonly id: string;
  /** As people mention it, without `@`. */
  readonly handle: string;
  readonly name: string;
}

/** Undefined: Slack did not say. */
type Groups = readonly UserGroup[] | 'hidden' | undefined;

/** Slack allows about twenty lists a minute, and suggestions ask at each key. */
const maxAgeMs = 15_000;

/** `client` may try again: these calls change nothing. `now`: monotonic milliseconds. */
export function userGroupsOf(client: WebClient, now: () => number) {
  const cache = lookUpCache<Groups>(1, maxAgeMs, now, (groups) => groups !== undefined);

  async function fetchAll(): Promise<Groups> {
    try {
      const { usergroups = [] } = await client.usergroups.list({});
      return usergroups
        .flatMap(({ id, handle = '', name = '', date_delete: deletedAt = 0 }) =>
          id && deletedAt === 0 ? [{ id, handle: handle || name, name }] : [],
        )
        .sort((a, b) => a.handle.localeCompare(b.handle));
    } catch (error) {
      return slackErrorCode(error) === 'missing_scope' ? 'hidden' : undefined;
    }
  }

  const groups = () => cache.find('all', fetchAll);

  return {
    /** All groups that are not deleted, sorted by handle; undefined if Slack did not say. Never throws. */
    async all(): Promise<readonly UserGroup[] | undefined> {
      const found = await groups();
      return found === 'hidden' ? undefined : found;
    },

    /** True if the app lacks the scope `usergroups:read`. Never throws. */
    areHidden: async () => (await groups()) === 'hidden',

    /** The number of members; undefined if Slack does not tell. Never throws. */
    async sizeOf(group: string): Promise<number | undefined> {
      try {
        const { users } = await client.usergroups.users.list({ usergroup: group });
        return users?.length;
      } catch {
        return undefined;
      }
    },
  };
}

export type UserGroups = ReturnType<typeof userGroupsOf>;
