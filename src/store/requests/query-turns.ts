import type { RateLimits } from '../../reporting-api/rate-limiter.js';
import { type Urgency, urgencyRank } from '../../runner/ports.js';
import { databaseNow } from '../database/dialect.js';
import { deleteRows, having, inTransaction, putRow } from '../database/rows.js';
import type { Db } from '../database/schema.js';

const minuteMs = 60_000;

/** A query that waits this long comes before all that wait for less, unless it is in the background. */
const maxWaitMs = 30_000;

/** A process that has not polled for this long no longer waits. */
const staleAfterMs = 4_000;

const minRetryMs = 50;
const maxRetryMs = 1_000;

/** The row that says until when no process takes a turn. */
const pauseId = 'pause';

export function queryTurnsIn(db: Db, process: string) {
  const turn = (id: string) => db.updateTable('query_turns').where('id', '=', id);

  return {
    take: (
      { id, urgency }: { readonly id: string; readonly urgency: Urgency },
      { maxRequestsPerMinute, maxParallelRequests }: RateLimits,
    ) =>
      inTransaction(db, async (trx) => {
        const now = await databaseNow(trx);
        await trx
          .deleteFrom('query_turns')
          .where(({ eb, and, or }) =>
            or([
              and([eb('ended_at', 'is not', null), eb('seen_at', '<=', now - minuteMs)]),
              and([eb('started_at', 'is', null), eb('polled_at', '<', now - staleAfterMs)]),
            ]),
          )
          .execute();
        const rows = await trx.selectFrom('query_turns').selectAll().execute();
        const own = rows.find((row) => row.id === id);
        const requestedAt = own?.requested_at ?? now;
        const rank = urgencyRank[urgency];
        const started = rows.filter((row) => row.id !== pauseId && row.started_at !== null);
        const counting = started.filter(({ seen_at }) => seen_at === null || seen_at > now - minuteMs);
        const running = started.filter(({ ended_at }) => ended_at === null);
        const ahead = rows.filter(
          (row) =>
            row.id !== id &&
            row.id !== pauseId &&
            row.started_at === null &&
            comesBefore(row, { rank, requested_at: requestedAt }, now),
        );
        const pausedUntil = rows.find((row) => row.id === pauseId)?.polled_at ?? 0;
        const room = Math.min(maxParallelRequests - running.length, maxRequestsPerMinute - counting.length);
        const starts = now >= pausedUntil && room > ahead.length;
        const values = { rank, requested_at: requestedAt, polled_at: now, started_at: starts ? now : null };
        await putRow(trx, 'query_turns', { id, process, ...values });
        if (starts) return undefined;
        const oldest = Math.min(...counting.map(({ seen_at }) => seen_at ?? now));
        const isOverLimit = counting.length >= maxRequestsPerMinute;
        const wait = Math.max(pausedUntil - now, isOverLimit ? oldest + minuteMs - now : 0);
        return { retryInMs: Math.min(Math.max(wait, minRetryMs), maxRetryMs) };
      }),

    async markSeen(id: string) {
      await turn(id)
        .set({ seen_at: await databaseNow(db) })
        .where('seen_at', 'is', null)
        .execute();
    },

    end: (id: string) =>
      inTransaction(db, async (trx) => {
        const now = await databaseNow(trx);
        // One that never started leaves nothing behind.
        await deleteRows(trx, 'query_turns', { id, started_at: null });
        await endAll(trx, { id }, now);
      }),

    pauseFor: (milliseconds: number) =>
      inTransaction(db, async (trx) => {
        const until = (await databaseNow(trx)) + Math.ceil(milliseconds);
        await trx
          .insertInto('query_turns')
          .values({
            id: pauseId,
            process,
            rank: 0,
            requested_at: until,
            polled_at: until,
            started_at: until,
          })
          .onConflict((conflict) =>
            conflict
              .column('id')
              .doUpdateSet({ polled_at: until })
              .where('query_turns.polled_at', '<', until),
          )
          .execute();
      }),

    /** Processes with a turn. */
    async holders() {
      const rows = db.selectFrom('query_turns').select('process').distinct().where('ended_at', 'is', null);
      return (await rows.where('id', '!=', pauseId).execute()).map(({ process: holder }) => holder);
    },

    endAllOf: (holder: string) =>
      inTransaction(db, async (trx) => endAll(trx, { process: holder }, await databaseNow(trx))),
  };
}

async function endAll(
  trx: Db,
  which: { readonly id: string } | { readonly process: string },
  now: number,
): Promise<void> {
  await trx
    .updateTable('query_turns')
    .set((eb) => ({ ended_at: now, seen_at: eb.fn.coalesce('seen_at', eb.val(now)) }))
    .where(having<'query_turns'>({ ...which, ended_at: null }))
    .where('id', '!=', pauseId)
    .execute();
}

interface Waiting {
  readonly rank: number;
  readonly requested_at: number;
}

function comesBefore(one: Waiting, other: Waiting, now: number): boolean {
  const waitsTooLong = ({ rank, requested_at }: Waiting) =>
    requested_at <= now - maxWaitMs && rank < urgencyRank.background;
  const rankOf = (waiting: Waiting) => (waitsTooLong(waiting) ? -1 : waiting.rank);
  return (
    rankOf(one) - rankOf(other) < 0 ||
    (rankOf(one) === rankOf(other) && one.requested_at < other.requested_at)
  );
}
