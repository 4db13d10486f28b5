import type { Digest, DueDigest, NewRun } from '../../digests/digest.js';
import { randomId } from '../../logging/logger.js';
import { openStates } from '../../posts/states.js';
import { changeRows, inTransaction, is } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { transition } from '../posts/posts.js';

/** Two clicks within this time count as one. */
const doublePressMs = 2_000;

export function runCreationIn(db: Db) {
  return {
    /**
     * Adds due runs and sets the digests' next due times, in one transaction. Skips earlier runs of the same digests that
     * still wait, because people need only the latest one.
     *
     * @returns the new run IDs, in order; undefined for a digest that changed meanwhile and for a due time that exists
     */
    enter: (due: readonly DueDigest[], at: number) =>
      inTransaction(db, async (trx) => {
        const entered: (string | undefined)[] = [];
        for (const one of due) entered.push(await enterOne(trx, one, at));
        return entered;
      }),

    /**
     * Adds a run that a person starts by hand. Returns undefined if the digest has an open run, or got one since seconds
     * before the press.
     *
     * @param pressedAt absent: `at`
     * @param isByHand false: an alert posts only if it has something to say
     */
    enterNow: (
      digest: Digest,
      dedupeKey: string,
      at: number,
      {
        pressedAt = at,
        isByHand = true,
      }: { readonly pressedAt?: number | undefined; readonly isByHand?: boolean } = {},
    ) =>
      inTransaction(db, async (trx) => {
        if (await isOpen(trx, digest.id, at, pressedAt)) return undefined;
        return insert(trx, digest, { dueAt: at, dedupeKey, missed: 0, late: false }, at, isByHand);
      }),
  };
}

async function enterOne(trx: Trx, { digest, run, nextDue }: DueDigest, at: number) {
  const { id, revision, nextDue: due = null } = digest;
  const moved = await changeRows(trx, 'digests', { id, revision, next_due: due }, { next_due: nextDue });
  if (moved === 0) return undefined;
  const left = await skipEarlier(trx, id, run.dueAt, at);
  return insert(trx, digest, { ...run, missed: run.missed + left }, at);
}

/**
 * Skips earlier runs that wait. Returns how many. A claimed run may still be delivered, so it is only marked: it is
 * skipped if it would have to wait again.
 */
async function skipEarlier(trx: Trx, digest: string, dueAt: number, at: number): Promise<number> {
  const set = { ready_at: null, error_code: 'superseded', reason: null, finished_at: at };
  const earlier = { digest, settled: null, due_at: is('<', dueAt) };
  const left = await transition(trx, ['queued'], 'skipped', earlier, set).executeTakeFirst();
  const begun = { ...earlier, state: ['running', 'posting'] as const };
  await changeRows(trx, 'posts', begun, { unwanted: 'superseded', finished_at: at });
  return Number(left.numUpdatedRows);
}

/** Runs of digests for managers that go on at the same time, of the 24 of all digests. */
const managerLanes = 8;

/**
 * Messages to managers keep no channel busy. One run of a channel goes on at a time, so a few lanes in place of channels
 * leave room for other digests: a run for thousands of managers takes long.
 */
function laneOf(digest: string): string {
  const sum = [...digest].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return `managers-${sum % managerLanes}`;
}

async function insert(
  db: Db,
  digest: Digest,
  run: NewRun,
  at: number,
  isByHand = false,
): Promise<string | undefined> {
  const id = randomId();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('posts')
    .values({
      id,
      kind: 'digest',
      channel: digest.audience === 'managers' ? laneOf(digest.id) : digest.channel,
      due_at: run.dueAt,
      state: 'queued',
      created_at: at,
      digest: digest.id,
      dedupe_key: run.dedupeKey,
      ready_at: run.dueAt,
      missed: run.missed,
      late: run.late ? 1 : 0,
      by_hand: isByHand ? 1 : 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['digest', 'due_at']).where('digest', 'is not', null).doNothing(),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n ? id : undefined;
}

async function isOpen(trx: Trx, digest: string, at: number, pressedAt: number): Promise<boolean> {
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
