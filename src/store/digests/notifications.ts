import type { Kysely } from 'kysely';
import {
  type DigestNotification,
  type DigestNotifications,
  type NotificationKind,
  type NotificationRequest,
  offerKinds,
  unconfirmedKinds,
} from '../../digests/store-ports.js';
import { randomId } from '../database.js';
import { expiryOf } from '../expiry.js';
import { wasErased } from '../ledger/posts.js';
import type { Tables } from '../schema.js';

/** Small batches keep write locks short. */
const batchSize = 200;

export function digestNotificationsIn(
  db: Kysely<Tables>,
  newId: () => string = randomId,
): DigestNotifications {
  const columns = [
    'id',
    'recipient',
    'kind',
    'subject',
    'made_at',
    'sent_at',
    'message_channel',
    'message_ts',
  ] as const;

  /** Leaves out notifications that were settled while they were being sent. */
  const unsettled = (ids: readonly string[]) =>
    db.updateTable('digest_notices').where('id', 'in', ids).where('ready_at', 'is not', null);

  return {
    async add({ recipient, kind, subject }, at) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('digest_notices')
        .values({ id: newId(), recipient, kind, subject, made_at: at, ready_at: at, sent_at: null })
        .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async addForAll(recipients, { kind, subject }, at) {
      if (recipients.length === 0) return;
      await db
        .insertInto('digest_notices')
        .values(
          recipients.map((recipient) => ({
            id: newId(),
            recipient,
            kind,
            subject,
            made_at: at,
            ready_at: at,
            sent_at: null,
          })),
        )
        .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
        .execute();
    },

    async ready(now, limit) {
      const ready = db.selectFrom('digest_notices').select(columns).where('ready_at', '<=', now);
      return (await ready.orderBy('ready_at').limit(limit).execute()).map(notificationOf);
    },

    async open(recipient, kinds) {
      const open = db
        .selectFrom('digest_notices')
        .select(columns)
        .where('recipient', '=', recipient)
        .where('kind', 'in', kinds)
        .where('ready_at', 'is not', null);
      return (await open.orderBy('made_at').orderBy('id').execute()).map(notificationOf);
    },

    async sent(ids, { at, repeatAt, message }) {
      await unsettled(ids)
        .set({
          sent_at: at,
          ready_at: repeatAt ?? null,
          // Undefined leaves the column as it is.
          message_channel: message?.channel,
          message_ts: message?.ts,
        })
        .execute();
    },

    async resend(kind, subject, at) {
      await db
        .updateTable('digest_notices')
        .set({ ready_at: at })
        .where('subject', '=', subject)
        .where('kind', '=', kind)
        .where('message_ts', 'is not', null)
        .execute();
    },

    async drop(ids) {
      await unsettled(ids).set({ ready_at: null }).execute();
    },

    async postpone(ids, readyAt) {
      await unsettled(ids).set({ ready_at: readyAt }).execute();
    },

    reassign: ({ id, kind, subject }, recipient, at) =>
      db.transaction().execute(async (trx) => {
        const entered = await trx
          .insertInto('digest_notices')
          .values({ id: newId(), recipient, kind, subject, made_at: at, ready_at: at, sent_at: null })
          .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
          .executeTakeFirst();
        if ((entered.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
        // Deleted, so that the former recipient can get it again later.
        await trx.deleteFrom('digest_notices').where('id', '=', id).execute();
        return true;
      }),

    async rescheduleWaiting(now, from, repeatBy) {
      const all = db.updateTable('digest_notices');
      await all
        .set({ ready_at: repeatBy })
        .where('ready_at', '>', repeatBy)
        .where('kind', 'in', unconfirmedKinds)
        .where('sent_at', 'is not', null)
        .execute();
      const others = db
        .selectFrom('digest_notices')
        .select('id')
        .where('ready_at', '>', from)
        .where('kind', 'not in', offerKinds)
        .where((eb) => eb.or([eb('kind', 'not in', unconfirmedKinds), eb('sent_at', 'is', null)]))
        .limit(batchSize);
      for (;;) {
        const brought = await all.set({ ready_at: now }).where('id', 'in', others).executeTakeFirst();
        if (brought.numUpdatedRows < BigInt(batchSize)) return;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },

    async settle(subject) {
      await db.updateTable('digest_notices').set({ ready_at: null }).where('subject', '=', subject).execute();
    },

    deleteBefore: expiryOf(db, 'digest_notices'),
  };
}

function notificationOf(row: Omit<Tables['digest_notices'], 'ready_at'>): DigestNotification {
  const { id, recipient, subject, made_at: createdAt, sent_at: sentAt } = row;
  const { message_channel: channel, message_ts: ts } = row;
  return {
    id,
    recipient,
    kind: row.kind as NotificationKind,
    subject,
    createdAt,
    sentAt: sentAt ?? undefined,
    message: channel !== null && ts !== null ? { channel, ts } : undefined,
  };
}

/** Skips recipients who already have this notification, and runs that an erasure ended. */
export async function addNotifications(
  db: Kysely<Tables>,
  run: string,
  { kind, recipients }: NotificationRequest,
  at: number,
  newId: () => string,
): Promise<void> {
  if (await wasErased(db, run)) return;
  for (const recipient of new Set(recipients)) {
    await db
      .insertInto('digest_notices')
      .values({ id: newId(), recipient, kind, subject: run, made_at: at, ready_at: at, sent_at: null })
      .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
      .execute();
  }
}

/** Closes the notifications about a run. */
export async function settleNotifications(db: Kysely<Tables>, run: string): Promise<void> {
  await db.updateTable('digest_notices').set({ ready_at: null }).where('subject', '=', run).execute();
}

/** Deletes the notifications about a run, so that the same ones can be sent again. */
export async function deleteNotifications(db: Kysely<Tables>, run: string): Promise<void> {
  await db.deleteFrom('digest_notices').where('subject', '=', run).execute();
}
