import type { MonotonicClock } from '../../src/reporting-api/rate-limiter.js';

interface Due {
  readonly at: number;
  readonly call: () => void;
}

export interface SimulatedTime extends MonotonicClock {
  /** Moves on by so much, calling what falls due on the way, in order, with promises settled in between. */
  pass(milliseconds: number): Promise<void>;
  /** Moves on until nothing is due any more. */
  passAll(): Promise<void>;
}

/** A clock that only moves when a test advances it. */
export function simulatedTime(): SimulatedTime {
  let now = 1000;
  const due = new Set<Due>();
  const first = () => [...due].sort((one, other) => one.at - other.at)[0];
  const callNext = async (next: Due) => {
    due.delete(next);
    now = Math.max(now, next.at);
    next.call();
    await settled();
  };
  return {
    now: () => now,
    schedule(milliseconds, call) {
      const entry = { at: now + Math.max(0, milliseconds), call };
      due.add(entry);
      return () => due.delete(entry);
    },
    async pass(milliseconds) {
      await settled();
      const end = now + milliseconds;
      for (let next = first(); next && next.at <= end; next = first()) await callNext(next);
      now = end;
    },
    async passAll() {
      await settled();
      for (let next = first(); next; next = first()) await callNext(next);
    },
  };
}

/** Time that jumps to whatever is waited for, so that a test sees minutes of waiting without any. */
export function jumpingTime(): MonotonicClock & { readonly waits: readonly number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    schedule(milliseconds, call) {
      const at = now + milliseconds;
      const timer = setImmediate(() => {
        waits.push(at - now);
        now = Math.max(now, at);
        call();
      });
      return () => clearImmediate(timer);
    },
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
