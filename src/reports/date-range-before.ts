import { addDays } from 'date-fns/addDays';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { addUnits, type CalendarUnit, dayAt, startOfDay } from './calendar.js';
import { rangeBetween } from './date-range.js';
import { parseRangeWords } from './date-range-words.js';
import type { ResolvedRange } from './request.js';

/**
 * The period that a range is compared with. A range said as one calendar unit (`last-month`, `2026-Q1`, `today`) has
 * the same unit one step back; what ends now in a running unit is cut at the same elapsed time there, at most at the
 * unit's end. Any other range has as many days directly before; the hours of a `since:` that ends now count too.
 * Undefined where there is nothing before: it would start before 1970, or the zone skipped it.
 */
export function periodBefore(range: ResolvedRange): ResolvedRange | undefined {
  const unit = unitOf(range.words);
  const from = unit ? startOneBack(range, unit) : startAsManyDaysBefore(range);
  const until = unit && endsInside(range, unit) ? from + (range.until - range.from) : range.from;
  if (from < 0 || from >= range.from) return undefined;
  const before = rangeBetween({ from, until: Math.min(until, range.from) }, '', range.zone);
  const { firstDay, lastDay } = before;
  return { ...before, words: firstDay === lastDay ? firstDay : `${firstDay}..${lastDay}` };
}

function unitOf(words: string): CalendarUnit | undefined {
  const parsed = parseRangeWords(words);
  if (!parsed || 'impossible' in parsed) return undefined;
  return parsed.meaning.kind === 'unit' || parsed.meaning.kind === 'span' ? parsed.meaning.unit : undefined;
}

function startOneBack({ from, zone }: ResolvedRange, unit: CalendarUnit): number {
  return startOfDay(addUnits(dayAt(from, zone), unit, -1), zone);
}

/** True when the range ends before its unit does: now. */
function endsInside({ from, until, zone }: ResolvedRange, unit: CalendarUnit): boolean {
  return until < startOfDay(addUnits(dayAt(from, zone), unit, 1), zone);
}

function startAsManyDaysBefore({ from, until, zone }: ResolvedRange): number {
  const first = dayAt(from, zone);
  const last = dayAt(until, zone);
  const days = differenceInCalendarDays(last, first);
  const hours = until - startOfDay(last, zone);
  return startOfDay(addDays(first, -days), zone) - hours;
}
