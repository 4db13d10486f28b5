/** Where the program's time comes from. Ranges, due times and ages follow it; the playground can move it on. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves when `now()` has advanced by that many milliseconds; rejects with the signal's reason on abort. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Calls the listener each time the clock was moved by hand. Returns the way to stop listening. */
  jumped(listener: () => void): () => void;
}

/** The machine's own clock, which nobody moves. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(finish, milliseconds);
      function finish() {
        signal?.removeEventListener('abort', abort);
        resolve();
      }
      function abort() {
        clearTimeout(timer);
        reject(signal?.reason);
      }
      signal?.addEventListener('abort', abort, { once: true });
    }),
  jumped: () => () => {},
};
