import {
  type Cadence,
  type MonthOrdinal,
  monthOrdinals,
  type WallTime,
  type Weekday,
  weekdays,
} from './cadence.js';
import { parseCron } from './cron.js';

/** When a cadence runs in wall-clock time, in any zone. */
export interface WallTimes {
  /** The first of its days at or after one, as days since 1970-01-01; undefined: there is none. */
  readonly nextDay: (from: number) => number | undefined;
  /** Minutes since midnight, in order, the same on each of its days; or one minute of every hour of them. */
  readonly times: { readonly minutes: readonly number[] } | { readonly everyHourAt: number };
}

const DAY = 24 * 60 * 60 * 1000;
const WEEK = 7;

/**
 * @param firstDay what `every 2 weeks` counts from, as days since 1970-01-01
 * @throws on a cron expression that was never checked
 */
export function wallTimes(cadence: Cadence, firstDay: number): WallTimes {
  if (cadence.kind === 'hourly') {
    return { nextDay: (from) => from, times: { everyHourAt: cadence.minute } };
  }
  if (cadence.kind === 'cron') {
    const read = parseCron(cadence.expression);
    if ('refused' in read)
      throw new Error(`A schedule has a cron expression that is refused: ${read.refused}`);
    return read;
  }
  const isOn = dayRule(cadence, firstDay);
  const earliest = cadence.kind === 'every-weeks' ? firstDay : Number.NEGATIVE_INFINITY;
  return {
    nextDay: (from) => firstDayOn(isOn, Math.max(from, earliest)),
    times: { minutes: [minutesOf(cadence.time)] },
  };
}

/** The day of `2026-11-20`, as days since 1970-01-01. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY;
}

/** `2026-11-20`. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** `09:00` of a day as if clocks were at UTC, in epoch seconds. */
export function wallTimeOf(day: number, time: WallTime): number {
  return (day * DAY) / 1000 + minutesOf(time) * 60;
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
      const everySoManyDays = cadence.weeks * WEEK;
      return (day) => (day - firstDay) % everySoManyDays < WEEK && fits(day);
    }
    case 'monthly':
      return (day) => isDayOfItsMonth(day, cadence.day);
    case 'monthly-last':
      return (day) => isDayOfItsMonth(day, 31);
    case 'monthly-weekday': {
      const fits = isOneOf([cadence.weekday]);
      return (day) => fits(day) && isWhichOfItsMonth(day, cadence.which);
    }
    case 'quarterly':
      return (day) => new Date(day * DAY).getUTCMonth() % 3 === 0 && isDayOfItsMonth(day, cadence.day);
  }
}

/** 1970-01-01, day 0, was a Thursday. */
const firstWeekday = weekdays.indexOf('thu');

function isOneOf(days: readonly Weekday[]): DayRule {
  const numbers = new Set(days.map((day) => weekdays.indexOf(day)));
  return (day) => numbers.has((((day + firstWeekday) % WEEK) + WEEK) % WEEK);
}

/** The 31st of a shorter month is its last day. */
function isDayOfItsMonth(day: number, dayOfMonth: number): boolean {
  const date = new Date(day * DAY).getUTCDate();
  return date === dayOfMonth || (date < dayOfMonth && isLastOfItsMonth(day));
}

function isLastOfItsMonth(day: number): boolean {
  return new Date((day + 1) * DAY).getUTCDate() === 1;
}

/** Whether a day is, for example, the first of its weekday in its month. */
function isWhichOfItsMonth(day: number, which: MonthOrdinal): boolean {
  if (which === 'last') return new Date((day + WEEK) * DAY).getUTCDate() <= WEEK;
  return Math.ceil(new Date(day * DAY).getUTCDate() / WEEK) === monthOrdinals.indexOf(which) + 1;
}

/** Nothing but cron leaves out more days than `every 52 weeks` does. */
const MAX_DAYS_BETWEEN = 53 * WEEK;

function firstDayOn(isOn: DayRule, from: number): number {
  for (let day = from; day <= from + MAX_DAYS_BETWEEN; day += 1) {
    if (isOn(day)) return day;
  }
  throw new Error('A cadence has no day');
}
