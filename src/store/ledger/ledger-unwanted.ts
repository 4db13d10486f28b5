import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../tables.js';
import { moving } from './posts.js';

/** Why nobody wants a run any more that is at work. */
export type Unwanted = 'superseded' | 'by-hand' | 'deleted' | 'owner-erased';

/**
 * Of runs that have just begun to wait again, leaves out those that nobody wants any more. Where later ones take their
 * place, the latest of them says that they were missed.
 */
export async function leaveOutUnwanted(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const left = await moving(trx, ['queued'], 'skipped')
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

/** Nothing of a digest is to be posted any more: what waits or is being made ends, what is being posted is not repeated. */
export async function endWaiting(
  trx: Kysely<Tables>,
  digest: string,
  why: Exclude<Unwanted, 'superseded'>,
  at: number,
): Promise<void> {
  const left = { error_code: why, reason: null, finished_at: at } as const;
  await moving(trx, ['queued', 'running'], 'skipped')
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

/** A digest is not what it was when its runs began: those that are not being posted yet begin anew. */
export async function beginAnew(trx: Transaction<Tables>, digest: string): Promise<void> {
  const begun = await moving(trx, ['running'], 'queued')
    .set((eb) => ({
      // They were ready before, whatever the clock says by now.
      ready_at: 0,
      lease_until: null,
      attempts: eb('attempts', '-', 1),
    }))
    .where('digest', '=', digest)
    .returning('id')
    .execute();
  await leaveOutUnwanted(
    trx,
    begun.map(({ id }) => id),
  );
}
