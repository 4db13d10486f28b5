import { addDays } from 'date-fns/addDays';
import type { Report } from '../catalogue/index.js';
import { addUnits, dayAt, dayInDigits, startOfDay, startOfUnit } from '../time/calendar.js';
import { type ImpossibleRange, type RangeMeaning, rangeMeant } from './range-words.js';
import type { ResolvedRange, WeekStart } from './request.js';

/** Why there is no such range for a report now. */
export interface RangeRefusal {
  readonly refused:
    | ImpossibleRange['impossible']
    /** The words have no range's form. */
    | 'not-a-range'
    /** The report has no range. */
    | 'no-range'
    /** It begins in the future, and the report has none. */
    | 'future'
    /** A `since:` that has not begun, for a report that has a future. */
    | 'since-ahead'
    /** No second lies in it: `this-week` at its first second, a day that the zone skipped. */
    | 'empty';
  readonly words: string;
}

interface Bounds {
  /** Epoch seconds, `[from, until)`. */
  readonly from: number;
  readonly until: number;
}

/**
 * Range words, a moment and a zone, made into two instants.
 *
 * @param report as the request reads it: see `reportFor`
 * @param nowMs milliseconds since the epoch; what ends now ends at its whole second
 * @param zone an IANA zone that this machine knows
 */
export function resolveRange(
  words: string,
  report: Report,
  nowMs: number,
  zone: string,
  weekStart: WeekStart,
): ResolvedRange | RangeRefusal {
  const parsed = rangeMeant(words);
  if (!report.range) return { refused: 'no-range', words };
  if (!parsed) return { refused: 'not-a-range', words };
  if ('impossible' in parsed) return { refused: parsed.impossible, words };
  const now = Math.floor(nowMs / 1000);
  const { hasFuture } = report.range;
  const { from, until } = boundsOf(parsed.meaning, now, zone, weekStart, hasFuture);
  if (from > now && !hasFuture) return { refused: 'future', words };
  if (from > now && parsed.meaning.kind === 'since') return { refused: 'since-ahead', words };
  if (from < 0) return { refused: 'before-1970', words };
  if (until <= from) return { refused: 'empty', words };
  return rangeBetween({ from, until }, parsed.words, zone);
}

export function isRefused(range: ResolvedRange | RangeRefusal): range is RangeRefusal {
  return 'refused' in range;
}

/** A resolved range with its first and last day. */
export function rangeBetween({ from, until }: Bounds, words: string, zone: string): ResolvedRange {
  const firstDay = dayInDigits(dayAt(from, zone));
  const lastDay = dayInDigits(dayAt(until - 1, zone));
  // Where clocks go back over midnight, the last second can show the day before the first one.
  return { words, zone, from, until, firstDay, lastDay: lastDay < firstDay ? firstDay : lastDay };
}

function boundsOf(
  meaning: RangeMeaning,
  now: number,
  zone: string,
  weekStart: WeekStart,
  hasFuture: boolean,
): Bounds {
  const today = dayAt(now, zone);
  switch (meaning.kind) {
    case 'unit': {
      const running = startOfUnit(today, meaning.unit, weekStart);
      const first = addUnits(running, meaning.unit, meaning.step);
      const after = addUnits(first, meaning.unit, 1);
      const endsNow = meaning.step === 0 && (meaning.unit === 'day' || !hasFuture);
      return { from: startOfDay(first, zone), until: endsNow ? now : startOfDay(after, zone) };
    }
    case 'last': {
      const running = startOfUnit(today, meaning.unit, weekStart);
      const first = addUnits(running, meaning.unit, -meaning.count);
      return { from: startOfDay(first, zone), until: startOfDay(running, zone) };
    }
    case 'next-days': {
      const tomorrow = addDays(today, 1);
      return {
        from: startOfDay(tomorrow, zone),
        until: startOfDay(addDays(tomorrow, meaning.count), zone),
      };
    }
    case 'span':
      return { from: startOfDay(meaning.first, zone), until: startOfDay(addDays(meaning.last, 1), zone) };
    case 'since':
      return { from: startOfDay(meaning.first, zone), until: now };
    case 'up-to-now':
      return { from: now - meaning.days * 24 * 60 * 60, until: now };
  }
}
