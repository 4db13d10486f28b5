import type { DigestParts } from '../parts.js';
import { bringForward } from './bring-forward.js';
import type { ClockWatch } from './clock-watch.js';

/** Brings digests forward beside everything else. */
export interface KeepForward {
  /** Begins, where the clock went back and at the first look. */
  look(): void;
  /** Resolves when nothing of it is under way. */
  done(): Promise<void>;
}

export function keepForward(parts: DigestParts, watch: ClockWatch, signal: AbortSignal): KeepForward {
  // What was worked out before this start may have been by a clock that was ahead.
  let isToDo = true;
  let working: Promise<void> | undefined;

  async function work() {
    try {
      await bringForward(parts, watch, signal);
    } catch (error) {
      isToDo = true;
      parts.log.error({ err: error }, 'Digests could not be brought forward; that is tried again');
    } finally {
      working = undefined;
    }
  }

  return {
    look() {
      if (watch.wentBack()) isToDo = true;
      if (!isToDo || working) return;
      isToDo = false;
      working = work();
    },
    done: async () => working,
  };
}
