import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UpdateObject } from 'kysely';
import {
  type DigestNotification,
  type NotificationAbout,
  type NotificationKind,
  type NotificationRequest,
  type NotificationSent,
  offerKinds,
  unconfirmedKinds,
} from '../../digests/notification.js';
import { randomId } from '../../logging/logger.js';
import { changeRows, deleteRows, inTransaction, is, isSet, rowsOf } from '../database/rows.js';
import type { Db, Tables } from '../database/schema.js';
import { messageOf, wasErased } from '../posts/posts.js';

/** Small batches keep write locks short. */
const batchSize = 200;

export function digestNotificationsIn(db: Db) {
  /** Leaves out notifications that were settled while they were being sent. */
  const changeUnsettled = (ids: readonly string[], set: UpdateObject<Tables, 'notifications'>) =>
    changeRows(db, 'notifications', { id: ids, ready_at: isSet }, set);

  return {
    /** Skips recipients who already have this notification. Returns false if all have it. */
    add: async (recipients: readonly string[], about: Omit<NotificationAbout, 'recipient'>, at: number) =>
      (await enter(db, recipients, about, at)) > 0,

    /** Notifications that may be sent now. */
    async ready(now: number, limit: number) {
      const ready = db.selectFrom('notifications').selectAll().where('ready_at', '<=', now);
      return (await ready.orderBy('ready_at').limit(limit).execute()).map(notificationOf);
    },

    /** A person's open notifications, sent or not, oldest first. */
    async open(recipient: string, kinds: readonly NotificationKind[]) {
      const theirs = rowsOf(db, 'notifications', { recipient, kind: kinds }).selectAll();
      const open = theirs.where('ready_at', 'is not', null).orderBy('created_at').orderBy('id');
      return (await open.execute()).map(notificationOf);
    },

    async sent(ids: readonly string[], { at, repeatAt, message }: NotificationSent) {
      await changeUnsettled(ids, {
        sent_at: at,
        ready_at: repeatAt ?? null,
        // Undefined leaves the column as it is.
        message_channel: message?.channel,
        message_ts: message?.ts,
      });
    },

    /** Queues an edit of messages that were already sent about a subject. */
    async resend(kind: NotificationKind, subject: string, at: number) {
      await changeRows(db, 'notifications', { subject, kind, message_ts: isSet }, { ready_at: at });
    },

    /** Closes notifications that cannot be delivered. */
    async drop(ids: readonly string[]) {
      await changeUnsettled(ids, { ready_at: null });
    },

    async postpone(ids: readonly string[], readyAt: number) {
      await changeUnsettled(ids, { ready_at: readyAt });
    },

    /** Hands a notification to another person. Returns false if that person already has it. */
    reassign: ({ id, kind, subject }: DigestNotification, recipient: string, at: number) =>
      inTransaction(db, async (trx) => {
        if ((await enter(trx, [recipient], { kind, subject }, at)) === 0) return false;
        // Deleted, so that the former recipient can get it again later.
        await deleteRows(trx, 'notifications', { id });
        return true;
      }),

    /**
     * Shortens waits that a clock running ahead made too long. Offers end when they end.
     *
     * @param from notifications that wait longer than this become ready now
     * @param repeatBy the latest time to repeat a question that a person has not answered
     */
    async rescheduleWaiting(now: number, from: number, repeatBy: number) {
      const late = { ready_at: is('>', repeatBy), kind: unconfirmedKinds, sent_at: isSet };
      await changeRows(db, 'notifications', late, { ready_at: repeatBy });
      const others = db
        .selectFrom('notifications')
        .select('id')
        .where('ready_at', '>', from)
        .where('kind', 'not in', offerKinds)
        .where((eb) => eb.or([eb('kind', 'not in', unconfirmedKinds), eb('sent_at', 'is', null)]))
        .limit(batchSize);
      for (;;) {
        const brought = await changeRows(db, 'notifications', { id: others }, { ready_at: now });
        if (brought < batchSize) return;
        await nextTurn();
      }
    },

    /** Closes all notifications about a subject. */
    settle: (subject: string) => settleNotifications(db, subject),
  };
}

function notificationOf(row: Tables['notifications']): DigestNotification {
  const { id, recipient, subject, created_at: createdAt, sent_at: sentAt } = row;
  return {
    id,
    recipient,
    kind: row.kind as NotificationKind,
    subject,
    createdAt,
    sentAt: sentAt ?? undefined,
    message: messageOf(row),
  };
}

/** Skips recipients who already have this notification, and runs that an erasure ended. */
export async function addNotifications(
  db: Db,
  run: string,
  { kind, recipients }: NotificationRequest,
  at: number,
): Promise<void> {
  if (await wasErased(db, run)) return;
  await enter(db, [...new Set(recipients)], { kind, subject: run }, at);
}

/** Skips recipients who already have the notification. Returns how many it is new for. */
async function enter(
  db: Db,
  recipients: readonly string[],
  about: Omit<NotificationAbout, 'recipient'>,
  at: number,
): Promise<number> {
  if (recipients.length === 0) return 0;
  const times = { created_at: at, ready_at: at };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notifications')
    .values(recipients.map((recipient) => ({ id: randomId(), recipient, ...about, ...times })))
    .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0n);
}

export async function settleNotifications(db: Db, run: string): Promise<void> {
  await changeRows(db, 'notifications', { subject: run }, { ready_at: null });
}

/** Deletes the notifications about a run, so that the same ones can be sent again. */
export async function deleteNotifications(db: Db, run: string): Promise<void> {
  await deleteRows(db, 'notifications', { subject: run });
}
