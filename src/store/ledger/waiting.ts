import type { Kysely, Transaction } from 'kysely';
import type { SkipReason } from '../../posts/states.js';
import type { Tables } from '../schema.js';
import { transition } from './posts.js';

/** Small batches keep write locks short. */
const batchSize = 200;

export function waitingRunsIn(db: Kysely<Tables>) {
  return {
    /**
     * Owners of digests with waiting runs.
     *
     * @param maxRuns looks at the first of that many runs, rounded up; absent: all
     */
    async waitingOwners(maxRuns: number = Number.POSITIVE_INFINITY) {
      const owners = new Set<string>();
      let after: PagePosition | undefined = { ready_at: 0, dedupe_key: '', id: '' };
      for (let seen = 0; after && seen < maxRuns; seen += batchSize) {
        const page: readonly WaitingRow[] = await waitingAfter(db, after);
        for (const { owner } of page) if (owner !== null) owners.add(owner);
        after = page.length < batchSize ? undefined : page.at(-1);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return [...owners];
    },

    /**
     * Makes waiting runs ready now, in the order of their due times.
     *
     * @param from only runs that would wait longer than this; absent: all
     */
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
        await new Promise((resolve) => setImmediate(resolve));
      }
    },

    /** Skips a digest's runs that are not being posted yet, because it was paused or deleted. */
    skipWaiting: (digest: string, why: 'by-hand' | 'deleted', at: number) =>
      db.transaction().execute((trx) => skipAll(trx, digest, why, at)),
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

async function waitingAfter(db: Kysely<Tables>, { ready_at, dedupe_key, id }: PagePosition) {
  const rows = await db
    .selectFrom('posts')
    // A file has no digest of its own: its owner is found through its parent.
    .leftJoin('posts as parents', 'parents.id', 'posts.parent')
    .leftJoin('digests', (join) =>
      join.on(({ eb, fn, ref }) =>
        eb('digests.id', '=', fn.coalesce(ref('posts.digest'), ref('parents.digest'))),
      ),
    )
    .select(['posts.ready_at', 'posts.dedupe_key', 'posts.id', 'digests.owner'])
    .where('posts.ready_at', 'is not', null)
    .$narrowType<{ ready_at: number }>()
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('posts.ready_at', 'posts.dedupe_key', 'posts.id'), '>', tuple(ready_at, dedupe_key, id)),
    )
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
export async function skipUnwanted(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const left = await transition(trx, ['queued'], 'skipped')
    .set((eb) => ({
      error_code: eb.ref('unwanted'),
      reason: null,
      ready_at: null,
    }))
    .where('id', 'in', ids)
    .where('unwanted', 'is not', null)
    .returning(['digest', 'due_at', 'error_code'])
    .execute();
  for (const { digest, due_at, error_code } of left) {
    if (digest !== null && error_code === 'superseded') await countMissed(trx, digest, due_at);
  }
}

async function countMissed(trx: Transaction<Tables>, digest: string, dueAt: number): Promise<void> {
  const latest = trx
    .selectFrom('posts')
    .select('id')
    .where('digest', '=', digest)
    .where('due_at', '>', dueAt)
    .where('state', 'in', ['queued', 'running'])
    .orderBy('due_at', 'desc')
    .limit(1);
  await trx
    .updateTable('posts')
    .set((eb) => ({ missed: eb('missed', '+', 1) }))
    .where('id', 'in', latest)
    .execute();
}

/** Skips a digest's open runs. A run that is being posted continues, but it is not tried again. */
export async function skipAll(
  trx: Kysely<Tables>,
  digest: string,
  why: Exclude<SkipReason, 'superseded'>,
  at: number,
): Promise<void> {
  const left = { error_code: why, reason: null, finished_at: at } as const;
  await transition(trx, ['queued', 'running'], 'skipped')
    .set({ ...left, ready_at: null, lease_until: null })
    .where('digest', '=', digest)
    .execute();
  await trx
    .updateTable('posts')
    .set({ unwanted: why, finished_at: at })
    .where('digest', '=', digest)
    .where('state', '=', 'posting')
    .execute();
}

/** Skips a digest's open runs and the files that are not being shared yet, because they show what was erased. */
export async function endDigestRuns(
  trx: Kysely<Tables>,
  digest: string,
  why: Extract<SkipReason, 'owner-erased' | 'person-erased'>,
  at: number,
): Promise<void> {
  await skipAll(trx, digest, why, at);
  const runs = trx.selectFrom('posts').select('id').where('digest', '=', digest);
  const files = await transition(trx, ['queued', 'running'], 'skipped')
    .set({ error_code: why, reason: null, ready_at: null, lease_until: null })
    .where('parent', 'in', runs)
    .returning('parent')
    .execute();
  const parents = files.flatMap(({ parent }) => parent ?? []);
  // Tells workers that have one of them in hand.
  await trx
    .updateTable('posts')
    .set({ unwanted: why })
    .where('digest', '=', digest)
    .where(({ eb, or, and }) =>
      or([and([eb('state', '=', 'skipped'), eb('error_code', '=', why)]), eb('id', 'in', parents)]),
    )
    .execute();
}

/** Restarts a changed digest's claimed runs that are not being posted yet. */
export async function restartRunning(trx: Transaction<Tables>, digest: string): Promise<void> {
  const begun = await transition(trx, ['running'], 'queued')
    .set((eb) => ({
      // Ready at once, even if the clock went back since.
      ready_at: 0,
      lease_until: null,
      attempts: eb('attempts', '-', 1),
    }))
    .where('digest', '=', digest)
    .returning('id')
    .execute();
  await skipUnwanted(
    trx,
    begun.map(({ id }) => id),
  );
}
