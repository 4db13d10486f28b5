/** Real time for what runs on it whatever the program's clock says: limits, silence, retries. */
export interface Timers {
  /** Milliseconds that only run forward. */
  now(): number;
  /** Calls once after that many milliseconds. Returns the way to call it off. */
  after(milliseconds: number, call: () => void): () => void;
}

/** setTimeout takes no more than this. */
const longestTimer = 2 ** 31 - 1;

export const realTimers: Timers = {
  now: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.ceil(milliseconds), longestTimer));
    return () => clearTimeout(timer);
  },
};
