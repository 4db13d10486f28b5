import { addDays } from 'date-fns/addDays';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import type { Report } from '../catalogue/index.js';
import { ok, type Result, refused } from '../errors/failure.js';
import {
  addUnits,
  type CalendarDay,
  type CalendarUnit,
  dayAt,
  formatIsoDay,
  startOfDay,
  startOfUnit,
  type WeekStart,
} from '../time/calendar.js';
import { units } from './calendar-words.js';
import {
  parseRangeWords,
  parseRequestRange,
  type RangeMeaning,
  type RangeWordsRefusal,
} from './range-words.js';
import type { ResolvedRange } from './request.js';
import { compact } from './text.js';

export interface RangeRefusal {
  readonly reason:
    | RangeWordsRefusal
    /** The report has no range. */
    | 'no-range'
    /** It begins in the future, and the report has no future. */
    | 'future'
    /** A `since:` in the future, for a report that has a future. */
    | 'since-ahead'
    /** It has no second: `this-week` at its first second, or a day that the zone skipped. */
    | 'empty';
  readonly words: string;
}

interface Bounds {
  /** Epoch seconds, `[from, until)`. */
  readonly from: number;
  readonly until: number;
}

/**
 * Resolves range words into two instants.
 *
 * @param report the report as `reportForRequest` gives it
 * @param nowMs milliseconds since the epoch; what ends now ends at its whole second
 * @param zone an IANA zone that this machine knows
 */
export function resolveRange(
  words: string,
  report: Report,
  nowMs: number,
  zone: string,
  weekStart: WeekStart,
): Result<ResolvedRange, RangeRefusal> {
  const parsed = parseRequestRange(words);
  if (!report.range) return refused({ reason: 'no-range', words });
  if (!parsed.ok) return refused({ reason: parsed.refusal, words });
  const { meaning } = parsed.value;
  const now = Math.floor(nowMs / 1000);
  const { hasFuture } = report.range;
  const { from, until } = boundsOf(meaning, now, zone, weekStart, report.range);
  if (from > now && !hasFuture) return refused({ reason: 'future', words });
  if (from > now && meaning.kind === 'since') return refused({ reason: 'since-ahead', words });
  if (from < 0) return refused({ reason: 'before-1970', words });
  if (until <= from) return refused({ reason: 'empty', words });
  return ok(rangeBetween({ from, until }, parsed.value.words, zone));
}

function rangeBetween({ from, until }: Bounds, words: string, zone: string): ResolvedRange {
  const firstDay = formatIsoDay(dayAt(from, zone));
  const lastDay = formatIsoDay(dayAt(until - 1, zone));
  // Where clocks go back over midnight, the last second can show the day before the first one.
  return { words, zone, from, until, firstDay, lastDay: lastDay < firstDay ? firstDay : lastDay };
}

function boundsOf(
  meaning: RangeMeaning,
  now: number,
  zone: string,
  weekStart: WeekStart,
  { hasFuture }: NonNullable<Report['range']>,
): Bounds {
  const today = dayAt(now, zone);
  switch (meaning.kind) {
    case 'units': {
      const { unit, count } = meaning;
      const first = addUnits(startOfUnit(today, unit, weekStart), unit, meaning.first);
      const endsNow = count === undefined || (meaning.first === 0 && !hasFuture);
      const until = endsNow ? now : startOfDay(addUnits(first, unit, count), zone);
      return { from: startOfDay(first, zone), until };
    }
    case 'span':
      return { from: startOfDay(meaning.first, zone), until: startOfDay(addDays(meaning.last, 1), zone) };
    case 'since':
      return { from: startOfDay(meaning.first, zone), until: now };
    case 'from-now':
      return { from: now, until: startOfDay(addDays(today, meaning.days), zone) };
  }
}

interface PreviousPeriodOptions {
  /** When the request was made, in milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly weekStart: WeekStart;
  /** True where rows of the report may lie after now: a current unit then has its full length. */
  readonly hasFuture: boolean;
}

/**
 * The period that a range is compared with.
 * - A day: the same weekday a week before, since weekends differ from working days.
 * - Any other calendar unit: the unit before it.
 * - A unit that is still running, in any form (`this-month`, `2026-11`, `since:2026-11-01`): the same, up to the same
 *   elapsed time. If the report has a future, the whole unit.
 * - Any other range: as many days directly before it, and as many hours if it ends now.
 *
 * Undefined if the range begins in the future, if the period would start before 1970, or if the zone skipped it.
 */
export function previousPeriod(
  range: ResolvedRange,
  options: PreviousPeriodOptions,
): ResolvedRange | undefined {
  const { from, zone } = range;
  const now = Math.floor(options.requestedAt / 1000);
  if (from >= now) return undefined;
  const end = options.hasFuture ? range.until : Math.min(range.until, now);
  const unit = unitOf(range, options, now);
  const whole = unit ? unitBefore(range, unit) : asManyDaysBefore({ ...range, until: end });
  const first = whole.from;
  const isRunning = unit && end < endOfUnit(range, unit);
  const until = isRunning ? Math.min(first + (end - from), whole.until) : whole.until;
  return periodOf({ from: first, until }, zone);
}

/** Days that whole weeks of a year have, so that weekdays agree. */
const daysOfAYear = 52 * 7;

/**
 * The same unit a year before: a week 52 weeks before, a month, quarter or year by its name, and any other range 364 days
 * before. A unit that is still running is cut at the same elapsed time. Undefined where `previousPeriod` is.
 */
export function yearBefore(range: ResolvedRange, options: PreviousPeriodOptions): ResolvedRange | undefined {
  const { from, zone } = range;
  const now = Math.floor(options.requestedAt / 1000);
  if (from >= now) return undefined;
  const end = options.hasFuture ? range.until : Math.min(range.until, now);
  const unit = unitOf(range, options, now);
  const earlier = (instant: number) => {
    const day = dayAt(instant, zone);
    const seconds = Math.min(instant - startOfDay(day, zone), 24 * 60 * 60);
    return startOfDay(dayYearBefore(day, unit), zone) + seconds;
  };
  const first = earlier(from);
  const until = unit && end < endOfUnit(range, unit) ? first + (end - from) : earlier(end);
  return periodOf(
    { from: first, until: unit ? Math.min(until, earlier(endOfUnit(range, unit))) : until },
    zone,
  );
}

/** @param unit of the range that the day is of, if it is one */
function dayYearBefore(day: CalendarDay, unit: CalendarUnit | undefined): CalendarDay {
  const isNamed = unit === 'month' || unit === 'quarter' || unit === 'year';
  return isNamed ? addUnits(day, 'year', -1) : addDays(day, -daysOfAYear);
}

/** True for a day that the year before does not have. */
export function isLeapDay({ firstDay, lastDay }: ResolvedRange): boolean {
  return firstDay === lastDay && firstDay.endsWith('-02-29');
}

/** A period with its days as its words; undefined if it would start before 1970, or if the zone skipped it. */
function periodOf({ from, until }: Bounds, zone: string): ResolvedRange | undefined {
  if (from < 0 || from >= until) return undefined;
  const period = rangeBetween({ from, until }, '', zone);
  const { firstDay, lastDay } = period;
  return { ...period, words: firstDay === lastDay ? firstDay : `${firstDay}..${lastDay}` };
}

/** One unit of an answer over time. */
export interface UnitRange {
  readonly range: ResolvedRange;
  /** When the next unit ends, in epoch seconds: a cohort is counted as it stood then. */
  readonly nextEnds: number;
}

/** The units of their range together, the oldest first. A day that the zone skipped is none. */
export function unitRanges({ from, until, zone }: ResolvedRange, unit: CalendarUnit): readonly UnitRange[] {
  const units: UnitRange[] = [];
  for (let first = dayAt(from, zone); startOfDay(first, zone) < until; first = addUnits(first, unit, 1))
    units.push(...compact(unitFrom(first, unit, zone)));
  return units;
}

function unitFrom(first: CalendarDay, unit: CalendarUnit, zone: string): UnitRange | undefined {
  const next = addUnits(first, unit, 1);
  const range = periodOf({ from: startOfDay(first, zone), until: startOfDay(next, zone) }, zone);
  return range && { range, nextEnds: startOfDay(addUnits(next, unit, 1), zone) };
}

/** The same unit a year before. Undefined where there is no such day. */
export function unitYearBefore({ range }: UnitRange, unit: CalendarUnit): UnitRange | undefined {
  const { from, zone } = range;
  return isLeapDay(range) ? undefined : unitFrom(dayYearBefore(dayAt(from, zone), unit), unit, zone);
}

/** The calendar unit of a range. A range from the start of a running unit to now counts as that unit. */
function unitOf(range: ResolvedRange, options: PreviousPeriodOptions, now: number): CalendarUnit | undefined {
  const parsed = parseRangeWords(range.words);
  const meaning = parsed.ok ? parsed.value.meaning : undefined;
  if (meaning?.kind === 'units' && meaning.count === 1) return meaning.unit;
  if (meaning?.kind === 'span' && meaning.unit !== undefined) return meaning.unit;
  if (meaning?.kind !== 'since' && range.until <= now) return undefined;
  const from = dayAt(range.from, range.zone);
  const candidates = compact(meaning?.kind === 'since' && meaning.unit, units).filter(
    (unit) =>
      startOfUnit(from, unit, options.weekStart).getTime() === from.getTime() &&
      range.until <= endOfUnit(range, unit),
  );
  // `since:2026-11-16` at the first second of the 17th: that day is over, and the week is what still runs.
  return candidates.find((unit) => now < endOfUnit(range, unit)) ?? candidates[0];
}

function unitBefore({ from, zone }: ResolvedRange, unit: CalendarUnit): Bounds {
  const day = dayAt(from, zone);
  const first = unit === 'day' ? addDays(day, -7) : addUnits(day, unit, -1);
  return { from: startOfDay(first, zone), until: startOfDay(addUnits(first, unit, 1), zone) };
}

function endOfUnit({ from, zone }: ResolvedRange, unit: CalendarUnit): number {
  return startOfDay(addUnits(dayAt(from, zone), unit, 1), zone);
}

function asManyDaysBefore({ from, until, zone }: ResolvedRange): Bounds {
  const first = dayAt(from, zone);
  const last = dayAt(until, zone);
  const days = differenceInCalendarDays(last, first);
  // A day on which clocks go back has 25 hours, of which the last one would be a further day.
  const seconds = Math.min(until - startOfDay(last, zone), 24 * 60 * 60);
  return { from: startOfDay(addDays(first, -days), zone) - seconds, until: from };
}

/** The calendar days of a range that have begun. */
export function daysSoFar(range: ResolvedRange, now: number): number {
  const { from, zone } = range;
  const until = Math.min(range.until, now);
  return until > from ? differenceInCalendarDays(dayAt(until - 1, zone), dayAt(from, zone)) + 1 : 0;
}
