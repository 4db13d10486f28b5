import { setMaxListeners } from 'node:events';
import { type Deadline, stopDeadline } from '../time/clock.js';
import { watchClock, watchClockChanges } from './clock-changes.js';
import { enterDue } from './enter-due.js';
import { sendNotifications } from './notifications.js';
import { type Outages, watchOutages } from './outages.js';
import type { DigestParts } from './ports.js';
import { postRateLimiter } from './post-rate-limiter.js';
import { reportRunEnd } from './process-run.js';
import { deadWorkers, leaseMs, runPool, workerName, workerStates } from './run-pool.js';
import { sharedReports } from './shared-reports.js';

/** What makes digests come by themselves. */
export interface Scheduler {
  /** Begins to look. */
  start(): void;
  /** Something may be due that was not a moment ago. */
  checkNow(): void;
  /** The service gave a good answer to somebody. */
  serviceAnswered(): void;
  outages(): ReturnType<Outages['open']>;
  /** Begins nothing more. Resolves when what is under way has ended or waits to be taken on again, or at the deadline. */
  stop(deadline?: Deadline): Promise<void>;
}

const lookIntervalMs = 500;
const heartbeatIntervalMs = 15_000;
const reclaimIntervalMs = 5_000;
const postsPerSecond = 5;
/** How long one look may enter what is due, and how long that may go before what was entered is begun. */
const enterBudgetMs = 250;
const maxEnterMs = 2_000;

export function digestScheduler(parts: DigestParts, isRunning: (pid: number) => boolean): Scheduler {
  const { store, clock, monotonic, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each run under way listens to it.
  setMaxListeners(0, signal);
  const worker = workerName();
  const lost = deadWorkers(parts, workerStates(worker, isRunning));
  const outages = watchOutages(parts, checkNow, signal);
  const shared = sharedReports(parts.files, monotonic);
  const rateLimiter = postRateLimiter(
    parts.postsPerSecond ?? postsPerSecond,
    monotonic,
    parts.channelPostIntervalMs,
  );
  const runs = runPool({ parts, worker, shared, rateLimiter, outages, signal }, checkNow);
  const watch = watchClock(() => clock.now());
  const forward = watchClockChanges(parts, watch, signal);
  const last = { renewed: monotonic(), lost: Number.NEGATIVE_INFINITY };
  let enteringSince: number | undefined;
  let wake = () => {};
  let isPoked = false;
  let telling: Promise<void> | undefined;

  function checkNow() {
    isPoked = true;
    wake();
  }

  let stopListening = () => {};
  let done: Promise<void> | undefined;

  async function lookAgainAndAgain() {
    await outages.load().catch(complain);
    while (!signal.aborted) {
      isPoked = false;
      await look().catch(complain);
      if (!isPoked && !signal.aborted) await rest();
    }
  }

  function complain(error: unknown) {
    log.error({ err: error }, 'The scheduler of digests had a problem, and goes on');
  }

  function rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, parts.lookIntervalMs ?? lookIntervalMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function look() {
    const now = watch.now();
    forward.check();
    if (monotonic() - last.renewed >= heartbeatIntervalMs) {
      last.renewed = monotonic();
      await store.ledger.renewLeases(runs.ids(), worker, now + leaseMs);
    }
    if (monotonic() - last.lost >= reclaimIntervalMs) {
      last.lost = monotonic();
      const unknown = await lost.reclaimRuns(runs.ids(), now);
      for (const { id, state } of unknown) if (state === 'unknown') await reportRunEnd(id, parts);
    }
    const isEntered = await enterDue(parts, watch, enterBudgetMs, signal);
    outages.check();
    if (isWorthBeginning(isEntered)) await runs.claimDue(watch.now);
    if (!isEntered) checkNow();
    if (!telling && outages.mayNotify()) {
      telling = sendNotifications({ parts, outages, rateLimiter, signal })
        .catch((error) => {
          if (!signal.aborted) complain(error);
        })
        .finally(() => {
          telling = undefined;
        });
    }
  }

  /** Equal questions that are due together are asked once, so that all of them are best entered before any is begun. */
  function isWorthBeginning(isEntered: boolean): boolean {
    enteringSince = isEntered ? undefined : (enteringSince ?? monotonic());
    return enteringSince === undefined || monotonic() - enteringSince >= maxEnterMs;
  }

  return {
    start() {
      stopListening = clock.onJump(checkNow);
      done = lookAgainAndAgain();
    },
    checkNow,
    serviceAnswered: () => void outages.serviceAnswered().catch(complain),
    outages: outages.open,
    async stop(deadline = stopDeadline()) {
      stopListening();
      stopping.abort();
      wake();
      const underWay = async () => {
        await done;
        await Promise.allSettled([runs.done(), telling, outages.done(), forward.done()]);
      };
      await deadline.waitFor(underWay());
      await shared.close();
    },
  };
}
