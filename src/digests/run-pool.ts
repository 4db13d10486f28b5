import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { DigestRun } from './digest.js';
import type { DigestParts } from './ports.js';
import { processRun, type RunContext, reportRunEnd } from './process-run.js';

/** The runs that this process works on. */
export interface RunPool {
  ids(): readonly string[];
  /** Takes on what waits, as much as there is room for. */
  claimDue(now: () => number): Promise<void>;
  /** Resolves when all of them have ended. */
  done(): Promise<unknown>;
}

/** How long a run stays claimed without a heartbeat of its worker. */
export const leaseMs = 120_000;

/** Runs under way at once, each for another channel. The service's own limits are kept elsewhere. */
const maxParallelRuns = 24;
/** Trials under way at once, where the service does not answer at all. */
const maxParallelProbes = 3;

/** @param ended told each time that there is room for another one */
export function runPool(context: RunContext, ended: () => void): RunPool {
  const { parts, worker, rateLimiter, outages, signal } = context;
  const atWork = new Map<string, { readonly channel: string; readonly done: Promise<void> }>();

  /** Begins so many at most. Returns how many. */
  async function claim(limit: number, resting: readonly string[], now: number): Promise<number> {
    if (limit <= 0 || signal.aborted) return 0;
    const busy = [...atWork.values()].map(({ channel }) => channel);
    const busyChannels = [...new Set([...busy, ...resting])];
    const runs = await parts.store.ledger.claim({ worker, now, leaseMs, limit, busyChannels });
    if (runs.length > 0) outages.started('run');
    for (const run of runs) begin(run);
    return runs.length;
  }

  function begin(run: DigestRun) {
    const done = workOn(run).finally(() => {
      atWork.delete(run.id);
      ended();
    });
    atWork.set(run.id, { channel: run.channel, done });
  }

  async function workOn(run: DigestRun): Promise<void> {
    // The end of a run of which only the file was missing was told before.
    const isFileAlone = run.state === 'posted';
    await processRun(run, context);
    if (!isFileAlone) await reportRunEnd(run.id, parts);
  }

  /** Again and again: the very many of one channel hide those of others, until it is busy. */
  async function claimAll(resting: readonly string[], now: () => number): Promise<void> {
    while ((await claim(maxParallelRuns - atWork.size, resting, now())) > 0);
  }

  return {
    ids: () => [...atWork.keys()],

    async claimDue(now) {
      const may = outages.mayRun();
      if (may === 'one' && atWork.size < maxParallelProbes) await claim(1, [], now());
      if (may !== 'all') return;
      // A channel that has to wait for its next post takes nobody's place.
      const resting = rateLimiter.waitingChannels();
      await claimAll(resting, now);
      if (resting.length > 0) await claimAll([], now);
    },

    done: () => Promise.allSettled([...atWork.values()].map(({ done }) => done)),
  };
}

/** Takes runs from those who will not finish them. */
export interface DeadWorkers {
  /**
   * @param atWork runs that are under way here
   * @returns the runs of which nobody knows now whether they arrived
   */
  reclaimRuns(atWork: readonly string[], now: number): Promise<readonly DigestRun[]>;
}

/**
 * A lease that has run out by the clock says little by itself: the clock may have jumped. Whoever is alive renews it
 * within this time, in real milliseconds, and it is only taken from those who did not.
 */
const expiredLeaseGraceMs = 40_000;

/** @param monotonic monotonic milliseconds */
export function deadWorkers(
  { store, monotonic }: Pick<DigestParts, 'store' | 'monotonic'>,
  stateOf: (worker: string) => WorkerState,
): DeadWorkers {
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
    if (state === 'self') return true;
    const seen = overdue.get(worker);
    if (seen?.until !== until) overdue.set(worker, { until, since: monotonic() });
    return seen?.until === until && monotonic() - seen.since >= expiredLeaseGraceMs;
  }

  return {
    async reclaimRuns(atWork, now) {
      const unknown: DigestRun[] = [];
      const holders = await store.ledger.leaseHolders();
      for (const worker of overdue.keys()) {
        if (!holders.some((holder) => holder.worker === worker)) overdue.delete(worker);
      }
      for (const { worker, until } of holders) {
        if (!isLost(worker, until, now)) continue;
        const expired = stateOf(worker) !== 'dead';
        unknown.push(...(await store.ledger.reclaim({ name: worker, expired }, atWork, now)));
      }
      return unknown;
    },
  };
}

/** The name under which this process holds runs: no other process ever has the same. */
export function workerName(): string {
  return `${hostname()}:${process.pid}:${randomUUID()}`;
}

export type WorkerState = 'self' | 'dead' | 'unknown';

/**
 * Says what is known of each worker. Dead is one of this machine whose process is not there any more, or that had this
 * very process number. Nobody is surely alive: its number may be another program's by now, and the processes of other
 * machines are not seen here.
 */
export function workerStates(
  own: string,
  isRunning: (pid: number) => boolean,
): (worker: string) => WorkerState {
  return (worker) => {
    if (worker === own) return 'self';
    const [host, pid] = worker.split(':');
    if (host !== hostname()) return 'unknown';
    return Number(pid) !== process.pid && isRunning(Number(pid)) ? 'unknown' : 'dead';
  };
}
