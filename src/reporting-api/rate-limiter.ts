import { Cancelled } from './errors.js';
import { createQueryQueue, minute, type QueuedQuery, type RateLimits, type Ticket } from './query-queue.js';

/** Leave to send one request. */
export interface Permit {
  /** To be called when the service begins to answer. */
  answerBegan(): void;
  /** To be called when the request is over, well or not. */
  release(): void;
}

interface WaitOptions {
  readonly signal: AbortSignal;
  /**
   * Called once when the wait is known to be longer than a minute, with the milliseconds still to wait; undefined
   * where that only depends on how long other questions take.
   */
  readonly onWait?: ((milliseconds: number | undefined) => void) | undefined;
}

/** Every request to the service goes through here, each try of it. */
export interface RateLimiter {
  /**
   * Resolves when a request may be sent.
   *
   * @throws Cancelled when called off, and whatever `ifExpired` gives when a further try comes too late
   */
  acquire(entrant: QueuedQuery, options: WaitOptions, ifExpired?: unknown): Promise<Permit>;
  /** Nobody goes through for that long. */
  pauseFor(milliseconds: number): void;
  now(): number;
}

interface Waiter {
  readonly settle: (outcome: { pass: Permit } | { failure: unknown }) => void;
  readonly ifExpired: unknown;
  readonly tell: WaitOptions['onWait'];
}

/** Creates a rate limiter. It keeps a timer only while somebody waits. */
export function createRateLimiter(limits: RateLimits, timers: MonotonicClock): RateLimiter {
  const queue = createQueryQueue(limits);
  const waiters = new Map<Ticket, Waiter>();
  /** Those who want to be told of a long wait and were not yet, in the order in which they came. */
  const notNotified = new Set<Ticket>();
  let cancelTimer = () => {};

  return {
    now: timers.now,
    acquire: (entrant, { signal, onWait }, ifExpired) =>
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
      waiters.get(next)?.settle({ pass: permitFor(next) });
    }
    const wakeAt = Math.min(queue.wakeAt(now) ?? Number.POSITIVE_INFINITY, nextNotification());
    cancelTimer = Number.isFinite(wakeAt) ? timers.schedule(wakeAt - now, wake) : () => {};
  }

  function wake() {
    notifyOverdueWaits();
    grantPermits();
  }

  function permitFor(ticket: Ticket): Permit {
    return {
      answerBegan() {
        queue.answerBegan(ticket, timers.now());
        // From now on it is known when this request no longer counts.
        grantPermits();
      },
      release() {
        queue.finish(ticket, timers.now());
        grantPermits();
      },
    };
  }

  function nextNotification(): number {
    const [first] = notNotified;
    return first ? first.enteredAt + minute : Number.POSITIVE_INFINITY;
  }

  /** Tells those of whom it is already known that they will wait long. */
  function notifyLongWaits(tickets: Iterable<Ticket>) {
    for (const ticket of tickets) {
      if (!notNotified.has(ticket)) continue;
      const wait = queue.minWaitMs(ticket, timers.now());
      if (wait > minute) tell(ticket, wait);
    }
  }

  /** Tells those who have waited a minute already, for whatever reason. */
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

function cancelledBy(signal: AbortSignal): Cancelled {
  return new Cancelled({ cause: signal.reason });
}

/** Real time for what runs on it whatever the program's clock says: limits, silence, retries. */
export interface MonotonicClock {
  /** Milliseconds that only run forward. */
  now(): number;
  /** Calls once after that many milliseconds. Returns the way to call it off. */
  schedule(milliseconds: number, call: () => void): () => void;
}

/** setTimeout takes no more than this. */
const maxTimerMs = 2 ** 31 - 1;

export const systemMonotonicClock: MonotonicClock = {
  now: () => performance.now(),
  schedule(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.ceil(milliseconds), maxTimerMs));
    return () => clearTimeout(timer);
  },
};
