import type { Kysely } from 'kysely';
import { randomId } from './random-id.js';
import type { Tables } from './tables.js';

/** What is told: about a run, a file of one, a digest or an outage. */
export type NoticeKind = 'unknown' | 'file-unknown' | 'failed' | 'file-failed' | 'owner-left' | 'outage';

export interface DigestNotice {
  readonly id: string;
  /** A Slack user ID. */
  readonly recipient: string;
  readonly kind: NoticeKind;
  /** The ID of what it is about. */
  readonly subject: string;
  readonly sentAt?: number;
}

/** What people still have to be told. */
export interface DigestNotices {
  /** Nobody is told the same twice: false where it was entered before. */
  add(notice: Pick<DigestNotice, 'recipient' | 'kind' | 'subject'>, at: number): Promise<boolean>;
  /** Those that can be told now. */
  ready(now: number, limit: number): Promise<readonly DigestNotice[]>;
  /** All that a person has not answered yet, told or not, of one kind, the oldest first. */
  open(recipient: string, kinds: readonly NoticeKind[]): Promise<readonly DigestNotice[]>;
  /** Slack took it. `repeatAt`: when it is told again, unless it is settled before; absent: never. */
  sent(ids: readonly string[], at: number, repeatAt?: number): Promise<void>;
  later(ids: readonly string[], readyAt: number): Promise<void>;
  /** There is nothing left to tell about it. */
  settle(subject: string): Promise<void>;
  forgetBefore(time: number, limit: number): Promise<number>;
}

export function digestNoticesIn(db: Kysely<Tables>, newId: () => string = randomId): DigestNotices {
  const columns = ['id', 'recipient', 'kind', 'subject', 'sent_at'] as const;

  return {
    async add({ recipient, kind, subject }, at) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('digest_notices')
        .values({ id: newId(), recipient, kind, subject, made_at: at, ready_at: at, sent_at: null })
        .onConflict((conflict) => conflict.columns(['recipient', 'kind', 'subject']).doNothing())
        .executeTakeFirst();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async ready(now, limit) {
      const ready = db.selectFrom('digest_notices').select(columns).where('ready_at', '<=', now);
      return (await ready.orderBy('ready_at').limit(limit).execute()).map(noticeOf);
    },

    async open(recipient, kinds) {
      const open = db
        .selectFrom('digest_notices')
        .select(columns)
        .where('recipient', '=', recipient)
        .where('kind', 'in', kinds)
        .where('ready_at', 'is not', null);
      return (await open.orderBy('made_at').orderBy('id').execute()).map(noticeOf);
    },

    async sent(ids, at, repeatAt) {
      // What was settled while it was on its way stays settled.
      await db
        .updateTable('digest_notices')
        .set({ sent_at: at, ready_at: repeatAt ?? null })
        .where('id', 'in', ids)
        .where('ready_at', 'is not', null)
        .execute();
    },

    async later(ids, readyAt) {
      await db
        .updateTable('digest_notices')
        .set({ ready_at: readyAt })
        .where('id', 'in', ids)
        .where('ready_at', 'is not', null)
        .execute();
    },

    async settle(subject) {
      await db.updateTable('digest_notices').set({ ready_at: null }).where('subject', '=', subject).execute();
    },

    async forgetBefore(time, limit) {
      const old = db
        .selectFrom('digest_notices')
        .select('id')
        .where('made_at', '<', time)
        .where('ready_at', 'is', null)
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom('digest_notices')
        .where('id', 'in', old)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

interface NoticeColumns {
  readonly id: string;
  readonly recipient: string;
  readonly kind: string;
  readonly subject: string;
  readonly sent_at: number | null;
}

function noticeOf({ id, recipient, kind, subject, sent_at: sentAt }: NoticeColumns): DigestNotice {
  return { id, recipient, kind: kind as NoticeKind, subject, ...(sentAt === null ? {} : { sentAt }) };
}
