import { nextRuns } from '../schedule/next-runs.js';
import type { Digest } from './digest.js';
import { yieldToEventLoop } from './enter-due.js';
import { repeatAfterMs } from './notifications.js';
import type { DigestParts } from './ports.js';
import { quarantineDigest, UnreadableDigest } from './quarantine.js';
import type { Rescheduling } from './store-ports.js';

/** Brings digests forward beside everything else. */
export interface ClockChanges {
  /** Begins, where the clock went back and at the first look. */
  check(): void;
  /** Resolves when nothing of it is under way. */
  done(): Promise<void>;
}

/** Longer than a run ever waits for its next try, unless Slack asks for more. */
const maxRunDelayMs = 3_600_000;

export function watchClockChanges(parts: DigestParts, watch: ClockWatch, signal: AbortSignal): ClockChanges {
  // What was worked out before this start may have been by a clock that was ahead.
  let isToDo = true;
  let wentBack = false;
  let working: Promise<void> | undefined;

  async function work(isBack: boolean) {
    try {
      await bringWaitingForward(isBack);
      await rescheduleAfterClockChange(parts, watch, signal);
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
    const { ledger, digestNotifications } = parts.store;
    const now = watch.now();
    await ledger.makeReady(now, isBack ? now : now + maxRunDelayMs);
    await digestNotifications.rescheduleWaiting(now, isBack ? now : now + repeatAfterMs, now + repeatAfterMs);
  }

  return {
    check() {
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

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log'>;

/** Few enough for a page to hold nobody up. */
const pageSize = 50;

/**
 * Looks at every active digest, and brings forward those that would come later than they should: a clock that was
 * ahead and went back would leave them silent. What was entered already is not entered again. It goes on beside
 * everything else, since there may be very many.
 */
export async function rescheduleAfterClockChange(
  parts: Parts,
  watch: ClockWatch,
  signal: AbortSignal,
): Promise<void> {
  const breathe = yieldToEventLoop(parts.monotonic);
  let after: string | undefined;
  while (!signal.aborted) {
    const digests = await parts.store.digests.active(pageSize, after);
    const times: Rescheduling[] = [];
    for (const digest of digests) {
      try {
        if (digest instanceof UnreadableDigest) throw digest;
        const time = reschedulingOf(digest, watch.now());
        if (time) times.push(time);
      } catch (error) {
        await quarantineDigest(digest, error, parts);
      }
      await breathe();
    }
    if (times.length > 0) await parts.store.digests.reschedule(times);
    after = digests.at(-1)?.id;
    if (digests.length < pageSize) return;
  }
}

function reschedulingOf({ id, revision, schedule, nextDue }: Digest, now: number): Rescheduling | undefined {
  const next = nextRuns(schedule, now, 1)[0];
  if (next !== undefined && !(next > now)) throw new Error('A schedule gives no time');
  const isTooLate = next !== undefined && (nextDue === undefined || nextDue > next);
  return isTooLate ? { id, revision, was: nextDue ?? null, nextDue: next } : undefined;
}

/** The wall clock, looked at by whoever works on what is due: it may jump at any moment. */
export interface ClockWatch {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether it went back since this was asked the last time. */
  wentBack(): boolean;
}

/** A clock that is so much behind what it was has gone back; less than that it is set right by. */
const clockToleranceMs = 2_000;

/**
 * Remembers the latest time that anybody saw: what was worked out then may have to be brought forward.
 *
 * @param now of the clock itself
 */
export function watchClock(now: () => number): ClockWatch {
  let latest = Number.NEGATIVE_INFINITY;
  let isBack = false;

  return {
    now() {
      const time = now();
      if (time < latest - clockToleranceMs) {
        isBack = true;
        latest = time;
      }
      latest = Math.max(latest, time);
      return time;
    },
    wentBack() {
      const was = isBack;
      isBack = false;
      return was;
    },
  };
}
