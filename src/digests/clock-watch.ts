/** The wall clock, looked at by whoever works on what is due: it may jump at any moment. */
export interface ClockWatch {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether it went back since this was asked the last time. */
  wentBack(): boolean;
}

/** A clock that is so much behind what it was has gone back; less than that it is set right by. */
const goneBack = 2_000;

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
      if (time < latest - goneBack) {
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
