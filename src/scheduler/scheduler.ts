import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFailure } from '../errors/failure.js';
import { type Deadline, stopDeadline } from '../time/clock.js';
import { watchClock, watchClockChanges } from './clock-changes.js';
import { enterDue } from './enter-due.js';
import { sendNotifications } from './notifications.js';
import { schedulerFailed, watchOutages } from './outages.js';
import type { DigestParts } from './ports.js';
import { postRateLimiter } from './post-rate-limiter.js';
import { reportRunEnd } from './process-run.js';
import { leaseMs, reclaimRuns, runPool } from './run-pool.js';

const pollIntervalMs = 500;
const heartbeatIntervalMs = 5_000;
const reclaimIntervalMs = 5_000;
const postsPerSecond = 5;
/** One poll enters due runs for this long. After `maxEnterMs`, claiming starts even if some are not entered yet. */
const enterBudgetMs = 250;
const maxEnterMs = 2_000;

/** Owners are prepared this often, and when this many runs were entered. */
const prepareIntervalMs = 30_000;
const manyEntered = 30;
/** Owners of more runs are not prepared together. */
const maxRunsPrepared = 20_000;

export function digestScheduler(parts: DigestParts) {
  const { store, clock, monotonic, log, worker } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every run in progress adds a listener.
  setMaxListeners(0, signal);
  const outages = watchOutages(parts, checkNow, signal);
  const rateLimiter = postRateLimiter(
    parts.postsPerSecond ?? postsPerSecond,
    monotonic,
    parts.channelPostIntervalMs,
    parts.isAsked,
  );
  const runs = runPool({ parts, rateLimiter, outages, signal }, checkNow);
  const watch = watchClock(() => clock.now());
  const clockChanges = watchClockChanges(parts, watch, signal);
  const never = Number.NEGATIVE_INFINITY;
  const last = { renewed: monotonic(), reclaimed: never, prepared: never };
  let enteringSince: number | undefined;
  /** Runs that were entered since owners were last prepared. */
  let unprepared = 0;
  let woken = new AbortController();
  let lastFailure: string | undefined;
  let sending: Promise<void> | undefined;

  function checkNow() {
    woken.abort();
  }

  let stopListening = () => {};
  let done: Promise<void> | undefined;

  async function pollUntilStopped() {
    await outages.load().catch(logError);
    while (!signal.aborted) {
      woken = new AbortController();
      await poll().then(pollSucceeded, pollFailed);
      // The sleep rejects when it is woken.
      if (!signal.aborted)
        await sleep(parts.pollIntervalMs ?? pollIntervalMs, undefined, woken).catch(() => {});
    }
  }

  function logError(error: unknown) {
    log.error({ err: error }, schedulerFailed);
  }

  /** A full disk fails every poll, so one line says it until a poll succeeds. */
  function pollFailed(error: unknown) {
    const known = isFailure(error) ? error.message : undefined;
    if (known === undefined || known !== lastFailure) logError(error);
    lastFailure = known;
  }

  function pollSucceeded() {
    if (lastFailure !== undefined) log.info({ failure: lastFailure }, 'The digest scheduler works again');
    lastFailure = undefined;
  }

  async function poll() {
    const now = watch.now();
    clockChanges.check();
    if (monotonic() - last.renewed >= heartbeatIntervalMs) {
      last.renewed = monotonic();
      await store.ledger.renewLeases(runs.ids(), worker, now + leaseMs);
    }
    if (monotonic() - last.reclaimed >= reclaimIntervalMs) {
      last.reclaimed = monotonic();
      const unknown = await reclaimRuns(parts, runs.ids(), now);
      for (const { id, state } of unknown) if (state === 'unknown') await reportRunEnd(id, parts);
    }
    const entered = await enterDue(parts, watch, enterBudgetMs, signal);
    outages.check();
    unprepared += entered.count;
    if (shouldClaim(entered.isComplete)) {
      await prepareOwners();
      await runs.claimDue(watch.now);
    }
    if (!entered.isComplete) checkNow();
    if (!sending && outages.mayNotify()) {
      sending = sendNotifications({ parts, outages, rateLimiter, signal })
        .catch((error) => {
          if (!signal.aborted) logError(error);
        })
        .finally(() => {
          sending = undefined;
        });
    }
  }

  /** Slack allows a hundred lookups of one person a minute, and three hundred posts. */
  async function prepareOwners() {
    const isTime = monotonic() - last.prepared >= prepareIntervalMs;
    if (!parts.prepareOwners || (!isTime && unprepared < manyEntered)) return;
    // During an outage, one run at a time shows when it is over.
    if (outages.mayRun() !== 'all') return;
    last.prepared = monotonic();
    unprepared = 0;
    parts.prepareOwners(await store.ledger.waitingOwners(maxRunsPrepared));
  }

  /** Equal runs share one query, so all due runs are entered before any starts. */
  function shouldClaim(isEntered: boolean): boolean {
    enteringSince = isEntered ? undefined : (enteringSince ?? monotonic());
    return enteringSince === undefined || monotonic() - enteringSince >= maxEnterMs;
  }

  return {
    start() {
      stopListening = clock.onJump(checkNow);
      done = pollUntilStopped();
    },
    checkNow,
    serviceAnswered: outages.serviceAnswered,
    tokenRefused: () => void outages.tokenRefused().catch(logError),
    outages: outages.open,
    /** Starts nothing new. Resolves when all work in progress has ended or was released, or at the deadline. */
    async stop(deadline: Deadline = stopDeadline()) {
      stopListening();
      stopping.abort();
      checkNow();
      const finish = async () => {
        await done;
        await Promise.allSettled([runs.done(), sending, outages.done(), clockChanges.done()]);
      };
      await deadline.waitFor(finish());
    },
  };
}

export type Scheduler = ReturnType<typeof digestScheduler>;
