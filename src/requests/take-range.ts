import { calendarDay, dayInDigits } from '../time/calendar.js';
import type { Asked, OptionsPlace } from './asked.js';
import type { RangeRefusal } from './date-range.js';
import { type Problem, quotable, withReplaced } from './problem.js';
import { isInTheFuture, parseRangeWords } from './range-words.js';
import type { Stretch } from './tokens.js';

/** Takes words that have a range's form, wherever they were typed: alone or after `since:`. */
export function takeRange(
  said: readonly (Stretch & { readonly text: string })[],
  asked: Asked,
  place: OptionsPlace,
): Problem | undefined {
  const typed = said.map(({ text }) => text).join(' ');
  if (asked.rangeTyped.has(typed)) return undefined;
  const stretch = { start: said[0]?.start ?? 0, end: said.at(-1)?.end ?? 0 };
  const word = quotable(place.text.slice(stretch.start, stretch.end));
  const refuse = (refused: RangeRefusal['refused'], right?: string): Problem => ({
    kind: 'range',
    word,
    refused,
    report: place.report.name,
    ...(right === undefined ? {} : { corrected: withReplaced(place.text, stretch, right) }),
    ...(right ? { nearest: right } : {}),
  });
  if (!place.report.range) return refuse('no-range', '');
  const parsed = parseRangeWords(typed);
  if (!parsed) return refuse('not-a-range');
  if ('impossible' in parsed) return refuse(parsed.impossible, possibleRange(typed));
  if (isInTheFuture(parsed.meaning) && !place.report.range.hasFuture) {
    // The date that the range goes by may be typed after it.
    const dates = place.overdueOnly ? [] : (place.report.dateField?.choices ?? []);
    if (!dates.some(({ ahead }) => ahead)) return refuse('future');
    asked.rangeAhead = refuse('future');
  }
  if (asked.range !== undefined && asked.range !== parsed.words) {
    const corrected = withReplaced(place.text, stretch, '');
    return { kind: 'two-ranges', word, other: asked.range, corrected };
  }
  asked.range = parsed.words;
  asked.rangeTyped.add(typed);
  return undefined;
}

/** The range that was probably meant by an impossible one: ends the other way round, the last day of the month, one. */
function possibleRange(typed: string): string | undefined {
  const words = typed.trim().toLowerCase().replace(/\s+/g, '-');
  const ends = words.split(/-?\.\.-?/);
  const swapped = [...ends].reverse().join('..');
  const shortened = words.replace(/(\d{4})-(\d{2})-(\d{2})/g, lastDayOfItsMonth);
  const single = words.replace(/^(last|next)-0+(?=\D|$)/, '$1-1');
  for (const right of [swapped, shortened, single]) {
    const parsed = parseRangeWords(right);
    if (parsed && !('impossible' in parsed)) return parsed.words;
  }
  return undefined;
}

function lastDayOfItsMonth(date: string, year: string, month: string, dayOfMonth: string): string {
  for (let last = Math.min(Number(dayOfMonth), 31); last > 27; last -= 1) {
    const day = calendarDay(Number(year), Number(month), last);
    if (day) return dayInDigits(day);
  }
  return date;
}
