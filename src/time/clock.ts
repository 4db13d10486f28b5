import { setTimeout as sleep } from 'node:timers/promises';

/** The program's clock. Ranges, due times and ages use it. The playground can move it forward. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves when `now()` has advanced by that many milliseconds; rejects with the signal's reason on abort. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls the listener each time the playground moves the clock. Returns a function that removes the listener. */
  onJump(listener: () => void): () => void;
}

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    sleep(milliseconds, undefined, { signal }).catch(() => {
      throw signal?.reason;
    }),
  onJump: () => () => {},
};

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

/**
 * Aborts with any of the signals, or after some time. `AbortSignal.any` of an `AbortSignal.timeout` may never abort:
 * nothing holds that signal, so Node.js collects it with its timer (https://github.com/nodejs/node/issues/57736).
 */
export function withTimeLimit(milliseconds: number, ...signals: readonly AbortSignal[]): AbortSignal {
  const limit = new AbortController();
  const end = (reason: unknown) => limit.abort(reason);
  setTimeout(end, milliseconds, new DOMException('The time limit was reached', 'TimeoutError')).unref();
  for (const signal of signals) {
    if (signal.aborted) end(signal.reason);
    signal.addEventListener('abort', () => end(signal.reason), { signal: limit.signal });
  }
  return limit.signal;
}

/**
 * How long a stop may take, in milliseconds. The process has five seconds from the signal to its end. The rest
 * is for the process itself and for a busy machine.
 */
const stopWithinMs = 4000;

/**
 * The time by which a stop must end. It is created once, when the stop begins, and passed to everything that stops.
 * Separate limits would add up.
 */
export interface Deadline {
  /** Remaining milliseconds, at least 0. */
  remainingMs(): number;
  /**
   * Resolves to true when `work` resolves, or to false when only `spareMs` milliseconds are left before the deadline.
   * Rejects if `work` rejects in time. Later results of `work` are ignored.
   */
  waitFor(work: Promise<unknown>, spareMs?: number): Promise<boolean>;
}

/** @param now monotonic milliseconds */
export function stopDeadline(withinMs = stopWithinMs, now = () => performance.now()): Deadline {
  const end = now() + withinMs;
  const remainingMs = () => Math.max(0, end - now());
  return {
    remainingMs,
    async waitFor(work, spareMs = 0) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), Math.max(0, remainingMs() - spareMs));
      });
      try {
        return await Promise.race([work.then(() => true), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Work that is repeated in real time, one run after the other. A failure is passed on, and does not end it. */
export function repeated(work: () => Promise<unknown>, failed: (error: unknown) => void) {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const now = () => {
    running = running.then(async () => void (await work())).catch(failed);
    return running;
  };
  return {
    /** Runs it once more. */
    now,
    every(milliseconds: number): void {
      timer ??= setInterval(now, milliseconds);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/** Repeats work at once and after each pause, by the clock. Returns a function that stops it and waits for its end. */
export function repeatedBy(
  clock: Clock,
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  failed: (error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const done = (async () => {
    while (!signal.aborted) {
      await work(signal).catch(failed);
      await clock.sleep(pauseMs, signal).catch(() => {});
    }
  })();
  return async () => {
    stopping.abort();
    await done;
  };
}

/** Slack commands need an acknowledgement within three seconds, so background work yields often. */
const maxBlockingMs = 5;

/**
 * Returns a function for long loops to call after every few items. It yields to the event loop once the loop has run for
 * `maxBlockingMs`.
 *
 * @param now monotonic milliseconds
 */
export function yieldToEventLoop(now: () => number): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < maxBlockingMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = now();
  };
}
