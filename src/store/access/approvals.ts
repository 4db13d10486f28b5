import type { Kysely } from 'kysely';
import { preparedQuery } from '../prepared-query.js';
import type { RecordKey } from '../record-key.js';
import type { Tables } from '../schema.js';
import { appendEvent } from './append-event.js';
import type { Actor } from './rules.js';

export interface Approval {
  /** A channel ID, or a metadata key. */
  readonly subject: string;
  /** The admin's Slack user ID. */
  readonly by: string;
  readonly at: number;
}

/** An approval, with what it is for. Only the record keeps the purpose. */
interface NewApproval extends Approval {
  readonly purpose?: string | undefined;
}

const approvalOf = preparedQuery((db, { channel }: { readonly channel: string }) =>
  db.selectFrom('approved_channels').select('channel').where('channel', '=', channel),
);

const allReleasedKeys = preparedQuery((db) =>
  db
    .selectFrom('released_keys')
    .select(['metadata_key as subject', 'released_by as by', 'released_at as at'])
    .orderBy('metadata_key'),
);

/**
 * Admins' approvals: person-level data in a channel, and metadata keys in all channels. Each change is also an event of
 * the record.
 */
export function approvalsIn(db: Kysely<Tables>, key: RecordKey) {
  return {
    approveChannel: ({ subject, by, at, purpose }: NewApproval) =>
      db.transaction().execute(async (trx) => {
        const approved = await trx
          .insertInto('approved_channels')
          .values({ channel: subject, approved_by: by, approved_at: at })
          .onConflict((conflict) => conflict.column('channel').doNothing())
          .executeTakeFirst();
        if ((approved.numInsertedOrUpdatedRows ?? 0n) === 0n) return;
        await appendEvent(trx, key, {
          kind: 'approved',
          at,
          person: by,
          place: subject,
          details: purpose === undefined ? undefined : { purpose },
        });
      }),

    /** Returns false if it was not approved. */
    withdrawChannel: (channel: string, { by, at }: Actor) =>
      db.transaction().execute(async (trx) => {
        const approved = trx.deleteFrom('approved_channels').where('channel', '=', channel);
        if ((await approved.executeTakeFirst()).numDeletedRows === 0n) return false;
        await appendEvent(trx, key, { kind: 'withdrawn', at, person: by, place: channel });
        return true;
      }),

    async isChannelApproved(channel: string) {
      return (await approvalOf(db, { channel })).rows.length > 0;
    },

    async approvedChannels() {
      return db
        .selectFrom('approved_channels')
        .select(['channel as subject', 'approved_by as by', 'approved_at as at'])
        .orderBy('approved_at')
        .orderBy('channel')
        .execute();
    },

    releaseKey: ({ subject, by, at, purpose }: NewApproval) =>
      db.transaction().execute(async (trx) => {
        const released = await trx
          .insertInto('released_keys')
          .values({ metadata_key: subject, released_by: by, released_at: at })
          .onConflict((conflict) => conflict.column('metadata_key').doNothing())
          .executeTakeFirst();
        if ((released.numInsertedOrUpdatedRows ?? 0n) === 0n) return;
        await appendEvent(trx, key, { kind: 'released', at, person: by, details: { key: subject, purpose } });
      }),

    /** Returns false if it was not released. */
    withdrawKey: (metadataKey: string, { by, at }: Actor) =>
      db.transaction().execute(async (trx) => {
        const released = trx.deleteFrom('released_keys').where('metadata_key', '=', metadataKey);
        if ((await released.executeTakeFirst()).numDeletedRows === 0n) return false;
        await appendEvent(trx, key, {
          kind: 'withdrawn',
          at,
          person: by,
          details: { key: metadataKey },
        });
        return true;
      }),

    async releasedKeys() {
      return (await allReleasedKeys(db, {})).rows;
    },

    /**
     * Records that a channel is shared with another organization. It loses its approval for good: later, only a new
     * approval counts.
     */
    async markShared(channel: string, at: number) {
      // The usual case writes nothing.
      if (await isMarkedAndUnapproved(db, channel)) return;
      await db.transaction().execute(async (trx) => {
        const marked = await trx
          .insertInto('shared_channels')
          .values({ channel, shared_at: at })
          .onConflict((conflict) => conflict.column('channel').doNothing())
          .executeTakeFirst();
        const approved = await trx
          .deleteFrom('approved_channels')
          .where('channel', '=', channel)
          .executeTakeFirst();
        if ((marked.numInsertedOrUpdatedRows ?? 0n) + approved.numDeletedRows === 0n) return;
        await appendEvent(trx, key, { kind: 'withdrawn', at, place: channel, details: { why: 'shared' } });
      });
    },

    /** True for a channel that was shared once. The settings approve it no more. */
    lostApproval: (channel: string) => wasShared(db, channel),

    /**
     * Records that a person requests approval of a channel.
     *
     * @param day the date, such as `2026-11-22`
     * @returns false if somebody requested it on that day
     */
    async requestApproval(channel: string, by: string, day: string) {
      const request = { day, requested_by: by, decided: 0 };
      const entered = await db
        .insertInto('approval_requests')
        .values({ channel, ...request })
        .onConflict((conflict) =>
          conflict.column('channel').doUpdateSet(request).where('approval_requests.day', '!=', day),
        )
        .executeTakeFirst();
      return (entered.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    /** Closes the open request of a channel. Returns false if it was decided already, or there is none. */
    async decideRequest(channel: string) {
      const decided = await db
        .updateTable('approval_requests')
        .set({ decided: 1 })
        .where('channel', '=', channel)
        .where('decided', '=', 0)
        .executeTakeFirst();
      return decided.numUpdatedRows > 0n;
    },
  };
}

export type Approvals = ReturnType<typeof approvalsIn>;

async function wasShared(db: Kysely<Tables>, channel: string): Promise<boolean> {
  const shared = db.selectFrom('shared_channels').select('channel').where('channel', '=', channel);
  return (await shared.executeTakeFirst()) !== undefined;
}

async function isMarkedAndUnapproved(db: Kysely<Tables>, channel: string): Promise<boolean> {
  return (await wasShared(db, channel)) && (await approvalOf(db, { channel })).rows.length === 0;
}
