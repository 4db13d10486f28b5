import type { Kysely, Transaction } from 'kysely';
import type { Digest, DueDigest, NewRun } from '../../digests/digest.js';
import { openStates } from '../../posts/states.js';
import type { Tables } from '../schema.js';
import { transition } from './posts.js';

/** Two clicks within this time count as one. */
const doublePressMs = 2_000;

export function runCreationIn(db: Kysely<Tables>, newId: () => string) {
  return {
    /**
     * Adds due runs and sets the digests' next due times, in one transaction. Skips earlier runs of the same digests that
     * still wait, because people need only the latest one.
     *
     * @returns the new run IDs, in order; undefined for a digest that changed meanwhile and for a due time that exists
     */
    enter: (due: readonly DueDigest[], at: number) =>
      db.transaction().execute(async (trx) => {
        const entered: (string | undefined)[] = [];
        for (const one of due) entered.push(await enterOne(trx, newId(), one, at));
        return entered;
      }),

    /**
     * Adds a run that a person starts by hand. Returns undefined if the digest has an open run, or got one since seconds
     * before the press.
     *
     * @param pressedAt absent: `at`
     */
    enterNow: (digest: Digest, dedupeKey: string, at: number, pressedAt: number = at) =>
      db.transaction().execute(async (trx) => {
        if (await isOpen(trx, digest.id, at, pressedAt)) return undefined;
        return insert(trx, newId(), digest, { dueAt: at, dedupeKey, missed: 0, late: false }, at);
      }),
  };
}

async function enterOne(
  trx: Transaction<Tables>,
  id: string,
  { digest, run, nextDue }: DueDigest,
  at: number,
): Promise<string | undefined> {
  const moved = await trx
    .updateTable('digests')
    .set({ next_due: nextDue })
    .where('id', '=', digest.id)
    .where('revision', '=', digest.revision)
    .where('next_due', '=', digest.nextDue ?? null)
    .executeTakeFirst();
  if (moved.numUpdatedRows === 0n) return undefined;
  const left = await skipEarlier(trx, digest.id, run.dueAt, at);
  return insert(trx, id, digest, { ...run, missed: run.missed + left }, at);
}

/**
 * Skips earlier runs that wait. Returns how many. A claimed run may still be delivered, so it is only marked: it is
 * skipped if it would have to wait again.
 */
async function skipEarlier(
  trx: Transaction<Tables>,
  digest: string,
  dueAt: number,
  at: number,
): Promise<number> {
  const left = await transition(trx, ['queued'], 'skipped')
    .set({ ready_at: null, error_code: 'superseded', reason: null, finished_at: at })
    .where('digest', '=', digest)
    .where('due_at', '<', dueAt)
    .where('settled', 'is', null)
    .executeTakeFirst();
  await trx
    .updateTable('posts')
    .set({ unwanted: 'superseded', finished_at: at })
    .where('digest', '=', digest)
    .where('due_at', '<', dueAt)
    .where('state', 'in', ['running', 'posting'])
    .where('settled', 'is', null)
    .execute();
  return Number(left.numUpdatedRows);
}

async function insert(
  db: Kysely<Tables>,
  id: string,
  digest: Digest,
  run: NewRun,
  at: number,
): Promise<string | undefined> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('posts')
    .values({
      id,
      kind: 'digest',
      channel: digest.channel,
      due_at: run.dueAt,
      state: 'queued',
      created_at: at,
      digest: digest.id,
      dedupe_key: run.dedupeKey,
      ready_at: run.dueAt,
      missed: run.missed,
      late: run.late ? 1 : 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['digest', 'due_at']).where('digest', 'is not', null).doNothing(),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n ? id : undefined;
}

async function isOpen(
  trx: Transaction<Tables>,
  digest: string,
  at: number,
  pressedAt: number,
): Promise<boolean> {
  const found = await trx
    .selectFrom('posts')
    .select('id')
    .where('digest', '=', digest)
    .where('state', '!=', 'failed')
    .where(({ eb, or, between }) =>
      or([eb('state', 'in', openStates), between('created_at', pressedAt - doublePressMs, at)]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
