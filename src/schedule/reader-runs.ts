import { dayNumberAt, instantOfWallTime, offsetPeriodAt } from '../time/calendar.js';
import { type Schedule, weekdays } from './cadence.js';
import { nextRuns } from './next-runs.js';

/*
 * A digest for managers comes at its hour in each reader's zone, on weekdays. Readers whose clocks show it at the same
 * instant are one wave.
 */

const daySeconds = 24 * 60 * 60;
const dayMs = daySeconds * 1000;

/** A time of a Saturday comes two days later, and an hour more where clocks change. */
const maxMoveMs = 3 * dayMs;

/** Earlier times are over for every reader. */
const maxLookBackMs = 35 * dayMs;

/** 1970-01-01, day 0, was a Thursday. */
const firstWeekday = weekdays.indexOf('thu');

/**
 * The next times after an instant at which readers in a zone get the digest, in epoch milliseconds: one a day at most.
 * The schedule's times of a weekend come on Monday, at the same time of day.
 */
export function nextReaderRuns(
  schedule: Schedule,
  zone: string,
  after: number,
  count: number,
): readonly number[] {
  const theirs = { ...schedule, zone };
  // By day: a time that a Sunday skipped is later than the same time of the Monday.
  const first = new Map<number, number>();
  for (let from = after - maxMoveMs, wanted = count + 4; ; wanted *= 2) {
    const some = nextRuns(theirs, from, wanted);
    for (const run of some) {
      const moved = onWeekday(run, zone);
      const day = dayNumberAt(moved / 1000, zone);
      first.set(day, Math.min(moved, first.get(day) ?? moved));
    }
    const runs = [...first.values()].filter((run) => run > after);
    // The last of them may stand for a day that a later time is moved to as well.
    if (runs.length > count || some.length < wanted) return runs.slice(0, count);
    from = some.at(-1) ?? from;
  }
}

/** The last of these times in `(after, until]`, if there is one. */
export function lastReaderRun(
  schedule: Schedule,
  zone: string,
  after: number,
  until: number,
): number | undefined {
  let last: number | undefined;
  const from = Math.max(after, until - maxLookBackMs);
  for (const run of nextReaderRuns(schedule, zone, from, maxLookBackMs / dayMs + 1)) {
    if (run > until) break;
    last = run;
  }
  return last;
}

/** The next time at which readers in any of these zones get the digest; undefined if there is none. */
export function nextWave(schedule: Schedule, zones: Iterable<string>, after: number): number | undefined {
  let next: number | undefined;
  for (const zone of new Set(zones)) {
    const [run] = nextReaderRuns(schedule, zone, after, 1);
    if (run !== undefined && (next === undefined || run < next)) next = run;
  }
  return next;
}

/** True while the day on which something was due lasts in a zone. */
export function isSameDay(due: number, now: number, zone: string): boolean {
  return dayNumberAt(due / 1000, zone) === dayNumberAt(now / 1000, zone);
}

function onWeekday(run: number, zone: string): number {
  const seconds = run / 1000;
  const wall = seconds + offsetPeriodAt(seconds, zone).offset;
  const weekday = (((Math.floor(wall / daySeconds) + firstWeekday) % 7) + 7) % 7;
  const later = Math.max(0, 7 - weekday);
  if (weekday < weekdays.indexOf('sat')) return run;
  return instantOfWallTime(wall + later * daySeconds, zone) * 1000;
}
