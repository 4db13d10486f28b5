import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { addQuarters } from 'date-fns/addQuarters';
import { addWeeks } from 'date-fns/addWeeks';
import { addYears } from 'date-fns/addYears';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfWeek } from 'date-fns/startOfWeek';
import { startOfYear } from 'date-fns/startOfYear';
import type { WeekStart } from '../requests/request.js';
import { offsetAt, whenClocksShow } from './zone-clock.js';

/** A day of the calendar, wherever it is lived: midnight in UTC, so that date-fns counts without daylight saving. */
export type CalendarDay = TZDate;

export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A day's number since 1970-01-01 is its place in UTC. */
const DAY = 24 * 60 * 60;

/** The day of `2026-03-05`; undefined for a day that no calendar has, such as `2026-02-30`. */
export function calendarDay(year: number, month: number, dayOfMonth: number): CalendarDay | undefined {
  const day = new TZDate(Date.UTC(year, month - 1, dayOfMonth), 'UTC');
  const exists =
    day.getFullYear() === year && day.getMonth() === month - 1 && day.getDate() === dayOfMonth && year >= 100;
  return exists ? day : undefined;
}

/** `2026-03-05`. */
export function dayInDigits(day: CalendarDay): string {
  const [year, month, dayOfMonth] = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
}

/** The day that the clocks of a zone show at an instant in epoch seconds. */
export function dayAt(instant: number, zone: string): CalendarDay {
  const onTheClock = instant + offsetAt(instant, zone);
  return new TZDate(Math.floor(onTheClock / DAY) * DAY * 1000, 'UTC');
}

/** Seconds since midnight that the clocks of a zone show at an instant in epoch seconds. */
export function timeOfDayAt(instant: number, zone: string): number {
  const onTheClock = instant + offsetAt(instant, zone);
  return onTheClock - Math.floor(onTheClock / DAY) * DAY;
}

export function addUnits(day: CalendarDay, unit: CalendarUnit, count: number): CalendarDay {
  const add = { day: addDays, week: addWeeks, month: addMonths, quarter: addQuarters, year: addYears }[unit];
  return add(day, count);
}

export function startOfUnit(day: CalendarDay, unit: CalendarUnit, weekStart: WeekStart): CalendarDay {
  if (unit === 'day') return day;
  if (unit === 'week') return startOfWeek(day, { weekStartsOn: weekStart === 'sunday' ? 0 : 1 });
  if (unit === 'month') return startOfMonth(day);
  return unit === 'quarter' ? startOfQuarter(day) : startOfYear(day);
}

/**
 * The first instant of a day in a zone, in epoch seconds. Where midnight does not exist, that is when the gap ends;
 * where it comes twice, the first; where the zone skipped the whole day, the start of the next one.
 */
export function startOfDay(day: CalendarDay, zone: string): number {
  return whenClocksShow(day.getTime() / 1000, zone);
}
