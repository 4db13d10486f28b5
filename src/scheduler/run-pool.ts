import { recordUnsentEvidence } from '../access/record.js';
import type { DigestRun } from '../digests/digest.js';
import { partsFor } from '../logging/logger.js';
import type { DigestContext } from './notifications.js';
import type { DigestParts } from './ports.js';
import { processRun, reportRunEnd } from './process-run.js';

/**
 * How long a run stays claimed without a heartbeat of its worker. Short, because a run waits for its end if the connection
 * to the database broke before the worker heard that it had claimed the run, or could say how it ended.
 */
export const leaseMs = 15_000;

/** One run per channel at a time. The service client has its own limits. */
const maxParallelRuns = 24;
const maxParallelProbes = 3;

/** While all runs are in use, claims wait until this many have ended, because each claim sorts what waits. */
const minClaim = 4;

/** How long to claim in plain order after no owner without a run in progress was found. */
const ownersAgainMs = 1_000;

/** The runs in progress in this process. `ended` is called after each run. */
export function runPool(context: DigestContext, ended: () => void) {
  const { parts, rateLimiter, outages, signal } = context;
  const { worker } = parts;
  const active = new Map<string, { readonly channel: string; readonly done: Promise<void> }>();
  let nextOwnersAt = Number.NEGATIVE_INFINITY;

  /** Returns the number of runs started. */
  async function claim(limit: number, deferred: readonly string[], now: number, skipBusyOwners = false) {
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
    for (const run of runs) active.set(run.id, { channel: run.channel, done: runToEnd(run) });
    return runs.length;
  }

  async function runToEnd(run: DigestRun): Promise<void> {
    const own = { ...context, parts: partsFor(run.id, parts) };
    try {
      await processRun(run, own);
      // If only the file was missing, the end of the run was reported before.
      if (run.state !== 'posted') await reportRunEnd(run.id, own.parts);
    } finally {
      active.delete(run.id);
      if (active.size <= maxParallelRuns - minClaim) ended();
    }
  }

  /** Owners take turns, so that one with thousands of runs does not delay another with one. */
  async function claimForOtherOwners(deferred: readonly string[], now: () => number) {
    if (active.size === 0 || parts.monotonic() < nextOwnersAt) return;
    while (active.size < maxParallelRuns) {
      if ((await claim(maxParallelRuns - active.size, deferred, now(), true)) > 0) continue;
      nextOwnersAt = parts.monotonic() + ownersAgainMs;
      return;
    }
  }

  /** Repeats, because many runs of one channel fill a claim until that channel is busy. */
  async function claimAll(deferred: readonly string[], now: () => number) {
    while ((await claim(maxParallelRuns - active.size, deferred, now())) > 0);
  }

  return {
    ids: () => [...active.keys()],

    async claimDue(now: () => number) {
      const may = outages.mayRun();
      if (may === 'one' && active.size < maxParallelProbes) await claim(1, [], now());
      if (may !== 'all') return;
      // Channels that wait for their next post come last.
      const deferred = rateLimiter.waitingChannels();
      await claimForOtherOwners(deferred, now);
      await claimAll(deferred, now);
      if (deferred.length > 0) await claimAll([], now);
    },

    /** Resolves when all runs in progress have ended. */
    done: () => Promise.allSettled([...active.values()].map(({ done }) => done)),
  };
}

/**
 * Reclaims runs without a worker: those of other processes, which have ended because this one leads, and those of this
 * process that were left without an end. Evidence that one of them made, and nobody was sent, gets its event.
 *
 * @param active runs in progress in this process
 * @returns the runs whose delivery is now unconfirmed
 */
export async function reclaimRuns(
  {
    store,
    worker,
    log,
  }: Pick<DigestParts, 'worker' | 'log'> & {
    readonly store: Pick<DigestParts['store'], 'ledger' | 'events'>;
  },
  active: readonly string[],
  now: number,
): Promise<readonly DigestRun[]> {
  const unknown: DigestRun[] = [];
  for (const { worker: name, until } of await store.ledger.leaseHolders()) {
    const expired = name === worker;
    if (expired && until >= now) continue;
    for (const run of await store.ledger.reclaim({ name, expired }, active, now)) {
      if (run.fileState !== 'queued') unknown.push(run);
      else await recordUnsentEvidence({ post: run.id, from: run.dueAt }, store.events, now, log);
    }
  }
  return unknown;
}
