import type { Kysely } from 'kysely';
import type { Tables } from '../database.js';

export interface Approval {
  /** A channel ID, or a metadata key. */
  readonly subject: string;
  /** The admin's Slack user ID. */
  readonly by: string;
  readonly at: number;
}

/** Admins' approvals: person-level data in a channel, and metadata keys in all channels. */
export interface Approvals {
  approveChannel(approval: Approval): Promise<void>;
  /** Returns false if it was not approved. */
  withdrawChannel(channel: string): Promise<boolean>;
  isChannelApproved(channel: string): Promise<boolean>;
  approvedChannels(): Promise<readonly Approval[]>;
  releaseKey(approval: Approval): Promise<void>;
  /** Returns false if it was not released. */
  withdrawKey(key: string): Promise<boolean>;
  releasedKeys(): Promise<readonly Approval[]>;
}

export function approvalsIn(db: Kysely<Tables>): Approvals {
  return {
    async approveChannel({ subject, by, at }) {
      await db
        .insertInto('approved_channels')
        .values({ channel: subject, approved_by: by, approved_at: at })
        .onConflict((conflict) => conflict.column('channel').doNothing())
        .execute();
    },

    async withdrawChannel(channel) {
      const { numDeletedRows } = await db
        .deleteFrom('approved_channels')
        .where('channel', '=', channel)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async isChannelApproved(channel) {
      const approved = db.selectFrom('approved_channels').select('channel').where('channel', '=', channel);
      return (await approved.executeTakeFirst()) !== undefined;
    },

    async approvedChannels() {
      return db
        .selectFrom('approved_channels')
        .select(['channel as subject', 'approved_by as by', 'approved_at as at'])
        .orderBy('approved_at')
        .orderBy('channel')
        .execute();
    },

    async releaseKey({ subject, by, at }) {
      await db
        .insertInto('released_keys')
        .values({ metadata_key: subject, released_by: by, released_at: at })
        .onConflict((conflict) => conflict.column('metadata_key').doNothing())
        .execute();
    },

    async withdrawKey(key) {
      const { numDeletedRows } = await db
        .deleteFrom('released_keys')
        .where('metadata_key', '=', key)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async releasedKeys() {
      return db
        .selectFrom('released_keys')
        .select(['metadata_key as subject', 'released_by as by', 'released_at as at'])
        .orderBy('metadata_key')
        .execute();
    },
  };
}
