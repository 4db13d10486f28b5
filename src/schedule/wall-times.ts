import {
  type Cadence,
  type MonthOrdinal,
  monthOrdinals,
  type WallTime,
  type Weekday,
  weekdays,
} from './cadence.js';
import { parseCron, type WallTimes } from './cron.js';

const dayMs = 24 * 60 * 60 * 1000;
const weekDays = 7;

/**
 * @param firstDay start of an `every-weeks` cadence, as days since 1970-01-01
 * @throws if the cron expression is invalid
 */
export function wallTimes(cadence: Cadence, firstDay: number): WallTimes {
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

/** Days since 1970-01-01 of a date such as `2026-11-20`. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs;
}

/** `2026-11-20`. */
export function dateOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** A wall-clock time of a day read as UTC, in epoch seconds. */
export function wallTimeOf(day: number, time: WallTime): number {
  return (day * dayMs) / 1000 + minutesOf(time) * 60;
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
