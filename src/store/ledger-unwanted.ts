import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.js';

/** Why nobody wants a run any more that is at work. */
export type Unwanted = 'superseded' | 'by-hand' | 'deleted' | 'owner-erased';

/**
 * Of runs that have just begun to wait again, leaves out those that nobody wants any more. Where later ones take their
 * place, the latest of them says that they were missed.
 */
export async function leaveOutUnwanted(trx: Transaction<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const left = await trx
    .updateTable('digest_runs')
    .set((eb) => ({
      state: 'skipped',
      error_code: eb.ref('unwanted'),
      reason: null,
      ready_at: null,
    }))
    .where('id', 'in', ids)
    .where('state', '=', 'due')
    .where('unwanted', 'is not', null)
    .returning(['digest', 'due_at', 'error_code'])
    .execute();
  for (const { digest, due_at, error_code } of left) {
    if (error_code === 'superseded') await countMissed(trx, digest, due_at);
  }
}

async function countMissed(trx: Transaction<Tables>, digest: string, dueAt: number): Promise<void> {
  const latest = trx
    .selectFrom('digest_runs')
    .select('id')
    .where('digest', '=', digest)
    .where('due_at', '>', dueAt)
    .where('state', 'in', ['due', 'claimed', 'running'])
    .orderBy('due_at', 'desc')
    .limit(1);
  await trx
    .updateTable('digest_runs')
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
  const left = { state: 'skipped', error_code: why, reason: null, finished_at: at } as const;
  await trx
    .updateTable('digest_runs')
    .set({ ...left, ready_at: null, lease_until: null })
    .where('digest', '=', digest)
    .where('state', 'in', ['due', 'claimed', 'running'])
    .execute();
  await trx
    .updateTable('digest_runs')
    .set({ unwanted: why, finished_at: at })
    .where('digest', '=', digest)
    .where('state', '=', 'posting')
    .execute();
}

/** A digest is not what it was when its runs began: those that are not being posted yet begin anew. */
export async function beginAnew(trx: Transaction<Tables>, digest: string): Promise<void> {
  const begun = await trx
    .updateTable('digest_runs')
    .set((eb) => ({
      state: 'due',
      // They were ready before, whatever the clock says by now.
      ready_at: 0,
      lease_until: null,
      attempts: eb('attempts', '-', 1),
    }))
    .where('digest', '=', digest)
    .where('state', 'in', ['claimed', 'running'])
    .returning('id')
    .execute();
  await leaveOutUnwanted(
    trx,
    begun.map(({ id }) => id),
  );
}
