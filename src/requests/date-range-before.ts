import { addDays } from 'date-fns/addDays';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { addUnits, type CalendarUnit, dayAt, startOfDay, startOfUnit } from '../time/calendar.js';
import { rangeBetween } from './date-range.js';
import { parseRangeWords, type RangeMeaning } from './range-words.js';
import type { ResolvedRange, WeekStart } from './request.js';

export interface BeforeOptions {
  /** Milliseconds since the epoch: when the range was asked for. */
  readonly askedAt: number;
  readonly weekStart: WeekStart;
  /** True where rows of the report may lie after now, so that a running unit is answered whole. */
  readonly hasFuture: boolean;
}

/** Smallest first. */
const units: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year'];

/**
 * The period that a range is compared with. One calendar unit has the same unit one step back. A unit that is still
 * running, however it was typed (`this-month`, `2026-11`, `since:2026-11-01`), is compared with the unit before up to
 * the same elapsed time, at most to its end. Any other range has as many days directly before; the hours of one that
 * ends now count too. Where rows may lie after now, a running unit is whole on both sides.
 *
 * Undefined where there is nothing before: the range begins in the future, or the period would start before 1970, or
 * the zone skipped it.
 */
export function periodBefore(range: ResolvedRange, options: BeforeOptions): ResolvedRange | undefined {
  const { from, zone } = range;
  const now = Math.floor(options.askedAt / 1000);
  if (from >= now) return undefined;
  const end = options.hasFuture ? range.until : endSoFar(range, now);
  const unit = unitOf(range, options, now);
  const first = unit ? startOneBack(range, unit) : startAsManyDaysBefore({ ...range, until: end });
  if (first < 0 || first >= from) return undefined;
  const until = unit && end < endOfUnit(range, unit) ? Math.min(first + (end - from), from) : from;
  const before = rangeBetween({ from: first, until }, '', zone);
  const { firstDay, lastDay } = before;
  return { ...before, words: firstDay === lastDay ? firstDay : `${firstDay}..${lastDay}` };
}

/** Where a range ends that may still be running, in epoch seconds. */
export function endSoFar({ until }: Pick<ResolvedRange, 'until'>, now: number): number {
  return Math.min(until, now);
}

/** The calendar unit that a range is, or the running one that it is the beginning of. */
function unitOf(range: ResolvedRange, options: BeforeOptions, now: number): CalendarUnit | undefined {
  const meaning = meaningOf(range.words);
  if (meaning?.kind === 'unit' || (meaning?.kind === 'span' && meaning.unit !== undefined))
    return meaning.unit;
  if (meaning?.kind !== 'since' && range.until <= now) return undefined;
  const from = dayAt(range.from, range.zone);
  return [...(meaning?.kind === 'since' ? [meaning.unit] : []), ...units].find(
    (unit) =>
      startOfUnit(from, unit, options.weekStart).getTime() === from.getTime() &&
      range.until <= endOfUnit(range, unit),
  );
}

function meaningOf(words: string): RangeMeaning | undefined {
  const parsed = parseRangeWords(words);
  return !parsed || 'impossible' in parsed ? undefined : parsed.meaning;
}

function startOneBack({ from, zone }: ResolvedRange, unit: CalendarUnit): number {
  return startOfDay(addUnits(dayAt(from, zone), unit, -1), zone);
}

function endOfUnit({ from, zone }: ResolvedRange, unit: CalendarUnit): number {
  return startOfDay(addUnits(dayAt(from, zone), unit, 1), zone);
}

function startAsManyDaysBefore({ from, until, zone }: ResolvedRange): number {
  const first = dayAt(from, zone);
  const last = dayAt(until, zone);
  const days = differenceInCalendarDays(last, first);
  const hours = until - startOfDay(last, zone);
  return startOfDay(addDays(first, -days), zone) - hours;
}
