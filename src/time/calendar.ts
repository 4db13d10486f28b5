import { UTCDate } from '@date-fns/utc/date';
import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { addQuarters } from 'date-fns/addQuarters';
import { addWeeks } from 'date-fns/addWeeks';
import { addYears } from 'date-fns/addYears';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfWeek } from 'date-fns/startOfWeek';
import { startOfYear } from 'date-fns/startOfYear';

export type WeekStart = 'monday' | 'sunday';

/** A calendar day without a zone: midnight in UTC, so that date-fns counts without daylight saving. */
export type CalendarDay = UTCDate;

export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

const daySeconds = 24 * 60 * 60;

/** Checking a name takes long. */
const knownZones = new Set<string>();

/** True for an IANA zone that this machine knows. Some versions of Node also accept offsets, which have no daylight saving. */
export function isZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
}

/** A calendar day; undefined if there is no such day, such as `2026-02-30`. */
export function calendarDay(year: number, month: number, dayOfMonth: number): CalendarDay | undefined {
  const day = new UTCDate(Date.UTC(year, month - 1, dayOfMonth));
  const exists =
    day.getFullYear() === year && day.getMonth() === month - 1 && day.getDate() === dayOfMonth && year >= 100;
  return exists ? day : undefined;
}

/** `2026-03-05`. */
export function formatIsoDay(day: CalendarDay): string {
  return day.toISOString().slice(0, 10);
}

/** The day that the clocks of a zone show at an instant in epoch seconds. */
export function dayAt(instant: number, zone: string): CalendarDay {
  return new UTCDate(dayNumberAt(instant, zone) * daySeconds * 1000);
}

/** The same as a number of days since 1 January 1970. */
export function dayNumberAt(instant: number, zone: string): number {
  return Math.floor((instant + offsetPeriodAt(instant, zone).offset) / daySeconds);
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
 * The first instant of a day in a zone, in epoch seconds. If clocks skip midnight, this is the end of the gap. If
 * midnight comes twice, this is the first one. If the zone skipped the day, this is the start of the next day.
 */
export function startOfDay(day: CalendarDay, zone: string): number {
  return instantOfWallTime(day.getTime() / 1000, zone);
}

/** A period with a constant offset from UTC. All in seconds. */
export interface OffsetPeriod {
  /** Inclusive. The last clock change, or the start of the search span if that is later. */
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
  /** Offset from UTC, positive east of it. */
  readonly offset: number;
}

/** The span that one search for clock changes covers. Spans are cached. */
const spanSeconds = 64 * daySeconds;

/** The largest offset from UTC of any zone since 1970. */
const maxOffsetSeconds = 14 * 60 * 60;

const spansByZone = new Map<string, Map<number, readonly OffsetPeriod[]>>();
const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/** The offset period of an instant in epoch seconds. */
export function offsetPeriodAt(instant: number, zone: string): OffsetPeriod {
  const spans = spansByZone.get(zone) ?? new Map<number, readonly OffsetPeriod[]>();
  spansByZone.set(zone, spans);
  const number = Math.floor(instant / spanSeconds);
  const span = spans.get(number) ?? offsetPeriods(number * spanSeconds, (number + 1) * spanSeconds, zone);
  spans.set(number, span);
  for (const period of span) if (instant < period.until) return period;
  throw new Error(`No time in ${zone} at ${instant}`);
}

/**
 * The first instant, in epoch seconds, at which a zone's clocks reach a wall-clock time. If the clocks skip it, this is
 * the end of the gap. If they show it twice, this is the first time.
 *
 * @param wall the time as if the clocks were at UTC, in epoch seconds
 */
export function instantOfWallTime(wall: number, zone: string): number {
  let time = offsetPeriodAt(wall - maxOffsetSeconds, zone);
  while (wall - time.offset >= time.until) time = offsetPeriodAt(time.until, zone);
  return Math.max(wall - time.offset, time.from);
}

/**
 * Seconds that a zone's clocks are ahead of UTC at an instant in epoch seconds. `tzOffset` of @date-fns/tz does the
 * same, but loses the sign of offsets between zero and minus one hour (Africa/Monrovia until 1972).
 */
export function offsetAt(instant: number, zone: string): number {
  const format =
    offsetFormats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  offsetFormats.set(zone, format);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(format.format(instant * 1000)) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** The offset periods of a span, from one probe a day. No zone has changed its clocks twice within a day since 1970. */
function offsetPeriods(from: number, until: number, zone: string) {
  const times: OffsetPeriod[] = [];
  let [start, offset] = [from, offsetAt(from, zone)];
  for (let day = from; day < until; day += daySeconds) {
    const offsetAfter = offsetAt(day + daySeconds, zone);
    if (offsetAfter === offset) continue;
    const change = firstSecondAfterChange(day, day + daySeconds, offset, zone);
    if (change === until) break;
    times.push({ from: start, until: change, offset });
    [start, offset] = [change, offsetAfter];
  }
  return [...times, { from: start, until, offset }];
}

function firstSecondAfterChange(before: number, after: number, offset: number, zone: string): number {
  let [notYet, already] = [before, after];
  while (already - notYet > 1) {
    const between = Math.floor((notYet + already) / 2);
    if (offsetAt(between, zone) === offset) notYet = between;
    else already = between;
  }
  return already;
}
