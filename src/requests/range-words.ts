import { addDays } from 'date-fns/addDays';
import { ok, type Result, refused } from '../errors/failure.js';
import { addUnits, type CalendarDay, type CalendarUnit, calendarDay } from '../time/calendar.js';
import { units } from './calendar-words.js';
import type { TextSpan, Token } from './tokens.js';

/** The meaning of range words, without clock and zone. */
export type RangeMeaning =
  /**
   * `count` units from the one that is `first` units from the running one: 0 and 1 `this-week`, -3 and 3
   * `last-3-weeks`, 1 and 14 `next-14-days`. Without a count: up to now.
   */
  | { readonly kind: 'units'; readonly unit: CalendarUnit; readonly first: number; readonly count?: number }
  /** From a day to a day, both included; `unit` where the words named one calendar unit, such as `2026-Q1`. */
  | {
      readonly kind: 'span';
      readonly first: CalendarDay;
      readonly last: CalendarDay;
      readonly unit?: CalendarUnit;
    }
  /** From the first day of a unit on; `unit` is what the words named. */
  | { readonly kind: 'since'; readonly first: CalendarDay; readonly unit: CalendarUnit }
  /** From now to the end of a calendar day, of which today is the first. A default that cannot be typed. */
  | { readonly kind: 'from-now'; readonly days: number };

export interface RangeWords {
  /** The canonical spelling, which reads back to the same. */
  readonly words: string;
  readonly meaning: RangeMeaning;
}

/**
 * What `overdue`, `due` and open states look at by assigned date, where nothing else is typed. It begins with a year, so
 * that nothing leaves a list because its assignment grows older by a day.
 */
export const sinceLastYear: RangeWords = {
  words: 'since-last-year',
  meaning: { kind: 'units', unit: 'year', first: -1 },
};

/** The default range of `due`. */
export const weekFromNow: RangeWords = {
  words: '7-days-from-now',
  meaning: { kind: 'from-now', days: 7 },
};

export type RangeWordsRefusal =
  /** They do not have the form of a range. All other reasons are for words that do. */
  'not-a-range' | 'no-such-date' | 'count' | 'backwards' | 'before-1970';

type RangeRead = Result<RangeWords, RangeWordsRefusal>;

/** The longest range has this many words: `2026 03 01 .. 2026 03 31`. */
export const maxRangeWords = 7;

const firstYear = 1970;

/** Higher counts go back beyond 1970. */
const maxCount = 99_999;

/** Every range without a number or a date, in the order that help lists them. */
const namedRanges: ReadonlyMap<string, RangeMeaning> = new Map([
  ['today', unitAway('day', 0)],
  ['yesterday', unitAway('day', -1)],
  ...units
    .slice(1)
    .flatMap((unit) => [
      [`this-${unit}`, unitAway(unit, 0)] as const,
      [`last-${unit}`, unitAway(unit, -1)] as const,
    ]),
  ['tomorrow', unitAway('day', 1)],
  ['next-week', unitAway('week', 1)],
  ['next-month', unitAway('month', 1)],
]);

function unitAway(unit: CalendarUnit, first: -1 | 0 | 1): RangeMeaning {
  return { kind: 'units', unit, first, count: 1 };
}

/** The ranges that need no number and no date; `future` ones are for reports that have a future. */
export function rangeNames(future: boolean): readonly string[] {
  return [...namedRanges].filter(([, meaning]) => future || !isInTheFuture(meaning)).map(([name]) => name);
}

/** True for words that begin after the running day whatever the time is. */
export function isInTheFuture(meaning: RangeMeaning): boolean {
  return meaning.kind === 'units' && meaning.first > 0;
}

/** True for words that name dates, and mean the same days at any time: `2026-Q1`, `since:2026-03`. */
export function hasDates(words: string): boolean {
  const parsed = parseRangeWords(words);
  return parsed.ok && (parsed.value.meaning.kind === 'span' || parsed.value.meaning.kind === 'since');
}

/** What the words of a request's range mean: those that can be typed, and its default. */
export function parseRequestRange(words: string): RangeRead {
  if (words === sinceLastYear.words) return ok(sinceLastYear);
  if (words === weekFromNow.words) return ok(weekFromNow);
  const [, digits, unitName] = /^(\d+)-([a-z]+)s-before-last$/.exec(words) ?? [];
  const unit = units.find((known) => known === unitName);
  if (!unit) return parseRangeWords(words);
  // The units of `over:` that have been over for one unit.
  const count = Number(digits);
  return ok({ words, meaning: { kind: 'units', unit, first: -count - 1, count } });
}

/** True for words that have the form of a range, also where there is no such range: `2026-02-30`. */
export function hasRangeForm(text: string): boolean {
  const parsed = parseRangeWords(text);
  return parsed.ok || parsed.refusal !== 'not-a-range';
}

/** Parses one range, in any case, with `-` or blanks between its words. */
export function parseRangeWords(text: string): RangeRead {
  if (text.length > 60) return refused('not-a-range');
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[-\s]*\.\.[-\s]*/, '..')
    .replace(/^since:\s+/, 'since:')
    .replace(/\s+/g, '-');
  const named = namedRanges.get(words);
  if (named) return ok({ words, meaning: named });
  const counted = /^(last|next)-(\d+)(?:-?([dwmqy])|-(day|week|month|quarter|year)s?)$/.exec(words);
  if (counted) return countedRange(counted[1] ?? '', counted[2] ?? '', counted[3] ?? counted[4] ?? '');
  if (words.startsWith('since:')) {
    const date = dateUnit(words.slice('since:'.length));
    if (!date.ok) return date;
    const { first, unit } = date.value;
    return ok({ words: `since:${date.value.words}`, meaning: { kind: 'since', first, unit } });
  }
  const [first = '', last, ...more] = words.split('..');
  return more.length > 0 ? refused('not-a-range') : spanRange(first, last);
}

function countedRange(direction: string, digits: string, unitName: string): RangeRead {
  const unit = units.find((known) => known.startsWith(unitName)) ?? 'day';
  if (direction === 'next' && unit !== 'day') return refused('not-a-range');
  const count = Number(digits);
  if (count < 1 || count > maxCount) return refused('count');
  const isNext = direction === 'next';
  const meaning: RangeMeaning = { kind: 'units', unit, first: isNext ? 1 : -count, count };
  if (count > 1) return ok({ words: `${direction}-${count}-${unit}s`, meaning });
  const ofDay = isNext ? 'tomorrow' : 'yesterday';
  return ok({ words: unit === 'day' ? ofDay : `last-${unit}`, meaning });
}

function spanRange(firstText: string, lastText: string | undefined): RangeRead {
  const starting = dateUnit(firstText);
  const ending = lastText === undefined ? starting : dateUnit(lastText);
  if (!ending.ok && ending.refusal === 'not-a-range') return ending;
  if (!starting.ok) return starting;
  if (!ending.ok) return ending;
  const [start, end] = [starting.value, ending.value];
  if (end.last < start.first) return refused('backwards');
  const isOneUnit = end.words === start.words;
  return ok({
    words: isOneUnit ? start.words : `${start.words}..${end.words}`,
    meaning: {
      kind: 'span',
      first: start.first,
      last: end.last,
      unit: isOneUnit ? start.unit : undefined,
    },
  });
}

interface DateUnit {
  readonly words: string;
  readonly unit: CalendarUnit;
  readonly first: CalendarDay;
  readonly last: CalendarDay;
}

/** `2026-03-05`, `2026-03`, `2026-q1` or `2026`. */
function dateUnit(text: string): Result<DateUnit, RangeWordsRefusal> {
  const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-q(\d))?$/.exec(text);
  if (!form) return refused('not-a-range');
  const [, year, month, dayOfMonth, quarter] = form;
  const quarterMonth = quarter === undefined ? undefined : Number(quarter) * 3 - 2;
  const first = calendarDay(Number(year), quarterMonth ?? Number(month ?? 1), Number(dayOfMonth ?? 1));
  if (Number(year) < firstYear) return refused('before-1970');
  if (!first) return refused('no-such-date');
  const unit = (dayOfMonth && 'day') || (month && 'month') || (quarter && 'quarter') || 'year';
  return ok({ words: text.toUpperCase(), unit, first, last: addDays(addUnits(first, unit, 1), -1) });
}

/** The first word of a range without a colon, and its further words. A quick check, because most words are neither. */
const rangeBeginning = /^(?:today|yesterday|tomorrow|this|last|next|\d)/i;

const rangeGoesOn = /^(?:\d|q\d|\.\.|[dwmqy]$|(?:day|week|month|quarter|year)s?$)/i;

/** A range as it stands in a text. */
export interface TypedRange extends TextSpan {
  /** Its words, with one blank between them. */
  readonly text: string;
  /** How many words it has. */
  readonly tokens: number;
}

/** The longest range that begins at `index`. */
export function rangeAt(
  tokens: readonly Token[],
  index: number,
  known: ReadonlySet<string> = new Set(),
): TypedRange | undefined {
  const start = tokens[index]?.start ?? 0;
  let text = '';
  let range: TypedRange | undefined;
  for (const [before, token] of tokens.slice(index, index + maxRangeWords).entries()) {
    const fits = before === 0 ? rangeBeginning : rangeGoesOn;
    if (token.kind !== 'word' || !fits.test(token.text)) break;
    text = before === 0 ? token.text : `${text} ${token.text}`;
    if (known.has(text) || hasRangeForm(text)) range = { text, start, end: token.end, tokens: before + 1 };
  }
  return range;
}
