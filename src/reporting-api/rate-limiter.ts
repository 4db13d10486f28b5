import { Failure } from '../errors/failure.js';
import {
  createQueryQueue,
  isInBackground,
  minute,
  type QueuedQuery,
  type RateLimits,
  type Ticket,
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
export interface RateLimiter {
  /**
   * Resolves when a request may be sent.
   *
   * @throws `cancelled` on abort, and the error of `ifExpired` when a retry is too late
   */
  acquire(entrant: QueuedQuery, options: WaitOptions, ifExpired?: unknown): Promise<Permit>;
  /** Grants no permits for that long. */
  pauseFor(milliseconds: number): void;
  now(): number;
  /** Requests with a permit, and those that wait for one. */
  lengths(): { readonly running: number; readonly waiting: number };
}

interface Waiter {
  readonly settle: (outcome: { pass: Permit } | { failure: unknown }) => void;
  readonly ifExpired: unknown;
  readonly tell: WaitOptions['onWait'];
  readonly onOthersWait: WaitOptions['onOthersWait'];
}

/** Creates a rate limiter. It has a timer only while requests wait. */
export function createRateLimiter(limits: RateLimits, timers: MonotonicClock): RateLimiter {
  const queue = createQueryQueue(limits);
  const waiters = new Map<Ticket, Waiter>();
  /** Requests whose `onWait` is still to be called, oldest first. */
  const notNotified = new Set<Ticket>();
  /** Queries in the background that run, and what tells them that others wait. */
  const inBackground = new Map<Ticket, () => void>();
  let running = 0;
  let cancelTimer = () => {};

  return {
    now: timers.now,
    lengths: () => ({ running, waiting: waiters.size }),
    acquire: (entrant, { signal, onWait, onOthersWait }, ifExpired) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(cancelledBy(signal));
        const ticket = queue.add(entrant, timers.now());
        const cancel = () => {
          queue.remove(ticket);
          waiters.get(ticket)?.settle({ failure: cancelledBy(signal) });
          grantPermits();
        };
        signal.addEventListener('abort', cancel, { once: true });
        if (onWait) notNotified.add(ticket);
        waiters.set(ticket, {
          ifExpired,
          tell: onWait,
          onOthersWait,
          settle(outcome) {
            waiters.delete(ticket);
            notNotified.delete(ticket);
            signal.removeEventListener('abort', cancel);
            if ('pass' in outcome) resolve(outcome.pass);
            else reject(outcome.failure);
          },
        });
        grantPermits();
        notifyLongWaits([ticket]);
      }),
    pauseFor(milliseconds) {
      queue.pauseUntil(timers.now() + milliseconds);
      grantPermits();
      notifyLongWaits(notNotified);
    },
  };

  function grantPermits() {
    cancelTimer();
    const now = timers.now();
    for (const ticket of queue.takeExpired(now)) {
      const waiter = waiters.get(ticket);
      waiter?.settle({ failure: waiter.ifExpired });
    }
    for (let next = queue.takeNext(now); next; next = queue.takeNext(now)) {
      const waiter = waiters.get(next);
      if (waiter?.onOthersWait) inBackground.set(next, waiter.onOthersWait);
      waiter?.settle({ pass: permitFor(next) });
    }
    if ([...waiters.keys()].some((ticket) => !isInBackground(ticket))) tellBackground();
    const wakeAt = Math.min(queue.wakeAt(now) ?? Number.POSITIVE_INFINITY, nextNotification());
    cancelTimer = Number.isFinite(wakeAt) ? timers.schedule(wakeAt - now, wake) : () => {};
  }

  /** Later, because it may cancel the query, which grants permits. */
  function tellBackground() {
    for (const [ticket, onOthersWait] of inBackground) {
      inBackground.delete(ticket);
      queueMicrotask(onOthersWait);
    }
  }

  function wake() {
    notifyOverdueWaits();
    grantPermits();
  }

  function permitFor(ticket: Ticket): Permit {
    running += 1;
    let isReleased = false;
    return {
      answerBegan() {
        queue.answerBegan(ticket, timers.now());
        // From now on it is known when this request stops counting.
        grantPermits();
      },
      release() {
        if (!isReleased) running -= 1;
        isReleased = true;
        inBackground.delete(ticket);
        queue.finish(ticket, timers.now());
        grantPermits();
      },
    };
  }

  function nextNotification(): number {
    const [first] = notNotified;
    return first ? first.enteredAt + minute : Number.POSITIVE_INFINITY;
  }

  /** Calls `onWait` for requests that are already known to wait long. */
  function notifyLongWaits(tickets: Iterable<Ticket>) {
    for (const ticket of tickets) {
      if (!notNotified.has(ticket)) continue;
      const wait = queue.minWaitMs(ticket, timers.now());
      if (wait > minute) tell(ticket, wait);
    }
  }

  /** Calls `onWait` for requests that have waited a minute. */
  function notifyOverdueWaits() {
    const now = timers.now();
    for (const ticket of notNotified) {
      if (ticket.enteredAt + minute > now) return;
      tell(ticket, queue.minWaitMs(ticket, now) || undefined);
    }
  }

  function tell(ticket: Ticket, milliseconds: number | undefined) {
    if (notNotified.delete(ticket)) waiters.get(ticket)?.tell?.(milliseconds);
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
