import { dayNumberAt, instantOfWallTime, offsetPeriodAt } from '../time/calendar.js';
import {
  type Cadence,
  type MonthOrdinal,
  monthOrdinals,
  type Schedule,
  type WallTime,
  type Weekday,
  weekdays,
} from './cadence.js';
import { parseCron, type WallTimes } from './cron.js';

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

/** True for a cadence that has one time of day at most. */
export function isDailyAtMost(cadence: Cadence): boolean {
  const { times } = wallTimes(cadence, 0);
  return 'minutes' in times && times.minutes.length === 1;
}

/** Makes a schedule whose first run is the first time after `now`, in epoch milliseconds. */
export function scheduleFrom(cadence: Cadence, zone: string, now: number): Schedule {
  const today = dayNumberAt(now / 1000, zone);
  if (cadence.kind !== 'every-weeks') return { cadence, zone, firstDay: dateOfDay(today) };
  const minute = minutesOf(cadence.time);
  const { nextDay } = wallTimes({ ...cadence, kind: 'weekly' }, today);
  const isOver = (day: number) => instantOfWallTime(day * daySeconds + minute * 60, zone) * 1000 <= now;
  let firstDay = nextDay(today) ?? today;
  while (isOver(firstDay)) firstDay = nextDay(firstDay + 1) ?? firstDay + 1;
  return { cadence, zone, firstDay: dateOfDay(firstDay) };
}

const daySeconds = 24 * 60 * 60;
const dayMs = daySeconds * 1000;
const hourSeconds = 60 * 60;
const weekDays = 7;

/** All due times after an instant, in epoch milliseconds, ascending. Usually endless. */
function* runsAfter(schedule: Schedule, after: number): Generator<number, void, void> {
  const { cadence, zone, firstDay } = schedule;
  const { nextDay, times } = wallTimes(cadence, Date.parse(`${firstDay}T00:00:00Z`) / dayMs);
  const seconds = Math.floor(after / 1000);
  const runs =
    'minutes' in times
      ? wallClockRuns(nextDay, times.minutes, zone, seconds)
      : elapsedHours(nextDay, times.everyHourAt, zone, seconds);
  for (const run of runs) yield run * 1000;
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

/**
 * @param firstDay start of an `every-weeks` cadence, as days since 1970-01-01
 * @throws if the cron expression is invalid
 */
function wallTimes(cadence: Cadence, firstDay: number): WallTimes {
  if (cadence.kind === 'hourly') {
    return { nextDay: (from) => from, times: { everyHourAt: cadence.minute } };
  }
  if (cadence.kind === 'cron') {
    const cron = parseCron(cadence.expression);
    if (!cron.ok) throw new Error(`A schedule has an invalid cron expression: ${cron.refusal}`);
    return cron.value;
  }
  const isOn = dayRule(cadence, firstDay);
  const earliest = cadence.kind === 'every-weeks' ? firstDay : Number.NEGATIVE_INFINITY;
  return {
    nextDay: (from) => firstDayOn(isOn, Math.max(from, earliest)),
    times: { minutes: [minutesOf(cadence.time)] },
  };
}

/** `2026-11-20`. */
function dateOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function minutesOf(time: WallTime): number {
  const [hours, minutes] = time.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
}

type DayRule = (day: number) => boolean;

function dayRule(cadence: Exclude<Cadence, { readonly kind: 'hourly' | 'cron' }>, firstDay: number): DayRule {
  switch (cadence.kind) {
    case 'daily':
      return () => true;
    case 'weekdays':
      return isOneOf(['mon', 'tue', 'wed', 'thu', 'fri']);
    case 'weekly':
      return isOneOf(cadence.days);
    case 'every-weeks': {
      const fits = isOneOf(cadence.days);
      const intervalDays = cadence.weeks * weekDays;
      return (day) => (day - firstDay) % intervalDays < weekDays && fits(day);
    }
    case 'monthly':
      return (day) => isDayOfMonth(day, cadence.day);
    case 'monthly-last':
      return (day) => isDayOfMonth(day, 31);
    case 'monthly-weekday': {
      const fits = isOneOf([cadence.weekday]);
      return (day) => fits(day) && isOrdinalWeekday(day, cadence.which);
    }
    case 'quarterly':
      return (day) => new Date(day * dayMs).getUTCMonth() % 3 === 0 && isDayOfMonth(day, cadence.day);
  }
}

/** 1970-01-01, day 0, was a Thursday. */
const firstWeekday = weekdays.indexOf('thu');

function isOneOf(days: readonly Weekday[]): DayRule {
  const numbers = new Set(days.map((day) => weekdays.indexOf(day)));
  return (day) => numbers.has((((day + firstWeekday) % weekDays) + weekDays) % weekDays);
}

/** The 31st of a shorter month is its last day. */
function isDayOfMonth(day: number, dayOfMonth: number): boolean {
  const date = new Date(day * dayMs).getUTCDate();
  return date === dayOfMonth || (date < dayOfMonth && isLastDayOfMonth(day));
}

function isLastDayOfMonth(day: number): boolean {
  return new Date((day + 1) * dayMs).getUTCDate() === 1;
}

/** For example, whether a Friday is the first Friday of its month. */
function isOrdinalWeekday(day: number, which: MonthOrdinal): boolean {
  if (which === 'last') return new Date((day + weekDays) * dayMs).getUTCDate() <= weekDays;
  return Math.ceil(new Date(day * dayMs).getUTCDate() / weekDays) === monthOrdinals.indexOf(which) + 1;
}

/** `every-weeks` with 52 weeks has the longest gap of all cadences except cron. */
const maxGapDays = 53 * weekDays;

function firstDayOn(isOn: DayRule, from: number): number {
  for (let day = from; day <= from + maxGapDays; day += 1) {
    if (isOn(day)) return day;
  }
  throw new Error('The cadence matches no day');
}
