import { addDays } from 'date-fns/addDays';
import {
  addUnits,
  type CalendarDay,
  type CalendarUnit,
  calendarDay,
  formatIsoDay,
  startOfUnit,
  type WeekStart,
} from '../../time/calendar.js';
import { dayNumberOf, type Word } from './words.js';

/** The day that relative ranges refer to, and the first day of weeks. */
export interface Today {
  readonly today: CalendarDay;
  readonly weekStart: WeekStart;
}

export const months =
  'january february march april may june july august september october november december'.split(' ');
const shortMonths = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
export const weekdayNames = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

export function isOneOf(word: Word | undefined, keys: string): boolean {
  return word?.kind === 'word' && keys.split(' ').includes(word.key);
}

export const unitNames: ReadonlyMap<string, CalendarUnit> = new Map(
  (['day', 'week', 'month', 'quarter', 'year'] as const).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
    [unit.charAt(0), unit],
  ]),
);

export type Direction = 'this' | 'last' | 'past' | 'next';

export const directions: ReadonlyMap<string, Direction> = new Map([
  ['this', 'this'],
  ['current', 'this'],
  ['last', 'last'],
  ['previous', 'last'],
  ['prior', 'last'],
  ['past', 'past'],
  ['next', 'next'],
  ['coming', 'next'],
  ['following', 'next'],
]);

export const unitsAhead: Readonly<Record<Exclude<Direction, 'past'>, number>> = {
  this: 0,
  next: 1,
  last: -1,
};

export function unitWords(first: CalendarDay, unit: 'quarter' | 'year'): string {
  const year = first.getFullYear();
  return unit === 'year' ? `${year}` : `${year}-Q${Math.floor(first.getMonth() / 3) + 1}`;
}

/** A day, or the unit that some words name, perhaps without its year. */
export interface DatePoint {
  readonly unit: 'day' | 'week' | 'month' | 'quarter' | 'half' | 'year';
  /** Set for points that need no year: `yesterday`. */
  readonly day?: CalendarDay;
  /** The day in the other direction: `friday` can be the one before or the one ahead. */
  readonly dayAhead?: CalendarDay | undefined;
  readonly year?: number;
  /** Week 1 to 53, month 1 to 12, quarter 1 to 4 or half 1 to 2. */
  readonly number?: number;
  readonly dayOfMonth?: number;
  /** `01/02/2026` read the other way round. */
  readonly otherwise?: DatePoint;
  /** True for `10/15/2026`, which has one reading. */
  readonly isMonthFirst?: true;
}

export interface DatePointAt {
  readonly point: DatePoint;
  readonly length: number;
}

export interface Interval {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
  readonly words: string;
}

/** @param isEnd true for an end of a range, where `the 5th` takes its month from the other end */
export function datePointAt(
  words: readonly Word[],
  start: number,
  today: Today,
  isEnd = false,
): DatePointAt | undefined {
  const skipped = isOneOf(words[start], 'the') ? 1 : 0;
  const at = start + skipped;
  const dated = namedPointAt(words, at, today) ?? datedPointAt(words, at, today);
  const hasArticle = isOneOf(words[at - 1], 'the') && !isEnd;
  const found = dated ?? (hasArticle ? dayOfMonthAt(words, at, today) : undefined);
  return found && { point: found.point, length: found.length + skipped };
}

/** `the 5th`, `the 5th of last month` */
function dayOfMonthAt(words: readonly Word[], at: number, { today }: Today): DatePointAt | undefined {
  const dayOfMonth = /^\d+(?:st|nd|rd|th)$/.test(words[at]?.key ?? '') && dayNumberOf(words[at]?.key ?? '');
  if (!dayOfMonth) return undefined;
  const isOf = isOneOf(words[at + 1], 'of') && isOneOf(words[at + 3], 'month');
  const direction = isOf ? directions.get(words[at + 2]?.key ?? '') : undefined;
  const inMonth = (offset: number) => {
    const month = addUnits(startOfUnit(today, 'month', 'monday'), 'month', offset);
    return calendarDay(month.getFullYear(), month.getMonth() + 1, dayOfMonth);
  };
  if (direction && direction !== 'past') {
    const day = inMonth(unitsAhead[direction]);
    return day && { length: 4, point: { unit: 'day', day } };
  }
  const days = [-2, -1, 0, 1, 2].map(inMonth).filter((day) => day !== undefined);
  const [day, dayAhead] = [days.findLast((each) => each <= today), days.find((each) => each >= today)];
  return day && { length: 1, point: { unit: 'day', day, dayAhead } };
}

/** `today`, `last friday`, `the start of the year`, `Q3 2026`, `first half of 2026`, `2026`. */
function namedPointAt(
  words: readonly Word[],
  at: number,
  { today, weekStart }: Today,
): DatePointAt | undefined {
  const [first, second, third] = [words[at], words[at + 1], words[at + 2]];
  if (!first) return undefined;
  if (first.kind === 'iso') return isoPoint(first.key);
  if (first.kind === 'date') return numericPoint(first.text);
  if (first.kind !== 'word') return undefined;
  const { key } = first;
  const day = (offset: number, length: number): DatePointAt => ({
    length,
    point: { unit: 'day', day: addDays(today, offset) },
  });
  if (key === 'today') return day(0, 1);
  if (key === 'yesterday') return day(-1, 1);
  if (key === 'tomorrow') return day(1, 1);
  if (key === 'day' && isOneOf(second, 'before') && isOneOf(third, 'yesterday')) return day(-2, 3);
  const edge = edgeOfUnitAt(words, at, today, weekStart);
  if (edge) return edge;
  const weekday = weekdayAt(words, at, today);
  if (weekday) return weekday;
  const quarter =
    /^q([1-4])$/.exec(key)?.[1] ?? (isOneOf(second, 'quarter') ? ordinalNumber(key, 4) : undefined);
  if (quarter !== undefined)
    return withYear(words, at, key.startsWith('q') ? 1 : 2, 'quarter', Number(quarter), today);
  const week = weekNumberAt(words, at);
  if (week) return withYear(words, at, week.length, 'week', week.number, today);
  const half = /^h([12])$/.exec(key)?.[1] ?? (isOneOf(second, 'half') ? ordinalNumber(key, 2) : undefined);
  if (half !== undefined)
    return withYear(words, at, key.startsWith('h') ? 1 : 2, 'half', Number(half), today);
  const named = key === 'year' ? yearOf(second) : undefined;
  if (named !== undefined) return { length: 2, point: { unit: 'year', year: named } };
  const year = yearOf(first);
  if (year === undefined) return undefined;
  const quarterAfter = /^q([1-4])$/.exec(second?.key ?? '')?.[1];
  if (quarterAfter) return { length: 2, point: { unit: 'quarter', year, number: Number(quarterAfter) } };
  return { length: 1, point: { unit: 'year', year } };
}

/** `week 45`, `calendar week 45`, `CW45` */
function weekNumberAt(words: readonly Word[], at: number) {
  const calendar = isOneOf(words[at], 'calendar') ? 1 : 0;
  const named = isOneOf(words[at + calendar], 'week weeks cw kw wk') ? 1 : 0;
  const typed = words[at + calendar + named]?.key ?? '';
  const number = Number((named ? /^\d{1,2}$/ : /(?<=^[ckw]w|^wk?)\d{1,2}$/).exec(typed)?.[0] ?? 0);
  return number >= 1 && number <= 53 ? { number, length: calendar + named + 1 } : undefined;
}

function ordinalNumber(key: string, max: number): number | undefined {
  const number = /^\d+$/.test(key) ? undefined : dayNumberOf(key);
  return number !== undefined && number <= max ? number : undefined;
}

/** A unit with the year that follows it, if one does. */
function withYear(
  words: readonly Word[],
  at: number,
  length: number,
  unit: 'week' | 'month' | 'quarter' | 'half',
  number: number,
  today: CalendarDay,
): DatePointAt {
  const of = isOneOf(words[at + length], 'of in') || words[at + length]?.kind === 'comma' ? 1 : 0;
  const year = yearOf(words[at + length + of]);
  if (year !== undefined) return { length: length + of + 1, point: { unit, number, year } };
  const which = words[at + length + of]?.key ?? '';
  const direction = which === 'the' && of > 0 ? 'this' : directions.get(which);
  if (!direction || direction === 'past' || words[at + length + of + 1]?.key !== 'year') {
    return { length, point: { unit, number } };
  }
  return {
    length: length + of + 2,
    point: { unit, number, year: today.getFullYear() + unitsAhead[direction] },
  };
}

function yearOf(word: Word | undefined): number | undefined {
  if (word?.kind !== 'word' || !/^(?:19[7-9]\d|[2-9]\d{3})$/.test(word.key)) return undefined;
  return Number(word.key);
}

/** `start of the year`, `end of this month`. */
function edgeOfUnitAt(
  words: readonly Word[],
  at: number,
  today: CalendarDay,
  weekStart: WeekStart,
): DatePointAt | undefined {
  const isStart = isOneOf(words[at], 'start beginning');
  if (!isStart && !isOneOf(words[at], 'end')) return undefined;
  const of = isOneOf(words[at + 1], 'of') ? 1 : 0;
  const which = directions.get(words[at + 1 + of]?.key ?? '') ?? 'this';
  const named = isOneOf(words[at + 1 + of], 'the') || directions.has(words[at + 1 + of]?.key ?? '') ? 1 : 0;
  const unitKey = words[at + 1 + of + named]?.key ?? '';
  const unit = unitKey.length > 1 ? unitNames.get(unitKey) : undefined;
  if (!unit) return edgeOfPointAt(words, at, 1 + of, isStart, { today, weekStart });
  if (unit === 'day' || which === 'past') return undefined;
  const first = addUnits(startOfUnit(today, unit, weekStart), unit, unitsAhead[which]);
  const day = isStart ? first : addDays(addUnits(first, unit, 1), -1);
  return { length: 2 + of + named, point: { unit: 'day', day } };
}

/** `beginning of october`, `end of Q3` */
function edgeOfPointAt(
  words: readonly Word[],
  at: number,
  skipped: number,
  isStart: boolean,
  today: Today,
): DatePointAt | undefined {
  const found = datePointAt(words, at + skipped, today);
  if (!found || found.point.unit === 'day') return undefined;
  const edgeOf = (interval: Interval | undefined) => (isStart ? interval?.first : interval?.last);
  const day = edgeOf(latestBegun(found.point, today.today));
  const dayAhead = edgeOf(nextEnding(found.point, today.today));
  return day && { length: found.length + skipped, point: { unit: 'day', day, dayAhead } };
}

/** `friday`, `last friday`, `next friday`. A date can follow: `friday 13 november`. */
function weekdayAt(words: readonly Word[], at: number, today: CalendarDay): DatePointAt | undefined {
  const direction = directions.get(words[at]?.key ?? '');
  const named = direction ? at + 1 : at;
  const word = words[named];
  if (word?.kind !== 'word') return undefined;
  const index = weekdayNames.findIndex((name) => name === word.key || name.slice(0, 3) === word.key);
  if (index < 0) return undefined;
  const back = (today.getDay() - index + 7) % 7;
  const forth = (index - today.getDay() + 7) % 7;
  const length = named - at + 1;
  if (direction === 'last' || direction === 'past') {
    return { length, point: { unit: 'day', day: addDays(today, -(back || 7)) } };
  }
  if (direction === 'next') return { length, point: { unit: 'day', day: addDays(today, forth || 7) } };
  return { length, point: { unit: 'day', day: addDays(today, -back), dayAhead: addDays(today, forth) } };
}

function isoPoint(key: string): DatePointAt | undefined {
  const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-q([1-4]))?$/.exec(key);
  if (!form) return undefined;
  const [, year, month, dayOfMonth, quarter] = form;
  const numbers = { year: Number(year), number: Number(month ?? quarter) };
  if (quarter) return { length: 1, point: { unit: 'quarter', ...numbers } };
  if (dayOfMonth) return { length: 1, point: { unit: 'day', ...numbers, dayOfMonth: Number(dayOfMonth) } };
  return { length: 1, point: { unit: 'month', ...numbers } };
}

/** `13.11.2026` and `13/11` have one reading, `03/04/2026` two, day first. `10/2026` is a month. */
function numericPoint(text: string): DatePointAt | undefined {
  const parts = text.replace(/\.$/, '').split(/[/.]/);
  if ((parts[0]?.length ?? 0) > 2) return isoPoint(parts.map((part) => part.padStart(2, '0')).join('-'));
  const [first = 0, second = 0, yearTyped] = parts.map(Number);
  if (parts.length === 2 && (parts[1]?.length ?? 0) > 2) {
    const isMonth = first >= 1 && first <= 12;
    return isMonth ? { length: 1, point: { unit: 'month', year: second, number: first } } : undefined;
  }
  const year = yearTyped !== undefined && yearTyped < 100 ? 2000 + yearTyped : yearTyped;
  const dayFirst: DatePoint = { unit: 'day', year, number: second, dayOfMonth: first };
  const monthFirst: DatePoint = { unit: 'day', year, number: first, dayOfMonth: second };
  // 29 February exists in some years.
  const [one, two] = [dayFirst, text.includes('.') ? undefined : monthFirst].filter(
    (point) => point !== undefined && resolvePoint(point, year ?? 2024) !== undefined,
  );
  if (!one) return undefined;
  if (one === monthFirst) return { length: 1, point: { ...one, isMonthFirst: true } };
  const isSame = two?.number === one.number && two?.dayOfMonth === one.dayOfMonth;
  return { length: 1, point: { ...one, otherwise: isSame ? undefined : two } };
}

function monthOf(word: Word | undefined): number | undefined {
  if (word?.kind !== 'word') return undefined;
  const key = word.key === 'sept' ? 'sep' : word.key;
  const index = Math.max(months.indexOf(key), shortMonths.indexOf(key));
  return index < 0 ? undefined : index + 1;
}

/** `november`, `last november`, `1 november 2025`, `november 1st`, `the 1st of november`. */
function datedPointAt(words: readonly Word[], start: number, { today }: Today): DatePointAt | undefined {
  const isLast = isOneOf(words[start], 'last previous');
  const at = start + (isLast || (isOneOf(words[start], 'this') && monthOf(words[start + 1])) ? 1 : 0);
  const month = monthOf(words[at]);
  if (month !== undefined) {
    const dayOfMonth = dayNumberOf(words[at + 1]?.key ?? '');
    if (dayOfMonth !== undefined && !isLast) {
      const dated = withYear(words, at, 2, 'month', month, today);
      return { length: dated.length + at - start, point: { ...dated.point, unit: 'day', dayOfMonth } };
    }
    const named = withYear(words, at, 1, 'month', month, today);
    const length = named.length + at - start;
    if (!isLast || named.point.year !== undefined) return { ...named, length };
    const year = today.getMonth() + 1 > month ? today.getFullYear() : today.getFullYear() - 1;
    return { length, point: { ...named.point, year } };
  }
  const dayOfMonth = dayNumberOf(words[at]?.key ?? '');
  if (dayOfMonth === undefined || at !== start) return undefined;
  const of = isOneOf(words[at + 1], 'of') ? 1 : 0;
  const monthAfter = monthOf(words[at + 1 + of]);
  if (monthAfter === undefined) return undefined;
  const dated = withYear(words, at, 2 + of, 'month', monthAfter, today);
  return { length: dated.length, point: { ...dated.point, unit: 'day', dayOfMonth } };
}

/** The number of the first month of a unit, from 1. */
function firstMonthOf(unit: DatePoint['unit'], number: number): number {
  if (unit === 'year') return 1;
  if (unit === 'half') return 6 * number - 5;
  return unit === 'quarter' ? 3 * number - 2 : number;
}

/** The days of a point in a year; undefined if the year has no such day. */
export function resolvePoint(point: DatePoint, year: number, isAhead = false): Interval | undefined {
  const { unit, number = 1, dayOfMonth = 1, day, dayAhead } = point;
  const fixed = isAhead ? (dayAhead ?? day) : day;
  if (fixed) return { first: fixed, last: fixed, words: formatIsoDay(fixed) };
  if (unit === 'week') {
    // The week of 4 January is the first one.
    const inFirst = calendarDay(year, 1, 4);
    if (!inFirst) return undefined;
    const start = addDays(startOfUnit(inFirst, 'week', 'monday'), 7 * (number - 1));
    const end = addDays(start, 6);
    return { first: start, last: end, words: `${formatIsoDay(start)}..${formatIsoDay(end)}` };
  }
  const first = calendarDay(year, firstMonthOf(unit, number), dayOfMonth);
  if (!first) return undefined;
  if (unit === 'half') {
    const quarter = number * 2 - 1;
    const last = addDays(addUnits(first, 'quarter', 2), -1);
    return { first, last, words: `${year}-Q${quarter}..${year}-Q${quarter + 1}` };
  }
  const last = addDays(addUnits(first, unit, 1), -1);
  const iso = formatIsoDay(first);
  const words = { day: iso, month: iso.slice(0, 7), quarter: unitWords(first, 'quarter'), year: `${year}` }[
    unit
  ];
  return { first, last, words };
}

const maxYearsBack = 8;

/** The point in its own year; without one, the latest that has begun by a day. */
export function latestBegun(point: DatePoint, by: CalendarDay): Interval | undefined {
  if (point.year !== undefined) return resolvePoint(point, point.year);
  for (let year = by.getFullYear(); year >= by.getFullYear() - maxYearsBack; year -= 1) {
    const interval = resolvePoint(point, year);
    if (interval && (interval.first <= by || point.day)) return interval;
  }
  return undefined;
}

/** Further ahead, nobody leaves out the year. */
const maxDaysAhead = 184;

/** The first one that does not end before a day, if it begins within half a year. */
export function nextEnding(point: DatePoint, from: CalendarDay): Interval | undefined {
  const found = firstEnding(point, from);
  const isFar = found && point.year === undefined && found.first > addDays(from, maxDaysAhead);
  return isFar ? undefined : found;
}

export function firstEnding(point: DatePoint, from: CalendarDay): Interval | undefined {
  if (point.year !== undefined) return resolvePoint(point, point.year);
  for (let year = from.getFullYear(); year <= from.getFullYear() + maxYearsBack; year += 1) {
    const interval = resolvePoint(point, year, true);
    if (interval && (interval.last >= from || point.day)) return interval;
  }
  return undefined;
}

export function alternatives(point: DatePoint): readonly DatePoint[] {
  return point.otherwise ? [{ ...point, otherwise: undefined }, point.otherwise] : [point];
}
