import type { Clock } from './bot.js';

/** The machine's time plus an offset that can be changed. */
export interface MovableClock extends Clock {
  /** Milliseconds ahead of the machine's clock. */
  offsetMs(): number;
  /** Moves the clock; negative moves it back. A sleeper wakes as soon as its time has passed. */
  moveBy(milliseconds: number): void;
  /** Returns to the machine's time. */
  reset(): void;
}

/** The longest delay that Node's timers accept. */
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

  /** Waits until `now()` reaches the end. Checks after each jump and when a timer fires. */
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
