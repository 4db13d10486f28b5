import type { DigestRun } from './digest.js';
import type { DigestParts } from './ports.js';
import type { WorkerState } from './worker.js';

/** Takes runs from those who will not finish them. */
export interface LostWorkers {
  /**
   * @param atWork runs that are under way here
   * @returns the runs of which nobody knows now whether they arrived
   */
  takeFromThem(atWork: readonly string[], now: number): Promise<readonly DigestRun[]>;
}

/**
 * A lease that has run out by the clock says little by itself: the clock may have jumped. Whoever is alive renews it
 * within this time, in real milliseconds, and it is only taken from those who did not.
 */
const patience = 40_000;

/** @param monotonic milliseconds of a clock that nobody moves */
export function lostWorkers(
  { store, monotonic }: Pick<DigestParts, 'store' | 'monotonic'>,
  stateOf: (worker: string) => WorkerState,
): LostWorkers {
  /** Leases that have run out, by worker: until when each was, and since when that is seen. */
  const overdue = new Map<string, { readonly until: number; readonly since: number }>();

  function isLost(worker: string, until: number, now: number): boolean {
    const state = stateOf(worker);
    if (state === 'dead') return true;
    if (until >= now) {
      overdue.delete(worker);
      return false;
    }
    // What it is at work on is left out anyway.
    if (state === 'this one') return true;
    const seen = overdue.get(worker);
    if (seen?.until !== until) overdue.set(worker, { until, since: monotonic() });
    return seen?.until === until && monotonic() - seen.since >= patience;
  }

  return {
    async takeFromThem(atWork, now) {
      const unknown: DigestRun[] = [];
      const holders = await store.ledger.holders();
      for (const worker of overdue.keys()) {
        if (!holders.some((holder) => holder.worker === worker)) overdue.delete(worker);
      }
      for (const { worker, until } of holders) {
        if (!isLost(worker, until, now)) continue;
        const expired = stateOf(worker) !== 'dead';
        unknown.push(...(await store.ledger.takeFrom({ name: worker, expired }, atWork, now)));
      }
      return unknown;
    },
  };
}
