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
import { parseRangeWords } from '../range-words.js';
import { countOf, dayNumberOf, type Word } from './words.js';

/** A range in words, and what it can be for a report with or without a future. In canonical words, the likeliest first. */
export interface SpokenRange {
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** The first day of a range that has no end: `since monday`. */
  readonly first?: CalendarDay;
  /** Set for an end without a start: `by friday`. Only a report with a future can have it alone. */
  readonly last?: CalendarDay;
}

export interface SpokenAt {
  readonly length: number;
  readonly range: SpokenRange;
}

/** What relative ranges are relative to. */
export interface Today {
  readonly today: CalendarDay;
  readonly weekStart: WeekStart;
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
const shortMonths = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const weekdayNames = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

/** The range at a place, the longest one that there is. */
export function spokenRangeAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const start = isOneOf(words[at], 'in on during over within of at for') ? 1 : 0;
  const from = start + (isOneOf(words[at + start], 'the') ? 1 : 0);
  const found = [
    relativeAt(words, at + from, today),
    openAt(words, at, today),
    spanAt(words, at, today),
    pointRangeAt(words, at + from, today),
    weekOfAt(words, at + from, today),
  ];
  const added = [from, 0, 0, from, from];
  return found
    .map((each, index) => each && { ...each, length: each.length + (added[index] ?? 0) })
    .reduce((best, each) => (each && each.length > (best?.length ?? 0) ? each : best), undefined);
}

/** `week of 9 November` */
function weekOfAt(words: readonly Word[], at: number, { today, weekStart }: Today): SpokenAt | undefined {
  if (!isOneOf(words[at], 'week') || !isOneOf(words[at + 1], 'of from starting beginning commencing'))
    return undefined;
  const found = pointAt(words, at + 2, { today, weekStart });
  if (found?.point.unit !== 'day' || found.point.otherwise) return undefined;
  const weekWith = (interval: Interval | undefined) => {
    if (!interval) return [];
    const first = startOfUnit(interval.first, 'week', weekStart);
    return [spanWords(first, addDays(first, 6))];
  };
  const past = weekWith(latestBegun(found.point, today));
  const next = weekWith(nextEnding(found.point, today));
  return { length: found.length + 2, range: { past, future: [...new Set([...past, ...next])] } };
}

function isOneOf(word: Word | undefined, keys: string): boolean {
  return word?.kind === 'word' && keys.split(' ').includes(word.key);
}

function both(...words: readonly string[]): SpokenRange {
  return { past: words, future: words };
}

function ahead(...words: readonly string[]): SpokenRange {
  return { past: [], future: words };
}

const unitNames: ReadonlyMap<string, CalendarUnit> = new Map(
  (['day', 'week', 'month', 'quarter', 'year'] as const).flatMap((unit) => [
    [unit, unit],
    [`${unit}s`, unit],
    [unit.charAt(0), unit],
  ]),
);

/** `this week`, `the last three months`, `next 14 days`, `year to date`. */
function relativeAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const key = (index: number) => (words[at + index]?.kind === 'dash' ? '-' : (words[at + index]?.key ?? ''));
  const phrase = (count: number) => Array.from({ length: count }, (_, index) => key(index)).join(' ');
  if (key(0) === 'ytd') return { length: 1, range: both('this-year') };
  const toDate = /^(year|month|quarter|week) to date$/.exec(phrase(3));
  if (toDate) return { length: 3, range: both(`this-${toDate[1]}`) };
  const direction = directions.get(key(0));
  if (!direction) return withinAt(words, at);
  const dashed = key(1) === '-' ? 1 : 0;
  const joined = /^(\d{1,5})([dwmqy])$/.exec(key(1 + dashed));
  const counted = joined ? Number(joined[1]) : countOf(key(1 + dashed));
  const unitKey = joined ? (joined[2] ?? '') : key(counted === undefined ? 1 : 2 + dashed);
  const fortnight = /^fortnights?$/.test(unitKey);
  const halfYear = unitKey === 'half' && /^years?$/.test(key(2));
  if (halfYear && counted === undefined && /^(?:last|past)$/.test(direction)) {
    return { length: 3, range: both('last-6-months') };
  }
  const unit = fortnight ? 'day' : unitKey.length === 1 && !joined ? undefined : unitNames.get(unitKey);
  if (!unit || counted === 0) return undefined;
  const length = counted === undefined ? 2 : joined ? 2 + dashed : 3 + dashed;
  const range = relativeRange(direction, fortnight ? 14 * (counted ?? 1) : counted, unit, today);
  return range && { length, range };
}

/** `within 7 days`, `in two weeks` */
function withinAt(words: readonly Word[], at: number): SpokenAt | undefined {
  if (!isOneOf(words[at - 1], 'in within')) return undefined;
  const count = countOf(words[at]?.key ?? '');
  const unit = unitNames.get(words[at + 1]?.key ?? '');
  if (count === undefined || count === 0 || (unit !== 'day' && unit !== 'week')) return undefined;
  const days = unit === 'day' ? count : 7 * count;
  return { length: 2, range: ahead(days === 1 ? 'tomorrow' : `next-${days}-days`) };
}

type Direction = 'this' | 'last' | 'past' | 'next';

const directions: ReadonlyMap<string, Direction> = new Map([
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

function relativeRange(
  direction: Direction,
  count: number | undefined,
  unit: CalendarUnit,
  { today, weekStart }: Today,
): SpokenRange | undefined {
  if (direction === 'this') {
    if (count !== undefined) return undefined;
    return both(unit === 'day' ? 'today' : `this-${unit}`);
  }
  if (direction === 'next') {
    if (count === undefined) return ahead(nextUnit(unit, today, weekStart));
    if (unit === 'day' || unit === 'week') {
      const days = unit === 'day' ? count : 7 * count;
      return ahead(days === 1 ? 'tomorrow' : `next-${days}-days`);
    }
    return ahead(spanWords(addDays(today, 1), addDays(addUnits(today, unit, count), 0)));
  }
  if (direction === 'past' && count === undefined) {
    if (unit === 'day') return undefined;
    return both(rollingPast[unit]);
  }
  const words = `last-${count ?? 1}-${unit}s`;
  const parsed = parseRangeWords(words);
  return parsed.ok ? both(parsed.value.words) : undefined;
}

/** “The past week” is not the last calendar week. */
const rollingPast = {
  week: 'last-7-days',
  month: 'last-30-days',
  quarter: 'last-90-days',
  year: 'last-365-days',
} as const;

function nextUnit(unit: CalendarUnit, today: CalendarDay, weekStart: WeekStart): string {
  if (unit === 'day') return 'tomorrow';
  if (unit === 'week' || unit === 'month') return `next-${unit}`;
  const first = addUnits(startOfUnit(today, unit, weekStart), unit, 1);
  return unitWords(first, unit);
}

function unitWords(first: CalendarDay, unit: 'quarter' | 'year'): string {
  const year = first.getFullYear();
  return unit === 'year' ? `${year}` : `${year}-Q${Math.floor(first.getMonth() / 3) + 1}`;
}

/** A day, or the unit that some words name, perhaps without its year. */
interface Point {
  readonly unit: 'day' | 'month' | 'quarter' | 'half' | 'year';
  /** Set for points that need no year: `yesterday`. */
  readonly day?: CalendarDay;
  /** The day in the other direction: `friday` can be the one before or the one ahead. */
  readonly dayAhead?: CalendarDay;
  readonly year?: number;
  /** Month 1 to 12, quarter 1 to 4 or half 1 to 2. */
  readonly number?: number;
  readonly dayOfMonth?: number;
  /** `01/02/2026` read the other way round. */
  readonly otherwise?: Point;
}

interface PointAt {
  readonly point: Point;
  readonly length: number;
}

interface Interval {
  readonly first: CalendarDay;
  readonly last: CalendarDay;
  readonly words: string;
}

function pointAt(words: readonly Word[], start: number, today: Today): PointAt | undefined {
  const skipped = isOneOf(words[start], 'the') ? 1 : 0;
  const at = start + skipped;
  const found = namedPointAt(words, at, today) ?? datedPointAt(words, at, today);
  return found && { point: found.point, length: found.length + skipped };
}

/** `today`, `last friday`, `the start of the year`, `Q3 2026`, `first half of 2026`, `2026`. */
function namedPointAt(words: readonly Word[], at: number, { today, weekStart }: Today): PointAt | undefined {
  const [first, second, third] = [words[at], words[at + 1], words[at + 2]];
  if (!first) return undefined;
  if (first.kind === 'iso') return isoPoint(first.key);
  if (first.kind === 'date') return numericPoint(first.text);
  if (first.kind !== 'word') return undefined;
  const { key } = first;
  const day = (offset: number, length: number): PointAt => ({
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
    return withYear(words, at, key.startsWith('q') ? 1 : 2, 'quarter', Number(quarter));
  const half = /^h([12])$/.exec(key)?.[1] ?? (isOneOf(second, 'half') ? ordinalNumber(key, 2) : undefined);
  if (half !== undefined) return withYear(words, at, key.startsWith('h') ? 1 : 2, 'half', Number(half));
  const year = yearOf(first);
  if (year === undefined) return undefined;
  const quarterAfter = /^q([1-4])$/.exec(second?.key ?? '')?.[1];
  if (quarterAfter) return { length: 2, point: { unit: 'quarter', year, number: Number(quarterAfter) } };
  return { length: 1, point: { unit: 'year', year } };
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
  unit: 'month' | 'quarter' | 'half',
  number: number,
): PointAt {
  const of = isOneOf(words[at + length], 'of in') || words[at + length]?.kind === 'comma' ? 1 : 0;
  const year = yearOf(words[at + length + of]);
  if (year === undefined) return { length, point: { unit, number } };
  return { length: length + of + 1, point: { unit, number, year } };
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
): PointAt | undefined {
  const isStart = isOneOf(words[at], 'start beginning');
  if (!isStart && !isOneOf(words[at], 'end')) return undefined;
  const of = isOneOf(words[at + 1], 'of') ? 1 : 0;
  const which = directions.get(words[at + 1 + of]?.key ?? '') ?? 'this';
  const named = isOneOf(words[at + 1 + of], 'the') || directions.has(words[at + 1 + of]?.key ?? '') ? 1 : 0;
  const unitKey = words[at + 1 + of + named]?.key ?? '';
  const unit = unitKey.length > 1 ? unitNames.get(unitKey) : undefined;
  if (!unit) return edgeOfPointAt(words, at, 1 + of, isStart, { today, weekStart });
  if (unit === 'day' || which === 'past') return undefined;
  const step = which === 'this' ? 0 : which === 'next' ? 1 : -1;
  const first = addUnits(startOfUnit(today, unit, weekStart), unit, step);
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
): PointAt | undefined {
  const found = pointAt(words, at + skipped, today);
  if (!found || found.point.unit === 'day') return undefined;
  const interval = latestBegun(found.point, today.today);
  const day = isStart ? interval?.first : interval?.last;
  return day && { length: found.length + skipped, point: { unit: 'day', day } };
}

/** `friday`, `last friday`, `next friday`. A date can follow: `friday 13 november`. */
function weekdayAt(words: readonly Word[], at: number, today: CalendarDay): PointAt | undefined {
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

function isoPoint(key: string): PointAt | undefined {
  const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|-q([1-4]))?$/.exec(key);
  if (!form) return undefined;
  const [, year, month, dayOfMonth, quarter] = form;
  const numbers = { year: Number(year), number: Number(month ?? quarter) };
  if (quarter) return { length: 1, point: { unit: 'quarter', ...numbers } };
  if (dayOfMonth) return { length: 1, point: { unit: 'day', ...numbers, dayOfMonth: Number(dayOfMonth) } };
  return { length: 1, point: { unit: 'month', ...numbers } };
}

/** `13.11.2026` has one reading, `03/04/2026` two, day first. */
function numericPoint(text: string): PointAt | undefined {
  const [first = 0, second = 0, yearTyped = 0] = text.split(/[/.]/).map(Number);
  const year = yearTyped < 100 ? 2000 + yearTyped : yearTyped;
  const dayFirst: Point = { unit: 'day', year, number: second, dayOfMonth: first };
  const monthFirst: Point = { unit: 'day', year, number: first, dayOfMonth: second };
  const [one, two] = [dayFirst, text.includes('.') ? undefined : monthFirst].filter(
    (point) => point !== undefined && resolvePoint(point, year) !== undefined,
  );
  if (!one) return undefined;
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
function datedPointAt(words: readonly Word[], start: number, { today }: Today): PointAt | undefined {
  const isLast = isOneOf(words[start], 'last previous');
  const at = start + (isLast || (isOneOf(words[start], 'this') && monthOf(words[start + 1])) ? 1 : 0);
  const month = monthOf(words[at]);
  if (month !== undefined) {
    const dayOfMonth = dayNumberOf(words[at + 1]?.key ?? '');
    if (dayOfMonth !== undefined && !isLast) {
      const dated = withYear(words, at, 2, 'month', month);
      return { length: dated.length + at - start, point: { ...dated.point, unit: 'day', dayOfMonth } };
    }
    const named = withYear(words, at, 1, 'month', month);
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
  const dated = withYear(words, at, 2 + of, 'month', monthAfter);
  return { length: dated.length, point: { ...dated.point, unit: 'day', dayOfMonth } };
}

/** What a point is in a year; undefined if there is no such day then. */
function resolvePoint(point: Point, year: number, isAhead = false): Interval | undefined {
  const { unit, number = 1, dayOfMonth = 1, day, dayAhead } = point;
  const fixed = isAhead ? (dayAhead ?? day) : day;
  if (fixed) return { first: fixed, last: fixed, words: formatIsoDay(fixed) };
  const month = unit === 'quarter' ? number * 3 - 2 : unit === 'half' ? number * 6 - 5 : number;
  const first = calendarDay(year, unit === 'year' ? 1 : month, dayOfMonth);
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
function latestBegun(point: Point, by: CalendarDay): Interval | undefined {
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
function nextEnding(point: Point, from: CalendarDay): Interval | undefined {
  const found = firstEnding(point, from);
  const isFar = found && point.year === undefined && found.first > addDays(from, maxDaysAhead);
  return isFar ? undefined : found;
}

function firstEnding(point: Point, from: CalendarDay): Interval | undefined {
  if (point.year !== undefined) return resolvePoint(point, point.year);
  for (let year = from.getFullYear(); year <= from.getFullYear() + maxYearsBack; year += 1) {
    const interval = resolvePoint(point, year, true);
    if (interval && (interval.last >= from || point.day)) return interval;
  }
  return undefined;
}

function alternatives(point: Point): readonly Point[] {
  return point.otherwise ? [{ ...point, otherwise: undefined }, point.otherwise] : [point];
}

function pointRangeAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const typed = words[at];
  if (typed?.kind === 'iso' && typed.key.includes('..')) {
    const parsed = parseRangeWords(typed.key);
    return parsed.ok ? { length: 1, range: both(parsed.value.words) } : undefined;
  }
  const found = pointAt(words, at, today);
  return found && { length: found.length, range: rangeOfPoint(found.point, today) };
}

function rangeOfPoint(point: Point, { today }: Today): SpokenRange {
  if (point.unit === 'day' && point.day && !point.dayAhead) {
    const offset = Math.round((point.day.getTime() - today.getTime()) / 86_400_000);
    const named = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[offset] ?? formatIsoDay(point.day);
    return offset > 0 ? ahead(named) : both(named);
  }
  const past = wordsOf(alternatives(point).map((one) => latestBegun(one, today)));
  const next = wordsOf(alternatives(point).map((one) => nextEnding(one, today)));
  if (point.year !== undefined) return { past, future: past };
  // A single day that lies ahead is likelier than the one a year ago.
  const inOrder = point.unit === 'day' ? [...next, ...past] : [...past, ...next];
  return { past, future: point.dayAhead ? next : [...new Set(inOrder)] };
}

function wordsOf(intervals: readonly (Interval | undefined)[]): readonly string[] {
  return intervals.flatMap((interval) => (interval ? [interval.words] : []));
}

/** `since march`, `from 1 november on`, `by friday`, `until yesterday`. */
function openAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const word = words[at];
  if (isOneOf(word, 'since from starting after')) {
    const since = sinceAt(words, at + 1, today);
    if (!since) return undefined;
    const isOpen = isOneOf(words[at + 1 + since.length], 'on onward onwards');
    const length = 1 + since.length + (isOpen ? 1 : 0);
    if (isOneOf(word, 'since starting') || isOpen) return { length, range: since.open };
    return { length, range: isOneOf(word, 'after') ? since.after : since.either };
  }
  if (!isOneOf(word, 'by before until till up')) return undefined;
  const to = isOneOf(words[at + 1], 'to') ? 1 : 0;
  const end = pointAt(words, at + 1 + to, today);
  if (!end) return undefined;
  const { point } = end;
  const last =
    (point.dayAhead ?? point.day) ? (point.dayAhead ?? point.day) : nextEnding(point, today.today)?.last;
  if (!last || point.otherwise) return undefined;
  const isStillIn = !isOneOf(word, 'before') || isEdge(words[at + 1 + to], words[at + 2 + to]);
  return {
    length: end.length + 1 + to,
    range: { past: [], future: [], last: isStillIn ? last : addDays(last, -1) },
  };
}

/** “Before the end of the month” includes its last day. */
function isEdge(first: Word | undefined, second: Word | undefined): boolean {
  return isOneOf(first, 'end') || isOneOf(second, 'end');
}

/** What follows `since` or `from`. A unit after `from` can be the unit, or everything since. */
function sinceAt(words: readonly Word[], at: number, today: Today) {
  const relative = relativeAt(words, isOneOf(words[at], 'the') ? at + 1 : at, today);
  if (relative) {
    const [name] = relative.range.past;
    const open = name === undefined ? undefined : sinceUnit(name, today);
    const length = relative.length + (isOneOf(words[at], 'the') ? 1 : 0);
    return open && { length, open, either: relative.range, after: relative.range };
  }
  const found = pointAt(words, at, today);
  if (!found) return undefined;
  const { point, length } = found;
  const edge = edgeUnit(words, at);
  if (edge) {
    const running = both(`this-${edge}`);
    return { length, open: running, either: running, after: running };
  }
  const starts = alternatives(point)
    .map((one) => latestBegun(one, today.today))
    .filter((interval) => interval !== undefined);
  const range = starts.map((start) => `since:${sinceWords(start)}`);
  const open: SpokenRange = { past: range, future: range, first: starts[0]?.first };
  const alone = rangeOfPoint(point, today);
  const afterIt = starts.map(({ last }) => `since:${formatIsoDay(addDays(last, 1))}`);
  const after: SpokenRange = { past: afterIt, future: afterIt };
  if (point.unit === 'day') {
    // “From yesterday” is yesterday, and “from 1 November” has no end.
    const isNamedDay = isOneOf(words[at], 'yesterday today');
    return { length, open, either: isNamedDay ? alone : open, after };
  }
  const either = { past: [...alone.past, ...open.past], future: [...alone.future, ...open.past] };
  return { length, open, either: { ...either, first: starts[0]?.first }, after };
}

/** A half year has no name of its own. */
function sinceWords({ words }: Interval): string {
  return words.split('..')[0] ?? words;
}

/** `the start of the year`: since then is the running year. */
function edgeUnit(words: readonly Word[], start: number): string | undefined {
  const at = isOneOf(words[start], 'the') ? start + 1 : start;
  if (!isOneOf(words[at], 'start beginning') || !isOneOf(words[at + 1], 'of')) return undefined;
  if (!isOneOf(words[at + 2], 'the this')) return undefined;
  const unit = unitNames.get(words[at + 3]?.key ?? '');
  return unit && unit !== 'day' ? unit : undefined;
}

function sinceUnit(name: string, { today, weekStart }: Today): SpokenRange | undefined {
  if (name.startsWith('this-')) return both(name);
  const unit = /^last-(day|week|month|quarter|year)$/.exec(name)?.[1];
  const [, count, counted] = /^last-(\d+)-(day|week|month|quarter|year)s$/.exec(name) ?? [];
  const known = unitNames.get(unit ?? counted ?? '');
  if (!known) return undefined;
  const first = addUnits(startOfUnit(today, known, weekStart), known, -Number(count ?? 1));
  return { ...both(`since:${formatIsoDay(first)}`), first };
}

/** `from 1 nov to 10 nov`, `between march and may`, `nov 1 - 10`, `1st to 10th of november`. */
function spanAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const between = isOneOf(words[at], 'between');
  const opening = between || isOneOf(words[at], 'from in on during for of') ? 1 : 0;
  const starting = endOfSpanAt(words, at + opening, today);
  if (!starting) return undefined;
  const joint = at + opening + starting.length;
  const isJoint = isOneOf(words[joint], 'to until till through thru') || words[joint]?.kind === 'dash';
  const isAnd = isOneOf(words[joint], 'and');
  if (!isJoint && !isAnd) return undefined;
  const ending = endOfSpanAt(words, joint + 1, today);
  if (!ending || (isAnd && !between && !areNeighbours(words, starting.point, ending.point))) return undefined;
  const length = opening + starting.length + 1 + ending.length;
  const [start, end] = shareMonth(starting.point, ending.point);
  if (!start || !end || start.otherwise || end.otherwise) return undefined;
  const past = spanOf(start, end, today.today, 'past');
  const next = spanOf(start, end, today.today, 'future');
  if (!past && !next) return undefined;
  return {
    length,
    range: {
      past: past ? [past] : [],
      future: [...new Set([past, next].filter((span) => span !== undefined))],
    },
  };
}

/** `october and november` is one range, unless the two are compared. */
function areNeighbours(words: readonly Word[], start: Point, end: Point): boolean {
  const isUnit = start.unit === end.unit && (start.unit === 'month' || start.unit === 'quarter');
  if (!isUnit || end.number !== (start.number ?? 0) + 1) return false;
  return !words.some(({ key }) => /^compar|^versus$|^vs$/.test(key));
}

/** A point, or the number of a day whose month stands at the other end. */
function endOfSpanAt(words: readonly Word[], start: number, today: Today): PointAt | undefined {
  const found = pointAt(words, start, today);
  if (found) return found;
  const at = isOneOf(words[start], 'the') ? start + 1 : start;
  const dayOfMonth = words[at]?.kind === 'word' ? dayNumberOf(words[at]?.key ?? '') : undefined;
  return dayOfMonth === undefined
    ? undefined
    : { length: at - start + 1, point: { unit: 'day', dayOfMonth } };
}

function shareMonth(start: Point, end: Point): readonly [Point | undefined, Point | undefined] {
  const needs = (point: Point) => point.unit === 'day' && !point.day && point.number === undefined;
  const given = (needy: Point, other: Point): Point | undefined =>
    needs(needy)
      ? other.number === undefined
        ? undefined
        : { ...other, dayOfMonth: needy.dayOfMonth }
      : needy;
  if (needs(start) && needs(end)) return [undefined, undefined];
  if (needs(start) && end.unit !== 'day') return [undefined, undefined];
  if (needs(end) && start.unit !== 'day') return [undefined, undefined];
  return [given(start, end), given(end, start)];
}

function spanOf(start: Point, end: Point, today: CalendarDay, when: 'past' | 'future'): string | undefined {
  // A start that has a year says which year the end is in, and the other way round.
  const dated = start.year === undefined ? undefined : resolvePoint(start, start.year);
  const last = dated
    ? firstEnding(end, dated.first)
    : when === 'past'
      ? latestBegun(end, today)
      : nextEnding(end, today);
  const first = last && (dated ?? latestBegun(start, last.first));
  if (!first || !last || last.last < first.first) return undefined;
  return boundsWords(first, last);
}

function boundsWords(first: Interval, last: Interval): string {
  return first.words === last.words
    ? first.words
    : `${first.words.split('..')[0]}..${last.words.split('..').at(-1)}`;
}

/** From a day to a day, both included, in canonical words. */
export function spanWords(first: CalendarDay, last: CalendarDay): string {
  const [start, end] = [formatIsoDay(first), formatIsoDay(last)];
  return start === end ? start : `${start}..${end}`;
}

/** The words that ranges are made of. */
export const rangeVocabulary: readonly string[] = [
  ...months,
  ...weekdayNames,
  ...directions.keys(),
  ...[...unitNames.keys()].filter((name) => name.length > 1),
  ...'today yesterday tomorrow since from until between before first second third fourth half start beginning end'.split(
    ' ',
  ),
];
