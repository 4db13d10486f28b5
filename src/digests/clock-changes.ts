import { bringForward } from './bring-forward.js';
import type { ClockWatch } from './clock-watch.js';
import type { DigestParts } from './ports.js';
import { askAgainAfter } from './send-notice.js';

/** Brings digests forward beside everything else. */
export interface KeepForward {
  /** Begins, where the clock went back and at the first look. */
  look(): void;
  /** Resolves when nothing of it is under way. */
  done(): Promise<void>;
}

/** Longer than a run ever waits for its next try, unless Slack asks for more. */
const longestWaitOfRuns = 3_600_000;

export function keepForward(parts: DigestParts, watch: ClockWatch, signal: AbortSignal): KeepForward {
  // What was worked out before this start may have been by a clock that was ahead.
  let isToDo = true;
  let wentBack = false;
  let working: Promise<void> | undefined;

  async function work(isBack: boolean) {
    try {
      await bringWaitingForward(isBack);
      await bringForward(parts, watch, signal);
    } catch (error) {
      isToDo = true;
      wentBack ||= isBack;
      parts.log.error({ err: error }, 'Digests could not be brought forward; that is tried again');
    } finally {
      working = undefined;
    }
  }

  /** What waits for another try. One too early does no harm; at a start only those are taken that wait for too long. */
  async function bringWaitingForward(isBack: boolean) {
    const { ledger, digestNotices } = parts.store;
    const now = watch.now();
    await ledger.wakeAll(now, isBack ? now : now + longestWaitOfRuns);
    await digestNotices.bringForward(now, isBack ? now : now + askAgainAfter, now + askAgainAfter);
  }

  return {
    look() {
      if (watch.wentBack()) {
        isToDo = true;
        wentBack = true;
      }
      if (!isToDo || working) return;
      isToDo = false;
      working = work(wentBack);
      wentBack = false;
    },
    done: async () => working,
  };
}
