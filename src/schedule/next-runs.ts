import { instantOfWallTime, offsetPeriodAt } from '../time/calendar.js';
import type { Cadence, Schedule } from './cadence.js';
import type { WallTimes } from './cron.js';
import { dateOfDay, dayNumber, wallTimeOf, wallTimes } from './wall-times.js';

/**
 * The next due times after an instant, in epoch milliseconds, ascending. Fewer than `count` only if a cron expression
 * has no more, or `until`, which is included, comes first.
 */
export function nextRuns(
  schedule: Schedule,
  after: number,
  count: number,
  until = Number.POSITIVE_INFINITY,
): readonly number[] {
  const runs: number[] = [];
  if (count < 1) return runs;
  for (const run of runsAfter(schedule, after)) {
    if (run > until) break;
    runs.push(run);
    if (runs.length >= count) break;
  }
  return runs;
}

/**
 * The last due time after `after`, up to and including `now`, if any run was due, and the number of due times before it.
 */
export function latestDueRun(schedule: Schedule, after: number, now: number) {
  let latest: number | undefined;
  let missed = 0;
  for (const run of runsAfter(schedule, after)) {
    // `!(a <= b)` also stops on NaN. Otherwise a broken schedule would loop forever.
    if (!(run <= now)) break;
    if (latest !== undefined) missed += 1;
    latest = run;
  }
  return { latest, missed };
}

/** Makes a schedule whose first run is the first time after `now`, in epoch milliseconds. */
export function scheduleFrom(cadence: Cadence, zone: string, now: number): Schedule {
  const today = dayNumberAt(now / 1000, zone);
  if (cadence.kind !== 'every-weeks') return { cadence, zone, firstDay: dateOfDay(today) };
  const { time } = cadence;
  const { nextDay } = wallTimes({ ...cadence, kind: 'weekly' }, today);
  const isOver = (day: number) => instantOfWallTime(wallTimeOf(day, time), zone) * 1000 <= now;
  let firstDay = nextDay(today) ?? today;
  while (isOver(firstDay)) firstDay = nextDay(firstDay + 1) ?? firstDay + 1;
  return { cadence, zone, firstDay: dateOfDay(firstDay) };
}

const daySeconds = 24 * 60 * 60;
const hourSeconds = 60 * 60;

/** All due times after an instant, in epoch milliseconds, ascending. Usually endless. */
function* runsAfter(schedule: Schedule, after: number): Generator<number, void, void> {
  const { cadence, zone, firstDay } = schedule;
  const { nextDay, times } = wallTimes(cadence, dayNumber(firstDay));
  const seconds = Math.floor(after / 1000);
  const runs =
    'minutes' in times
      ? wallClockRuns(nextDay, times.minutes, zone, seconds)
      : elapsedHours(nextDay, times.everyHourAt, zone, seconds);
  for (const run of runs) yield run * 1000;
}

/** @returns days since 1970-01-01 by the zone's clocks, at an instant in epoch seconds */
function dayNumberAt(instant: number, zone: string): number {
  return Math.floor((instant + offsetPeriodAt(instant, zone).offset) / daySeconds);
}

/** Runs in epoch seconds. A time in a gap runs when the gap ends. Runs that fall on one instant count as one. */
function* wallClockRuns(
  nextDay: WallTimes['nextDay'],
  minutes: readonly number[],
  zone: string,
  after: number,
) {
  let last = after;
  // All times of earlier days have passed.
  const today = dayNumberAt(after, zone);
  for (let day = nextDay(today); day !== undefined; day = nextDay(day + 1)) {
    for (const minute of minutes) {
      const run = instantOfWallTime(day * daySeconds + minute * 60, zone);
      if (run <= last) continue;
      yield run;
      last = run;
    }
  }
}

/**
 * Every elapsed hour, in epoch seconds, when the clocks show `minute`. If the clocks change by part of an hour, they can
 * show the minute twice within an hour. The second time is skipped, so runs are at least an hour apart.
 */
function* elapsedHours(nextDay: WallTimes['nextDay'], minute: number, zone: string, after: number) {
  let from = after + 1;
  while (true) {
    const time = offsetPeriodAt(from, zone);
    const run = nextInstantShowing(minute, time.offset, from);
    const day = Math.floor((run + time.offset) / daySeconds);
    const next = nextDay(day);
    if (next === undefined) return;
    if (run >= time.until) from = time.until;
    else if (next > day) from = Math.max(run + 1, instantOfWallTime(next * daySeconds, zone));
    else {
      if (!wasShownWithinHourBefore(run, minute, time.from, zone)) yield run;
      from = run + 1;
    }
  }
}

function wasShownWithinHourBefore(run: number, minute: number, change: number, zone: string): boolean {
  if (run - hourSeconds >= change) return false;
  const { offset } = offsetPeriodAt(change - 1, zone);
  return nextInstantShowing(minute, offset, run - hourSeconds + 1) < change;
}

/** The first instant at or after `from` when clocks with this offset show `minute`. */
function nextInstantShowing(minute: number, offset: number, from: number): number {
  const past = (from + offset - minute * 60) % hourSeconds;
  return past === 0 ? from : from + hourSeconds - ((past + hourSeconds) % hourSeconds);
}
