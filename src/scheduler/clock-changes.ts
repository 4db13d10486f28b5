import { type Digest, nextDueOf, type Rescheduling } from '../digests/digest.js';
import { forEachDigest, repeatAfterMs } from './notifications.js';
import type { DigestParts } from './ports.js';

/** No run waits longer for its next attempt, unless Slack asks for more. */
const maxRunDelayMs = 3_600_000;

/** Reschedules digests in the background after the wall clock went back, which may happen at any moment. */
export function watchClockChanges(parts: DigestParts, watch: ClockWatch, signal: AbortSignal) {
  // Times calculated before this start may come from a clock that was ahead.
  let isNeeded = true;
  let wentBack = false;
  let running: Promise<void> | undefined;

  async function reschedule(isBack: boolean) {
    try {
      await rescheduleWaiting(isBack);
      await rescheduleAfterClockChange(parts, watch, signal);
    } catch (error) {
      isNeeded = true;
      wentBack ||= isBack;
      parts.log.error({ err: error }, 'Rescheduling digests failed; the scheduler retries');
    } finally {
      running = undefined;
    }
  }

  /** An early attempt does no harm. At a start, only runs and notifications that wait too long are rescheduled. */
  async function rescheduleWaiting(isBack: boolean) {
    const { ledger, digestNotifications } = parts.store;
    const now = watch.now();
    await ledger.makeReady(now, isBack ? now : now + maxRunDelayMs);
    await digestNotifications.rescheduleWaiting(now, isBack ? now : now + repeatAfterMs, now + repeatAfterMs);
  }

  return {
    /** Starts at the first call and after each time the clock went back. */
    check() {
      if (watch.wentBack()) {
        isNeeded = true;
        wentBack = true;
      }
      if (!isNeeded || running) return;
      isNeeded = false;
      running = reschedule(wentBack);
      wentBack = false;
    },
    /** Resolves when no rescheduling is running. */
    done: async () => running,
  };
}

export type ClockWatch = ReturnType<typeof watchClock>;

/** Small, so that a page does not block other writers. */
const pageSize = 50;

/**
 * Reschedules every active digest that is due later than its schedule says. A clock that was ahead and went back would
 * leave those digests silent. The ledger does not enter an occurrence twice.
 */
export async function rescheduleAfterClockChange(
  parts: DigestParts,
  watch: ClockWatch,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    const digests = await parts.store.digests.active(pageSize, after);
    const times: Rescheduling[] = [];
    await forEachDigest(digests, parts, (digest) => {
      const time = reschedulingOf(digest, watch.now());
      if (time) times.push(time);
    });
    if (times.length > 0) await parts.store.digests.reschedule(times);
    after = digests.at(-1)?.id;
    if (digests.length < pageSize) return;
  }
}

function reschedulingOf(digest: Digest, now: number): Rescheduling | undefined {
  const { id, revision, nextDue } = digest;
  const next = nextDueOf(digest, now);
  if (next !== undefined && !(next > now)) throw new Error('The schedule has no next time');
  const isTooLate = next !== undefined && (nextDue === undefined || nextDue > next);
  return isTooLate ? { id, revision, previousDue: nextDue ?? null, nextDue: next } : undefined;
}

/** Time synchronization may set the clock back by less than this. */
const clockToleranceMs = 2_000;

/** Notices when the clock shows less than the latest time it has shown. `now`: epoch milliseconds. */
export function watchClock(now: () => number) {
  let latest = Number.NEGATIVE_INFINITY;
  let isBack = false;

  return {
    /** Milliseconds since the epoch. */
    now() {
      const time = now();
      if (time < latest - clockToleranceMs) {
        isBack = true;
        latest = time;
      }
      latest = Math.max(latest, time);
      return time;
    },
    /** Whether the clock went back since the last call. */
    wentBack() {
      const was = isBack;
      isBack = false;
      return was;
    },
  };
}
