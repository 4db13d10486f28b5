import type { Clock } from './bot.js';

/** A clock that can be moved by hand: the machine's time plus an offset. */
export interface MovableClock extends Clock {
  /** Milliseconds ahead of the machine's own clock. */
  offsetMs(): number;
  /** Moves the clock; negative moves it back. Whoever sleeps wakes when their time has come. */
  moveBy(milliseconds: number): void;
  /** Back to the machine's own time. */
  reset(): void;
}

/** The longest wait that a timer of Node takes. */
const maxTimerMs = 2 ** 31 - 1;

export function createMovableClock(realNow: () => number = Date.now): MovableClock {
  let ahead = 0;
  const listeners = new Set<() => void>();
  const now = () => realNow() + ahead;
  const onJump = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const moveTo = (offset: number) => {
    if (offset === ahead) return;
    ahead = offset;
    for (const listener of [...listeners]) listener();
  };

  /** Waits until `now()` has reached that moment, looking again at each jump and whenever a timer ends. */
  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const until = now() + milliseconds;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      let timer: NodeJS.Timeout | undefined;
      const stopListening = onJump(check);
      signal?.addEventListener('abort', abort, { once: true });
      check();

      function check() {
        clearTimeout(timer);
        const left = until - now();
        if (left > 0) {
          timer = setTimeout(check, Math.min(left, maxTimerMs));
          return;
        }
        cleanUp();
        resolve();
      }
      function abort() {
        clearTimeout(timer);
        cleanUp();
        reject(signal?.reason);
      }
      function cleanUp() {
        stopListening();
        signal?.removeEventListener('abort', abort);
      }
    });
  }

  return {
    now,
    sleep,
    onJump,
    offsetMs: () => ahead,
    moveBy: (milliseconds) => moveTo(ahead + milliseconds),
    reset: () => moveTo(0),
  };
}
