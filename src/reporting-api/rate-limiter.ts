import { Failure } from '../errors/failure.js';
import {
  createQueryQueue,
  isInBackground,
  minute,
  type QueuedQuery,
  type RateLimits,
} from './query-queue.js';

/** The permission to send one request. */
export interface Permit {
  /** Call it when the service begins to answer. */
  answerBegan(): void;
  /** Call it when the request ends, successful or not. */
  release(): void;
}

interface WaitOptions {
  readonly signal: AbortSignal;
  /**
   * Called once when the wait is known to be longer than a minute, with the remaining milliseconds; undefined if the
   * wait only depends on how long other queries take.
   */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
  /** Called once when a query of a person or a digest waits for this one, which is in the background. */
  readonly onOthersWait?: (() => void) | undefined;
}

/** Limits the requests to the service. Each attempt of a request needs a permit. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

interface Waiter extends Pick<WaitOptions, 'onWait'> {
  readonly enteredAt: number;
  readonly grant: () => void;
  readonly expire: () => void;
}

/** Creates a rate limiter. It has a timer only while requests wait. */
export function createRateLimiter(limits: RateLimits, timers: MonotonicClock) {
  const queue = createQueryQueue(limits);
  const waiters = new Map<QueuedQuery, Waiter>();
  /** Requests whose `onWait` is still to be called, oldest first. */
  const notNotified = new Set<QueuedQuery>();
  /** Queries in the background that run, and what tells them that others wait. */
  const inBackground = new Map<QueuedQuery, () => void>();
  let running = 0;
  let cancelTimer = () => {};

  return {
    /** Requests with a permit, and those that wait for one. */
    lengths: () => ({ running, waiting: waiters.size }),
    /**
     * Resolves when a request may be sent.
     *
     * @throws `cancelled` on abort, and the error of `ifExpired` when a retry is too late
     */
    acquire(query: QueuedQuery, options: WaitOptions, ifExpired?: unknown): Promise<Permit> {
      const { signal, onWait, onOthersWait } = options;
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(cancelledBy(signal));
        const end = () => {
          waiters.delete(query);
          notNotified.delete(query);
          signal.removeEventListener('abort', cancel);
        };
        const grant = () => {
          end();
          if (onOthersWait) inBackground.set(query, onOthersWait);
          resolve(permitFor(query));
        };
        const expire = () => {
          end();
          reject(ifExpired);
        };
        const cancel = () => {
          queue.remove(query);
          end();
          reject(cancelledBy(signal));
          grantPermits();
        };
        signal.addEventListener('abort', cancel, { once: true });
        queue.add(query);
        if (onWait) notNotified.add(query);
        waiters.set(query, { enteredAt: timers.now(), onWait, grant, expire });
        grantPermits();
        notifyLongWaits([query]);
      });
    },
    /** Grants no permits for that long. */
    pauseFor(milliseconds: number): void {
      queue.pauseUntil(timers.now() + milliseconds);
      grantPermits();
      notifyLongWaits(notNotified);
    },
  };

  function grantPermits() {
    cancelTimer();
    const now = timers.now();
    for (const expired of queue.takeExpired(now)) waiters.get(expired)?.expire();
    for (let next = queue.takeNext(now); next; next = queue.takeNext(now)) waiters.get(next)?.grant();
    if ([...waiters.keys()].some((query) => !isInBackground(query))) tellBackground();
    const wakeAt = Math.min(queue.wakeAt(now) ?? Number.POSITIVE_INFINITY, nextNotification());
    cancelTimer = Number.isFinite(wakeAt) ? timers.schedule(wakeAt - now, wake) : () => {};
  }

  /** Later, because it may cancel the query, which grants permits. */
  function tellBackground() {
    for (const onOthersWait of inBackground.values()) queueMicrotask(onOthersWait);
    inBackground.clear();
  }

  function wake() {
    notifyOverdueWaits();
    grantPermits();
  }

  function permitFor(query: QueuedQuery): Permit {
    running += 1;
    let isReleased = false;
    return {
      answerBegan() {
        queue.answerBegan(query, timers.now());
        // From now on it is known when this request stops counting.
        grantPermits();
      },
      release() {
        if (!isReleased) running -= 1;
        isReleased = true;
        inBackground.delete(query);
        queue.finish(query, timers.now());
        grantPermits();
      },
    };
  }

  function enteredAt(query: QueuedQuery): number {
    return waiters.get(query)?.enteredAt ?? Number.POSITIVE_INFINITY;
  }

  function nextNotification(): number {
    const [first] = notNotified;
    return first ? enteredAt(first) + minute : Number.POSITIVE_INFINITY;
  }

  /** Calls `onWait` for requests that are already known to wait long. */
  function notifyLongWaits(queries: Iterable<QueuedQuery>) {
    for (const query of queries) {
      if (!notNotified.has(query)) continue;
      const wait = queue.minWaitMs(query, timers.now());
      if (wait > minute) notify(query, wait);
    }
  }

  /** Calls `onWait` for requests that have waited a minute. */
  function notifyOverdueWaits() {
    const now = timers.now();
    for (const query of notNotified) {
      if (enteredAt(query) + minute > now) return;
      notify(query, queue.minWaitMs(query, now) || undefined);
    }
  }

  function notify(query: QueuedQuery, milliseconds: number | undefined) {
    notNotified.delete(query);
    waiters.get(query)?.onWait?.(milliseconds);
  }
}

function cancelledBy(signal: AbortSignal): Failure {
  return new Failure('cancelled', { cause: signal.reason });
}

/** Real time, for limits, timeouts and retries. The program's clock can be moved; this one cannot. */
export interface MonotonicClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls back once after that many milliseconds. Returns a function that cancels it. */
  schedule(milliseconds: number, call: () => void): () => void;
}

/** The longest delay of `setTimeout`. */
const maxTimerMs = 2 ** 31 - 1;

export const systemMonotonicClock: MonotonicClock = {
  now: () => performance.now(),
  schedule(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.ceil(milliseconds), maxTimerMs));
    return () => clearTimeout(timer);
  },
};
