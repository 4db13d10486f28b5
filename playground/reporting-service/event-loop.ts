import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest stretch of work, in milliseconds, before everything else in the process gets its turn. */
const maxStretchMs = 8;

/**
 * Lets long work that never waits be interrupted by time: sockets push back only when they are slow, so a fast reader
 * would otherwise hold the event loop for the whole answer.
 */
export interface EventLoopYield {
  /** True when this stretch has lasted long enough. */
  readonly isDue: boolean;
  /** Ends this stretch and begins another after the event loop went round. Rejects when the work is not wanted any more. */
  yield(): Promise<void>;
}

/** @param signal aborted when nobody waits for the work any more */
export function yieldToEventLoop(signal?: AbortSignal): EventLoopYield {
  let since = performance.now();
  return {
    get isDue() {
      return performance.now() - since >= maxStretchMs;
    },
    async yield() {
      await nextTurn();
      signal?.throwIfAborted();
      since = performance.now();
    },
  };
}
