import type { MonotonicClock } from '../../src/time/clock.js';

interface Due {
  readonly at: number;
  readonly call: () => void;
}

export interface SimulatedTime extends MonotonicClock {
  /** Advances the time. Timers that become due run in order, and promises settle in between. */
  pass(milliseconds: number): Promise<void>;
  /** Advances until no timer is left. */
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

/** A clock that jumps to the end of each wait, so that tests do not wait. */
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
