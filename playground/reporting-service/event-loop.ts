import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum milliseconds of work before other work of the process can run. */
const maxBusyMs = 8;

/**
 * Lets long work yield to the event loop by time. Sockets push back only when they are slow, so a fast reader
 * would otherwise hold the event loop for the whole answer.
 */
export interface EventLoopYield {
  /** True if it is time to yield. */
  readonly isDue: boolean;
  /** Continues after one turn of the event loop. Rejects if the work was aborted. */
  yield(): Promise<void>;
}

/** @param signal aborts the work */
export function yieldToEventLoop(signal?: AbortSignal): EventLoopYield {
  let since = performance.now();
  return {
    get isDue() {
      return performance.now() - since >= maxBusyMs;
    },
    async yield() {
      await nextTurn();
      signal?.throwIfAborted();
      since = performance.now();
    },
  };
}
