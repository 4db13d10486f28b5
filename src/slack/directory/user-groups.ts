import type { WebClient } from '@slack/web-api';
import type { Admins, StoredRule } from '../../store/access/rules.js';
import type { Clock } from '../../time/clock.js';
import { notice } from '../messages/notices.js';
import { slackErrorCode } from '../transport/clients.js';
import { lookUpCache } from './look-ups.js';

/** A user group of Slack that exists now. */
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

/**
 * @param client may try again: these calls change nothing
 * @param now monotonic milliseconds
 */
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

interface EndedGroupParts {
  readonly store: {
    readonly accessRules: {
      all(): Promise<readonly StoredRule[]>;
      removeSubject(
        subject: { readonly kind: 'group'; readonly id: string },
        actor: { readonly at: number },
      ): Promise<number>;
    };
    readonly admins: Pick<Admins, 'all'>;
  };
  readonly configuredAdmins: readonly string[];
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: {
    info(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

/** Ends the rules of a deleted group, and tells the admins once. Never throws. */
export async function endRulesOfGroup(id: string, parts: EndedGroupParts): Promise<void> {
  const { store, configuredAdmins, clock, log } = parts;
  try {
    const setters = (await store.accessRules.all()).flatMap(({ subject, by }) =>
      subject.kind === 'group' && subject.id === id && by !== '' ? by : [],
    );
    // Two events about one group remove its rules once, so admins are told once.
    const removed = await store.accessRules.removeSubject({ kind: 'group', id }, { at: clock.now() });
    if (removed === 0) return;
    log.info({ removed }, 'A user group was deleted, so its access rules ended');
    const named = [...configuredAdmins, ...(await store.admins.all()).map(({ person }) => person)];
    const rules = removed === 1 ? 'access rule' : `${removed} access rules`;
    // Where nobody is named, owners of the workspace set the rules.
    await tellAdmins(
      named.length > 0 ? named : setters,
      `A user group was deleted, so its ${rules} ended. Type /report access to see what holds now.`,
      parts,
    );
  } catch (err) {
    log.error({ err }, 'The rules of a deleted user group could not be removed');
  }
}

/** Sends a sentence to the direct messages of admins. Never throws. */
export async function tellAdmins(
  admins: readonly string[],
  sentence: string,
  { client, log }: Pick<EndedGroupParts, 'client' | 'log'>,
): Promise<void> {
  const { text, blocks = [] } = notice(sentence);
  for (const channel of new Set(admins)) {
    await client.chat
      .postMessage({ channel, text, blocks: [...blocks] })
      .catch((err: unknown) => log.error({ err }, 'An admin could not be told'));
  }
}
