import { addDays } from 'date-fns/addDays';
import { weekdays } from '../../schedule/cadence.js';
import {
  addUnits,
  type CalendarDay,
  type CalendarUnit,
  calendarDay,
  formatIsoDay,
  startOfUnit,
} from '../../time/calendar.js';
import { dayNumberOf, monthNumber, unitWords, weekdayWords } from '../calendar-words.js';
import type { Sentence } from './words.js';

export type Direction = 'this' | 'last' | 'past' | 'next';

export const directions = new Map(
  Object.entries<Direction>({
    this: 'this',
    current: 'this',
    last: 'last',
    previous: 'last',
    prior: 'last',
    past: 'past',
    next: 'next',
    coming: 'next',
    following: 'next',
  }),
);

export const unitsAhead: Readonly<Record<Exclude<Direction, 'past'>, number>> = {
  this: 0,
  next: 1,
  last: -1,
};

/** `2026-03-05`, `2026-03`, `2026-Q1`, `2026` */
export function nameOfUnit(first: CalendarDay, unit: Exclude<CalendarUnit, 'week'>): string {
  const year = first.getFullYear();
  if (unit === 'quarter') return `${year}-Q${Math.floor(first.getMonth() / 3) + 1}`;
  return unit === 'year' ? `${year}` : formatIsoDay(first).slice(0, unit === 'month' ? 7 : undefined);
}

/** A month, a quarter or a year by its name. */
export function wordsOfSpan(first: CalendarDay, last: CalendarDay): string {
  const isStart = first.getDate() === 1 && addDays(last, 1).getDate() === 1;
  const months = 12 * (last.getFullYear() - first.getFullYear()) + last.getMonth() - first.getMonth() + 1;
  if (isStart && months === 1) return nameOfUnit(first, 'month');
  if (isStart && months === 3 && first.getMonth() % 3 === 0) return nameOfUnit(first, 'quarter');
  if (isStart && months === 12 && first.getMonth() === 0) return nameOfUnit(first, 'year');
  return spanWords(first, last);
}

/** From a day to a day, both included, in canonical words. */
export function spanWords(first: CalendarDay, last: CalendarDay): string {
  const [start, end] = [formatIsoDay(first), formatIsoDay(last)];
  return start === end ? start : `${start}..${end}`;
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

/** The last day of some units in a row. */
export function endOfUnits(first: CalendarDay, unit: CalendarUnit, count = 1): CalendarDay {
  return addDays(addUnits(first, unit, count), -1);
}

/** The first day of a unit, counted from the running one. */
export function unitFromNow({ today, weekStart }: Sentence, unit: CalendarUnit, ahead: number): CalendarDay {
  return addUnits(startOfUnit(today, unit, weekStart), unit, ahead);
}

/** The unit that a word names in full. */
export function unitAt(sentence: Sentence, at: number): CalendarUnit | undefined {
  const key = sentence.key(at);
  return key.length > 1 ? unitWords.get(key) : undefined;
}

/** @param isEnd true for an end of a range, where `the 5th` takes its month from the other end */
export function datePointAt(sentence: Sentence, start: number, isEnd = false): DatePointAt | undefined {
  const skipped = sentence.is(start, 'the') ? 1 : 0;
  const at = start + skipped;
  const hasArticle = sentence.is(at - 1, 'the') && !isEnd;
  const found =
    namedPointAt(sentence, at) ??
    datedPointAt(sentence, at) ??
    (hasArticle ? dayOfMonthAt(sentence, at) : undefined);
  return found && { point: found.point, length: found.length + skipped };
}

/** `the 5th`, `the 5th of last month` */
function dayOfMonthAt(sentence: Sentence, at: number): DatePointAt | undefined {
  const { today } = sentence;
  const dayOfMonth = /^\d+(?:st|nd|rd|th)$/.test(sentence.key(at)) && dayNumberOf(sentence.key(at));
  if (!dayOfMonth) return undefined;
  const isOf = sentence.is(at + 1, 'of') && sentence.is(at + 3, 'month');
  const direction = isOf ? directions.get(sentence.key(at + 2)) : undefined;
  const inMonth = (offset: number) => {
    const month = unitFromNow(sentence, 'month', offset);
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
function namedPointAt(sentence: Sentence, at: number): DatePointAt | undefined {
  const first = sentence.words[at];
  if (first?.kind === 'iso') return isoPoint(first.key);
  if (first?.kind === 'date') return numericPoint(first.text);
  if (first?.kind !== 'word') return undefined;
  const offset = ['yesterday', 'today', 'tomorrow'].indexOf(first.key) - 1;
  if (offset >= -1) return { length: 1, point: { unit: 'day', day: addDays(sentence.today, offset) } };
  if (first.key === 'day' && sentence.is(at + 1, 'before') && sentence.is(at + 2, 'yesterday')) {
    return { length: 3, point: { unit: 'day', day: addDays(sentence.today, -2) } };
  }
  const year = yearAt(sentence, first.key === 'year' ? at + 1 : at);
  const named =
    edgeOfUnitAt(sentence, at) ??
    weekdayAt(sentence, at) ??
    numberedAt(sentence, at, 'quarter', 4) ??
    weekNumberAt(sentence, at) ??
    numberedAt(sentence, at, 'half', 2);
  if (named || year === undefined) return named;
  if (first.key === 'year') return { length: 2, point: { unit: 'year', year } };
  const quarter = /^q([1-4])$/.exec(sentence.key(at + 1))?.[1];
  if (quarter) return { length: 2, point: { unit: 'quarter', year, number: Number(quarter) } };
  return { length: 1, point: { unit: 'year', year } };
}

/** `Q3`, `third quarter`, `h1 2026` */
function numberedAt(
  sentence: Sentence,
  at: number,
  unit: 'quarter' | 'half',
  max: number,
): DatePointAt | undefined {
  const [, letter, digit] = /^([qh])([1-4])$/.exec(sentence.key(at)) ?? [];
  if (letter === unit.charAt(0)) {
    return Number(digit) > max ? undefined : withYear(sentence, at, 1, unit, Number(digit));
  }
  const number = /^\d+$/.test(sentence.key(at)) ? undefined : dayNumberOf(sentence.key(at));
  if (!sentence.is(at + 1, unit) || number === undefined || number > max) return undefined;
  return withYear(sentence, at, 2, unit, number);
}

/** `week 45`, `calendar week 45`, `CW45` */
function weekNumberAt(sentence: Sentence, at: number): DatePointAt | undefined {
  const calendar = sentence.is(at, 'calendar') ? 1 : 0;
  const named = sentence.is(at + calendar, 'week weeks cw kw wk') ? 1 : 0;
  const typed = sentence.key(at + calendar + named);
  const number = Number((named ? /^\d{1,2}$/ : /(?<=^[ckw]w|^wk?)\d{1,2}$/).exec(typed)?.[0] ?? 0);
  if (number < 1 || number > 53) return undefined;
  return withYear(sentence, at, calendar + named + 1, 'week', number);
}

/** A unit with the year that follows it, if one does. */
function withYear(
  sentence: Sentence,
  at: number,
  length: number,
  unit: 'week' | 'month' | 'quarter' | 'half',
  number: number,
): DatePointAt {
  const next = at + length;
  const of = sentence.is(next, 'of in ,') ? 1 : 0;
  const year = yearAt(sentence, next + of);
  if (year !== undefined) return { length: length + of + 1, point: { unit, number, year } };
  const which = sentence.key(next + of);
  const direction = which === 'the' && of > 0 ? 'this' : directions.get(which);
  if (!direction || direction === 'past' || sentence.key(next + of + 1) !== 'year') {
    return { length, point: { unit, number } };
  }
  const said = sentence.today.getFullYear() + unitsAhead[direction];
  return { length: length + of + 2, point: { unit, number, year: said } };
}

function yearAt({ words }: Sentence, at: number): number | undefined {
  const word = words[at];
  const isYear = word?.kind === 'word' && /^(?:19[7-9]\d|[2-9]\d{3})$/.test(word.key);
  return isYear ? Number(word.key) : undefined;
}

/** `start of the year`, `end of this month`, `beginning of october`, `end of Q3` */
function edgeOfUnitAt(sentence: Sentence, at: number): DatePointAt | undefined {
  const isStart = sentence.is(at, 'start beginning');
  if (!isStart && !sentence.is(at, 'end')) return undefined;
  const next = sentence.is(at + 1, 'of') ? at + 2 : at + 1;
  const direction = directions.get(sentence.key(next));
  const named = direction || sentence.is(next, 'the') ? next + 1 : next;
  const unit = unitAt(sentence, named);
  if (unit) {
    if (unit === 'day' || direction === 'past') return undefined;
    const first = unitFromNow(sentence, unit, unitsAhead[direction ?? 'this']);
    return { length: named + 1 - at, point: { unit: 'day', day: isStart ? first : endOfUnits(first, unit) } };
  }
  const found = datePointAt(sentence, next);
  if (!found || found.point.unit === 'day') return undefined;
  const edgeOf = (interval: Interval | undefined) => (isStart ? interval?.first : interval?.last);
  const day = edgeOf(latestBegun(found.point, sentence.today));
  const dayAhead = edgeOf(nextEnding(found.point, sentence.today));
  return day && { length: found.length + next - at, point: { unit: 'day', day, dayAhead } };
}

/** `friday`, `last friday`, `next friday`. A date can follow: `friday 13 november`. */
function weekdayAt(sentence: Sentence, at: number): DatePointAt | undefined {
  const { today } = sentence;
  const direction = directions.get(sentence.key(at));
  const named = direction ? at + 1 : at;
  const weekday = sentence.words[named]?.kind === 'word' && weekdayWords.get(sentence.key(named));
  if (!weekday) return undefined;
  // Days of dates are counted from Sunday.
  const back = (today.getDay() - weekdays.indexOf(weekday) + 6) % 7;
  const forth = (7 - back) % 7;
  const dayIn = (days: number) => addDays(today, days);
  const length = named - at + 1;
  if (direction === 'last' || direction === 'past') {
    return { length, point: { unit: 'day', day: dayIn(-(back || 7)) } };
  }
  if (direction === 'next') return { length, point: { unit: 'day', day: dayIn(forth || 7) } };
  return { length, point: { unit: 'day', day: dayIn(-back), dayAhead: dayIn(forth) } };
}

function isoPoint(key: string): DatePointAt | undefined {
  const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-q([1-4]))?$/.exec(key);
  if (!form) return undefined;
  const [, year, month, dayOfMonth, quarter] = form;
  const numbers = { year: Number(year), number: Number(month ?? quarter) };
  if (dayOfMonth) return { length: 1, point: { unit: 'day', ...numbers, dayOfMonth: Number(dayOfMonth) } };
  return { length: 1, point: { unit: quarter ? 'quarter' : 'month', ...numbers } };
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
  return { length: 1, point: { ...one, otherwise: first === second ? undefined : two } };
}

function monthAt({ words }: Sentence, at: number): number | undefined {
  const word = words[at];
  return word?.kind === 'word' ? monthNumber(word.key) : undefined;
}

/** `november`, `last november`, `1 november 2025`, `november 1st`, `the 1st of november`. */
function datedPointAt(sentence: Sentence, start: number): DatePointAt | undefined {
  const isLast = sentence.is(start, 'last previous');
  const at = start + (isLast || (sentence.is(start, 'this') && monthAt(sentence, start + 1)) ? 1 : 0);
  const month = monthAt(sentence, at);
  if (month === undefined) return at === start ? dayBeforeMonthAt(sentence, at) : undefined;
  const dayOfMonth = isLast ? undefined : dayNumberOf(sentence.key(at + 1));
  const named = withYear(sentence, at, dayOfMonth === undefined ? 1 : 2, 'month', month);
  const length = named.length + at - start;
  if (dayOfMonth !== undefined) return { length, point: { ...named.point, unit: 'day', dayOfMonth } };
  if (!isLast || named.point.year !== undefined) return { ...named, length };
  const isOver = sentence.today.getMonth() + 1 > month;
  const year = sentence.today.getFullYear() - (isOver ? 0 : 1);
  return { length, point: { ...named.point, year } };
}

/** `1 november 2025`, `1st of november` */
function dayBeforeMonthAt(sentence: Sentence, at: number): DatePointAt | undefined {
  const dayOfMonth = dayNumberOf(sentence.key(at));
  const of = sentence.is(at + 1, 'of') ? 1 : 0;
  const month = monthAt(sentence, at + 1 + of);
  if (dayOfMonth === undefined || month === undefined) return undefined;
  const { length, point } = withYear(sentence, at, 2 + of, 'month', month);
  return { length, point: { ...point, unit: 'day', dayOfMonth } };
}

/** In months. A day is counted in its month. */
const monthsOf = { day: 1, month: 1, quarter: 3, half: 6, year: 12 } as const;

/** The days of a point in a year; undefined if the year has no such day. */
export function resolvePoint(point: DatePoint, year: number, isAhead = false): Interval | undefined {
  const { unit, number = 1, dayOfMonth = 1, day, dayAhead } = point;
  const fixed = isAhead ? (dayAhead ?? day) : day;
  if (fixed) return { first: fixed, last: fixed, words: formatIsoDay(fixed) };
  if (unit === 'week') {
    // The week of 4 January is the first one.
    const inFirst = calendarDay(year, 1, 4);
    if (!inFirst) return undefined;
    const first = addDays(startOfUnit(inFirst, 'week', 'monday'), 7 * (number - 1));
    const last = addDays(first, 6);
    return { first, last, words: `${formatIsoDay(first)}..${formatIsoDay(last)}` };
  }
  const first = calendarDay(year, monthsOf[unit] * (number - 1) + 1, dayOfMonth);
  if (!first) return undefined;
  if (unit === 'half') {
    const quarter = number * 2 - 1;
    return {
      first,
      last: endOfUnits(first, 'quarter', 2),
      words: `${year}-Q${quarter}..${year}-Q${quarter + 1}`,
    };
  }
  return { first, last: endOfUnits(first, unit), words: nameOfUnit(first, unit) };
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
