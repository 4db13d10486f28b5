import { instantOfWallTime, offsetPeriodAt } from '../time/calendar.js';
import type { Cadence, Schedule } from './cadence.js';
import { dateOfDay, dayNumber, type WallTimes, wallTimeOf, wallTimes } from './wall-times.js';

/** The due times that passed since the last check. */
export interface MissedRuns {
  /** The last of the due times; absent: there was none. */
  readonly latest?: number;
  /** How many came before it. */
  readonly missed: number;
}

/**
 * The next due times after an instant, all in epoch milliseconds, each later than the one before. Fewer than `count`
 * only where a cron expression has no more of them.
 */
export function nextRuns(schedule: Schedule, after: number, count: number): readonly number[] {
  const runs: number[] = [];
  if (count < 1) return runs;
  for (const run of runsAfter(schedule, after)) {
    runs.push(run);
    if (runs.length >= count) break;
  }
  return runs;
}

/**
 * The due times after one instant and up to another, the latter included; all in epoch milliseconds, at most so many
 * of them, the earliest first.
 */
export function dueRunsBetween(
  schedule: Schedule,
  after: number,
  until: number,
  most: number,
): readonly number[] {
  const due: number[] = [];
  for (const run of runsAfter(schedule, after)) {
    if (run > until || due.length >= most) break;
    due.push(run);
  }
  return due;
}

/** The last due time after one instant and up to another, the latter included, and how many came before it. */
export function latestDueRun(schedule: Schedule, after: number, now: number): MissedRuns {
  let latest: number | undefined;
  let missed = 0;
  for (const run of runsAfter(schedule, after)) {
    // Also where it is no number at all: a schedule that somebody broke would go on for ever.
    if (!(run <= now)) break;
    if (latest !== undefined) missed += 1;
    latest = run;
  }
  return { ...(latest === undefined ? {} : { latest }), missed };
}

/** A cadence as a schedule that begins now, in epoch milliseconds: its first run is the first time after now. */
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

const DAY = 24 * 60 * 60;
const HOUR = 60 * 60;

/** All due times after an instant, in epoch milliseconds, each later than the one before; most schedules have no end. */
function* runsAfter(schedule: Schedule, after: number): Generator<number, void, void> {
  const { cadence, zone, firstDay } = schedule;
  const { nextDay, times } = wallTimes(cadence, dayNumber(firstDay));
  const seconds = Math.floor(after / 1000);
  const runs =
    'minutes' in times
      ? wallClockRuns(nextDay, times.minutes, zone, seconds)
      : realHours(nextDay, times.everyHourAt, zone, seconds);
  for (const run of runs) yield run * 1000;
}

/** The day that a zone's clocks show at an instant in epoch seconds, as days since 1970-01-01. */
function dayNumberAt(instant: number, zone: string): number {
  return Math.floor((instant + offsetPeriodAt(instant, zone).offset) / DAY);
}

/**
 * Times of wall clocks, in epoch seconds. A time in a gap runs when the gap ends, so it can meet the one after the gap,
 * and two runs at one instant are one.
 */
function* wallClockRuns(
  nextDay: WallTimes['nextDay'],
  minutes: readonly number[],
  zone: string,
  after: number,
) {
  let last = after;
  // The clocks have come to every time of the days before already.
  const today = dayNumberAt(after, zone);
  for (let day = nextDay(today); day !== undefined; day = nextDay(day + 1)) {
    for (const minute of minutes) {
      const run = instantOfWallTime(day * DAY + minute * 60, zone);
      if (run <= last) continue;
      yield run;
      last = run;
    }
  }
}

/**
 * Every real hour of its days, in epoch seconds, when the clocks show a minute. Where they are changed by part of an
 * hour, they can show it again before the hour is over: that one is left out, so that none is ever closer than an hour.
 */
function* realHours(nextDay: WallTimes['nextDay'], minute: number, zone: string, after: number) {
  let from = after + 1;
  while (true) {
    const time = offsetPeriodAt(from, zone);
    const run = nextShowing(minute, time.offset, from);
    const day = Math.floor((run + time.offset) / DAY);
    const next = nextDay(day);
    if (next === undefined) return;
    if (run >= time.until) from = time.until;
    else if (next > day) from = Math.max(run + 1, instantOfWallTime(next * DAY, zone));
    else {
      if (!isShownWithinTheHourBefore(run, minute, time.from, zone)) yield run;
      from = run + 1;
    }
  }
}

function isShownWithinTheHourBefore(run: number, minute: number, change: number, zone: string): boolean {
  if (run - HOUR >= change) return false;
  const { offset } = offsetPeriodAt(change - 1, zone);
  return nextShowing(minute, offset, run - HOUR + 1) < change;
}

/** The first instant at or after one at which clocks with an offset show a minute. */
function nextShowing(minute: number, offset: number, from: number): number {
  const past = (from + offset - minute * 60) % HOUR;
  return past === 0 ? from : from + HOUR - ((past + HOUR) % HOUR);
}
