import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { withLogId } from '../logging/log-id.js';
import type { DigestRun } from './digest.js';
import type { DigestParts } from './ports.js';
import { processRun, type RunContext, reportRunEnd } from './process-run.js';

/** The runs in progress in this process. */
export interface RunPool {
  ids(): readonly string[];
  /** Claims due runs, up to the limit of parallel runs. */
  claimDue(now: () => number): Promise<void>;
  /** Resolves when all runs in progress have ended. */
  done(): Promise<unknown>;
}

/** How long a run stays claimed without a heartbeat of its worker. */
export const leaseMs = 120_000;

/** One run per channel at a time. The service client has its own limits. */
const maxParallelRuns = 24;
const maxParallelProbes = 3;

/** While all runs are in use, claims wait until this many have ended, because each claim sorts what waits. */
const minClaim = 4;

/** How long to claim in plain order after no owner without a run in progress was found. */
const ownersAgainMs = 1_000;

/** @param ended called after each run */
export function runPool(context: RunContext, ended: () => void): RunPool {
  const { parts, worker, rateLimiter, outages, signal } = context;
  const active = new Map<string, { readonly channel: string; readonly done: Promise<void> }>();
  let nextOwnersAt = Number.NEGATIVE_INFINITY;

  /** Returns the number of runs started. */
  async function claim(
    limit: number,
    deferred: readonly string[],
    now: number,
    skipBusyOwners = false,
  ): Promise<number> {
    if (limit <= 0 || signal.aborted) return 0;
    const busy = [...active.values()].map(({ channel }) => channel);
    const busyChannels = [...new Set([...busy, ...deferred])];
    const runs = await parts.store.ledger.claim({
      worker,
      now,
      leaseMs,
      limit,
      busyChannels,
      skipBusyOwners,
    });
    if (runs.length > 0) outages.started('run');
    for (const run of runs) begin(run);
    return runs.length;
  }

  function begin(run: DigestRun) {
    const done = withLogId(run.id, () => execute(run)).finally(() => {
      active.delete(run.id);
      if (active.size <= maxParallelRuns - minClaim) ended();
    });
    active.set(run.id, { channel: run.channel, done });
  }

  async function execute(run: DigestRun): Promise<void> {
    // If only the file was missing, the end of the run was reported before.
    const isFileOnly = run.state === 'posted';
    await processRun(run, context);
    if (!isFileOnly) await reportRunEnd(run.id, parts);
  }

  /** Owners take turns, so that one with thousands of runs does not delay another with one. */
  async function claimForOtherOwners(deferred: readonly string[], now: () => number): Promise<void> {
    if (active.size === 0 || parts.monotonic() < nextOwnersAt) return;
    while (active.size < maxParallelRuns) {
      if ((await claim(maxParallelRuns - active.size, deferred, now(), true)) > 0) continue;
      nextOwnersAt = parts.monotonic() + ownersAgainMs;
      return;
    }
  }

  /** Repeats, because many runs of one channel fill a claim until that channel is busy. */
  async function claimAll(deferred: readonly string[], now: () => number): Promise<void> {
    while ((await claim(maxParallelRuns - active.size, deferred, now())) > 0);
  }

  return {
    ids: () => [...active.keys()],

    async claimDue(now) {
      const may = outages.mayRun();
      if (may === 'one' && active.size < maxParallelProbes) await claim(1, [], now());
      if (may !== 'all') return;
      // Channels that wait for their next post come last.
      const deferred = rateLimiter.waitingChannels();
      await claimForOtherOwners(deferred, now);
      await claimAll(deferred, now);
      if (deferred.length > 0) await claimAll([], now);
    },

    done: () => Promise.allSettled([...active.values()].map(({ done }) => done)),
  };
}

/** Reclaims runs of workers that died. */
export interface DeadWorkers {
  /**
   * @param activeIds runs in progress in this process
   * @returns the runs whose delivery is now unconfirmed
   */
  reclaimRuns(activeIds: readonly string[], now: number): Promise<readonly DigestRun[]>;
}

/**
 * An expired lease alone proves little, because the clock may have jumped. A live worker renews its lease within this
 * time, in monotonic milliseconds.
 */
const expiredLeaseGraceMs = 40_000;

/** @param monotonic monotonic milliseconds */
export function deadWorkers(
  { store, monotonic }: Pick<DigestParts, 'store' | 'monotonic'>,
  stateOf: (worker: string) => WorkerState,
): DeadWorkers {
  /** Expired leases by worker: `until` in epoch milliseconds, `since` in monotonic milliseconds. */
  const overdue = new Map<string, { readonly until: number; readonly since: number }>();

  function isDead(worker: string, until: number, now: number): boolean {
    const state = stateOf(worker);
    if (state === 'dead') return true;
    if (until >= now) {
      overdue.delete(worker);
      return false;
    }
    // The ledger excludes runs in progress.
    if (state === 'self') return true;
    const seen = overdue.get(worker);
    if (seen?.until !== until) overdue.set(worker, { until, since: monotonic() });
    return seen?.until === until && monotonic() - seen.since >= expiredLeaseGraceMs;
  }

  return {
    async reclaimRuns(activeIds, now) {
      const unknown: DigestRun[] = [];
      const holders = await store.ledger.leaseHolders();
      for (const worker of overdue.keys()) {
        if (!holders.some((holder) => holder.worker === worker)) overdue.delete(worker);
      }
      for (const { worker, until } of holders) {
        if (!isDead(worker, until, now)) continue;
        const expired = stateOf(worker) !== 'dead';
        unknown.push(...(await store.ledger.reclaim({ name: worker, expired }, activeIds, now)));
      }
      return unknown;
    },
  };
}

/** Unique among all processes that ever use the database. */
export function workerName(): string {
  return `${hostname()}:${process.pid}:${randomUUID()}`;
}

export type WorkerState = 'self' | 'dead' | 'unknown';

/**
 * Returns what is known of a worker. A worker of this host is dead if its process has ended, or if it had the process ID
 * of this process. No worker is known to be alive: another program may have its process ID, and other hosts are invisible.
 */
export function workerStates(
  own: string,
  others: 'ended' | ((pid: number) => boolean),
): (worker: string) => WorkerState {
  return (worker) => {
    if (worker === own) return 'self';
    if (others === 'ended') return 'dead';
    const [host, pid] = worker.split(':');
    if (host !== hostname()) return 'unknown';
    return Number(pid) !== process.pid && others(Number(pid)) ? 'unknown' : 'dead';
  };
}
