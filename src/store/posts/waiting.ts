import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { SkipReason } from '../../posts/states.js';
import { changeRows, having, inTransaction, minusOne, plusOne, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import { transition } from './posts.js';

/** Small batches keep write locks short. */
const batchSize = 200;

export function waitingRunsIn(db: Db) {
  return {
    /** Owners of digests with waiting runs. Looks at the first `maxRuns` of these, rounded up; absent: at all of them. */
    async waitingOwners(maxRuns: number = Number.POSITIVE_INFINITY) {
      const owners = new Set<string>();
      let after: PagePosition | undefined = { ready_at: 0, dedupe_key: '', id: '' };
      for (let seen = 0; after && seen < maxRuns; seen += batchSize) {
        const page: readonly WaitingRow[] = await waitingAfter(db, after);
        for (const { owner } of page) if (owner !== null) owners.add(owner);
        after = page.length < batchSize ? undefined : page.at(-1);
        await nextTurn();
      }
      return [...owners];
    },

    /** Makes waiting runs ready now, in the order of their due times: those that would wait beyond `from`, or all. */
    async makeReady(now: number, from: number = now) {
      const waiting = db.selectFrom('posts').select('id').where('ready_at', '>', from);
      for (;;) {
        const woken = await db
          .updateTable('posts')
          .set((eb) => ({
            ready_at: eb.case().when('due_at', '<', now).then(eb.ref('due_at')).else(now).end(),
          }))
          .where('id', 'in', waiting.orderBy('ready_at').limit(batchSize))
          .executeTakeFirst();
        if (woken.numUpdatedRows < BigInt(batchSize)) return;
        await nextTurn();
      }
    },

    /** Skips a digest's runs that are not being posted yet, because it was paused or deleted. */
    skipWaiting: (digest: string, why: 'by-hand' | 'deleted', at: number) =>
      inTransaction(db, (trx) => skipAll(trx, digest, why, at)),
  };
}

/** The sort key of a waiting post. */
interface PagePosition {
  readonly ready_at: number;
  readonly dedupe_key: string;
  readonly id: string;
}

interface WaitingRow extends PagePosition {
  readonly owner: string | null;
}

async function waitingAfter(db: Db, { ready_at, dedupe_key, id }: PagePosition) {
  const rows = await db
    .selectFrom('posts')
    // A file has no digest of its own: its owner is found through its parent.
    .leftJoin('posts as parents', 'parents.id', 'posts.parent')
    .leftJoin('digests', (join) =>
      join.on('digests.id', '=', sql<string>`coalesce(posts.digest, parents.digest)`),
    )
    .select(['posts.ready_at', 'posts.dedupe_key', 'posts.id', 'digests.owner'])
    .where('posts.ready_at', 'is not', null)
    .$narrowType<{ ready_at: number }>()
    .where(sql<boolean>`(posts.ready_at, posts.dedupe_key, posts.id) > (${ready_at}, ${dedupe_key}, ${id})`)
    .orderBy('posts.ready_at')
    .orderBy('posts.dedupe_key')
    .orderBy('posts.id')
    .limit(batchSize)
    .execute();
  return rows;
}

/**
 * Skips runs that just went back to the queue and were superseded, paused or deleted meanwhile. The latest run of the
 * digest counts each superseded one as missed.
 */
export async function skipUnwanted(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const set = { error_code: sql<string>`unwanted`, reason: null, ready_at: null };
  const left = await transition(trx, ['queued'], 'skipped', { id: ids }, set)
    .where('unwanted', 'is not', null)
    .returning(['digest', 'due_at', 'error_code'])
    .execute();
  for (const { digest, due_at, error_code } of left) {
    if (digest !== null && error_code === 'superseded') await countMissed(trx, digest, due_at);
  }
}

async function countMissed(trx: Trx, digest: string, dueAt: number): Promise<void> {
  const latest = rowsOf(trx, 'posts', { digest, state: ['queued', 'running'] })
    .select('id')
    .where('due_at', '>', dueAt)
    .orderBy('due_at', 'desc')
    .limit(1);
  await changeRows(trx, 'posts', { id: latest }, { missed: plusOne('missed') });
}

function skippedFor(why: SkipReason) {
  return { error_code: why, reason: null, ready_at: null, lease_until: null };
}

/** Skips a digest's open runs. A run that is being posted continues, but it is not tried again. */
export async function skipAll(
  trx: Db,
  digest: string,
  why: Exclude<SkipReason, 'superseded'>,
  at: number,
): Promise<void> {
  await transition(
    trx,
    ['queued', 'running'],
    'skipped',
    { digest },
    { ...skippedFor(why), finished_at: at },
  ).execute();
  await changeRows(trx, 'posts', { digest, state: 'posting' }, { unwanted: why, finished_at: at });
}

/** Skips a digest's open runs and the files that are not being shared yet, because they show what was erased. */
export async function endDigestRuns(
  trx: Db,
  digest: string,
  why: Extract<SkipReason, 'owner-erased' | 'person-erased'>,
  at: number,
): Promise<void> {
  await skipAll(trx, digest, why, at);
  const parent = rowsOf(trx, 'posts', { digest }).select('id');
  const files = await transition(trx, ['queued', 'running'], 'skipped', { parent }, skippedFor(why))
    .returning('parent')
    .execute();
  const parents = files.flatMap((file) => file.parent ?? []);
  // Tells workers that run one of them.
  await trx
    .updateTable('posts')
    .set({ unwanted: why })
    .where('digest', '=', digest)
    .where(({ or }) =>
      or([having<'posts'>({ state: 'skipped', error_code: why }), having<'posts'>({ id: parents })]),
    )
    .execute();
}

/** Restarts a changed digest's claimed runs that are not being posted yet. */
export async function restartRunning(trx: Trx, digest: string): Promise<void> {
  // Ready at once, even if the clock went back since.
  const set = { ready_at: 0, lease_until: null, attempts: minusOne('attempts') };
  const begun = await transition(trx, ['running'], 'queued', { digest }, set).returning('id').execute();
  await skipUnwanted(
    trx,
    begun.map(({ id }) => id),
  );
}
