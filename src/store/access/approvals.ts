import type { RecordKey } from '../database/record-key.js';
import { addRow, changeRows, countRows, deleteRows, inTransaction } from '../database/rows.js';
import type { Db } from '../database/schema.js';
import { preparedQuery } from '../database/workspace.js';
import { appendEvent } from './event-chain.js';
import type { Actor } from './rules.js';

export interface Approval {
  /** A channel ID, or a metadata key. */
  readonly subject: string;
  /** The admin's Slack user ID. */
  readonly by: string;
  readonly at: number;
}

/** An approval, with what it is for. Only the record has the purpose. */
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

/** Admins' approvals: person-level data in a channel, and metadata keys. Each change is also an event of the record. */
export function approvalsIn(db: Db, key: RecordKey) {
  async function isChannelApproved(channel: string) {
    return (await approvalOf(db, { channel })).rows.length > 0;
  }

  /** True for a channel that was shared once. The settings approve it no more. */
  async function lostApproval(channel: string) {
    return (await countRows(db, 'shared_channels', { channel })) > 0;
  }

  return {
    isChannelApproved,
    lostApproval,

    approveChannel: ({ subject, by, at, purpose }: NewApproval) =>
      inTransaction(db, async (trx) => {
        const approval = { channel: subject, approved_by: by, approved_at: at };
        if (!(await addRow(trx, 'approved_channels', approval))) return;
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
      inTransaction(db, async (trx) => {
        if ((await deleteRows(trx, 'approved_channels', { channel })) === 0) return false;
        await appendEvent(trx, key, { kind: 'withdrawn', at, person: by, place: channel });
        return true;
      }),

    async approvedChannels() {
      return db
        .selectFrom('approved_channels')
        .select(['channel as subject', 'approved_by as by', 'approved_at as at'])
        .orderBy('approved_at')
        .orderBy('channel')
        .execute();
    },

    releaseKey: ({ subject, by, at, purpose }: NewApproval) =>
      inTransaction(db, async (trx) => {
        const release = { metadata_key: subject, released_by: by, released_at: at };
        if (!(await addRow(trx, 'released_keys', release))) return;
        await appendEvent(trx, key, { kind: 'released', at, person: by, details: { key: subject, purpose } });
      }),

    /** Returns false if it was not released. */
    withdrawKey: (metadataKey: string, { by, at }: Actor) =>
      inTransaction(db, async (trx) => {
        if ((await deleteRows(trx, 'released_keys', { metadata_key: metadataKey })) === 0) return false;
        await appendEvent(trx, key, { kind: 'withdrawn', at, person: by, details: { key: metadataKey } });
        return true;
      }),

    async releasedKeys() {
      return (await allReleasedKeys(db, {})).rows;
    },

    /** Records that a channel is shared with another organization. It loses its approval: later, only a new one counts. */
    async markShared(channel: string, at: number) {
      // The usual case writes nothing.
      if ((await lostApproval(channel)) && !(await isChannelApproved(channel))) return;
      await inTransaction(db, async (trx) => {
        const isNew = await addRow(trx, 'shared_channels', { channel, shared_at: at });
        const withdrawn = await deleteRows(trx, 'approved_channels', { channel });
        if (!isNew && withdrawn === 0) return;
        await appendEvent(trx, key, { kind: 'withdrawn', at, place: channel, details: { why: 'shared' } });
      });
    },

    /** Records a request for approval of a channel. Returns false if there was one on that `day` (`2026-11-22`). */
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
    decideRequest: async (channel: string) =>
      (await changeRows(db, 'approval_requests', { channel, decided: 0 }, { decided: 1 })) > 0,
  };
}

export type Approvals = ReturnType<typeof approvalsIn>;
