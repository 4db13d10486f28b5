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
import { dayForm, dayNumberOf, monthNames, monthNumber, unitWords, weekdayWords } from '../calendar-words.js';
import { anyOf, readerOf, type Said } from './patterns.js';
import type { Sentence } from './words.js';

/** Where a unit is, in units from the running one. */
export const steps = new Map(
  Object.entries({
    this: 0,
    current: 0,
    last: -1,
    previous: -1,
    prior: -1,
    past: -1,
    next: 1,
    coming: 1,
    following: 1,
  }),
);

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
export function unitFromNow({ today, weekStart }: Sentence, unit: CalendarUnit, ahead = 0): CalendarDay {
  return addUnits(startOfUnit(today, unit, weekStart), unit, ahead);
}

export const direction = anyOf(steps.keys());
/** “The past week” is no calendar week. */
export const calendarDirection = direction.replace('past|', '');
export const unitForm = anyOf([...unitWords.keys()].filter((word) => word.length > 1));
const month = anyOf([...monthNames.flatMap((name) => [name, name.slice(0, 3)]), 'sept']).toLowerCase();
const firstFour = '(?<number>first|second|third|fourth|[1-4](?:st|nd|rd|th))';
const year = '(?<year>19[7-9]\\d|[2-9]\\d{3})';
/** `2026`, `of last year` */
const ofYear = `(?:(?: (?:of|in|,))? (?:${year}|(?<away>${calendarDirection}) year)| (?:of|in|,) (?<running>the) year)?`;

/** A unit, or a day of a month, with the year that follows it, if one does. */
function numbered(unit: DatePoint['unit']) {
  return ({ number = '', year, away, running, day }: Said, { today }: Sentence): DatePoint => {
    const step = running ? 0 : steps.get(away ?? '');
    return {
      unit: day ? 'day' : unit,
      number: monthNumber(number) ?? dayNumberOf(number) ?? (Number(number) || undefined),
      year: year || step === undefined ? Number(year) || undefined : today.getFullYear() + step,
      dayOfMonth: dayNumberOf(day ?? ''),
    };
  };
}

/** A day that needs no year. */
function fixed(day: CalendarDay, dayAhead?: CalendarDay): DatePoint {
  return { unit: 'day', day, dayAhead };
}

const readPoint = readerOf<DatePoint>(
  ['(?<iso>\\d{4}-(?:q[1-4]|\\d\\d(?:-\\d\\d)?))', ({ iso = '' }) => isoPoint(iso)],
  ['(?<date>\\d+(?:/\\d+){1,2}|\\d+\\.\\d+\\.\\d*)', ({ date = '' }) => numericPoint(date)],
  ['day before yesterday', (_, { today }) => fixed(addDays(today, -2))],
  ['yesterday', (_, { today }) => fixed(addDays(today, -1))],
  ['today', (_, { today }) => fixed(today)],
  ['tomorrow', (_, { today }) => fixed(addDays(today, 1))],
  [
    `(?<edge>start|beginning|end)(?: of)?(?: (?:the|(?<away>${calendarDirection})))? (?<typed>${unitForm})`,
    ({ edge, away = 'this', typed = '' }, sentence) => {
      const unit = unitWords.get(typed);
      if (!unit || unit === 'day') return undefined;
      const first = unitFromNow(sentence, unit, steps.get(away));
      return fixed(edge === 'end' ? endOfUnits(first, unit) : first);
    },
  ],
  [
    `(?:(?<away>${direction}) )?(?<weekday>${anyOf(weekdayWords.keys())})`,
    ({ away, weekday = '' }, { today }) => {
      // Days of dates are counted from Sunday.
      const back = (today.getDay() - weekdays.indexOf(weekdayWords.get(weekday) ?? 'mon') + 6) % 7;
      const forth = (7 - back) % 7;
      const step = steps.get(away ?? '');
      if (step) return fixed(addDays(today, step > 0 ? forth || 7 : -(back || 7)));
      return fixed(addDays(today, -back), addDays(today, forth));
    },
  ],
  [`q(?<number>[1-4])${ofYear}`, numbered('quarter')],
  [`${firstFour} quarter${ofYear}`, numbered('quarter')],
  [
    `(?:calendar )?(?:(?:weeks?|cw|kw|wk) |[ckw]w|wk?)(?<number>0?[1-9]|[1-4]\\d|5[0-3])${ofYear}`,
    numbered('week'),
  ],
  [`h(?<number>[12])${ofYear}`, numbered('half')],
  [`(?<number>first|second|1st|2nd) half${ofYear}`, numbered('half')],
  [`${year} q(?<number>[1-4])`, numbered('quarter')],
  [`(?:year )?${year}`, numbered('year')],
  [
    `(?:last|previous) (?<number>${month})${ofYear}`,
    (said, sentence) => {
      const point = numbered('month')(said, sentence);
      const { today } = sentence;
      const isOver = today.getMonth() + 1 > (point.number ?? 0);
      return { ...point, year: point.year ?? today.getFullYear() - (isOver ? 0 : 1) };
    },
  ],
  [`(?:this )?(?<number>${month})(?: (?<day>${dayForm}))?${ofYear}`, numbered('month')],
  [`(?<day>${dayForm})(?: of)? (?<number>${month})${ofYear}`, numbered('month')],
);

/** `5th`, `5th of last month` */
const readDayOfMonth = readerOf<DatePoint>([
  `(?<day>\\d+(?:st|nd|rd|th))(?: of (?<away>${calendarDirection}) month)?`,
  ({ day = '', away }, sentence) => {
    const dayOfMonth = dayNumberOf(day);
    if (!dayOfMonth) return undefined;
    const inMonth = (offset: number) => {
      const month = unitFromNow(sentence, 'month', offset);
      return calendarDay(month.getFullYear(), month.getMonth() + 1, dayOfMonth);
    };
    const { today } = sentence;
    const days = away ? [inMonth(steps.get(away) ?? 0)] : [-2, -1, 0, 1, 2].map(inMonth);
    const known = days.filter((each) => each !== undefined);
    if (away) return known[0] && fixed(known[0]);
    const past = known.findLast((each) => each <= today);
    return (
      past &&
      fixed(
        past,
        known.find((each) => each >= today),
      )
    );
  },
]);

/**
 * `today`, `last friday`, `the start of the year`, `Q3 2026`, `november 1st`, `2026`.
 *
 * @param isEnd true for an end of a range, where `the 5th` takes its month from the other end
 */
export function datePointAt(sentence: Sentence, start: number, isEnd = false) {
  const at = sentence.skip(start, 'the');
  const found = readPoint(sentence, at) ?? edgeOfPointAt(sentence, at);
  if (found || isEnd || !sentence.is(at - 1, 'the')) return found;
  return readDayOfMonth(sentence, at);
}

/** `beginning of october`, `end of Q3` */
function edgeOfPointAt(sentence: Sentence, at: number): ReturnType<typeof readPoint> {
  if (!sentence.is(at, 'start beginning end')) return undefined;
  const found = datePointAt(sentence, sentence.skip(at + 1, 'of'));
  if (!found || found.said.unit === 'day') return undefined;
  const edge = sentence.is(at, 'end') ? 'last' : 'first';
  const day = latestBegun(found.said, sentence.today)?.[edge];
  return day && { said: fixed(day, nextEnding(found.said, sentence.today)?.[edge]), end: found.end };
}

function isoPoint(key: string): DatePoint | undefined {
  const form = /^(\d{4})-(?:(\d{2})(?:-(\d{2}))?|q([1-4]))$/.exec(key);
  if (!form) return undefined;
  const [, year, month, dayOfMonth, quarter] = form;
  const numbers = { year: Number(year), number: Number(month ?? quarter) };
  if (dayOfMonth) return { unit: 'day', ...numbers, dayOfMonth: Number(dayOfMonth) };
  return { unit: quarter ? 'quarter' : 'month', ...numbers };
}

/** `13.11.2026` and `13/11` have one reading, `03/04/2026` two, day first. `10/2026` is a month. */
function numericPoint(text: string): DatePoint | undefined {
  const parts = text.replace(/\.$/, '').split(/[/.]/);
  const [one = '', two = ''] = parts;
  if (one.length > 2) return isoPoint(parts.map((part) => part.padStart(2, '0')).join('-'));
  const [first = 0, second = 0, yearTyped] = parts.map(Number);
  if (two.length > 2) {
    return first >= 1 && first <= 12 ? { unit: 'month', year: second, number: first } : undefined;
  }
  const year = yearTyped !== undefined && yearTyped < 100 ? 2000 + yearTyped : yearTyped;
  const dayFirst: DatePoint = { unit: 'day', year, number: second, dayOfMonth: first };
  const monthFirst: DatePoint = { unit: 'day', year, number: first, dayOfMonth: second, isMonthFirst: true };
  // 29 February exists in some years.
  const exists = (point: DatePoint) => resolvePoint(point, year ?? 2024) !== undefined;
  const otherwise = !text.includes('.') && exists(monthFirst) ? monthFirst : undefined;
  if (!exists(dayFirst)) return otherwise;
  return { ...dayFirst, otherwise: first === second ? undefined : otherwise };
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

const maxYears = 8;

/** The point in its own year; without one, in the nearest year in which it fits. */
function inNearestYear(
  point: DatePoint,
  from: CalendarDay,
  step: 1 | -1,
  fits: (interval: Interval) => boolean,
): Interval | undefined {
  if (point.year !== undefined) return resolvePoint(point, point.year);
  for (let years = 0; years <= maxYears; years += 1) {
    const interval = resolvePoint(point, from.getFullYear() + step * years, step > 0);
    if (interval && (point.day || fits(interval))) return interval;
  }
  return undefined;
}

/** The point in its own year; without one, the latest that has begun by a day. */
export function latestBegun(point: DatePoint, by: CalendarDay): Interval | undefined {
  return inNearestYear(point, by, -1, ({ first }) => first <= by);
}

export function firstEnding(point: DatePoint, from: CalendarDay): Interval | undefined {
  return inNearestYear(point, from, 1, ({ last }) => last >= from);
}

/** Further ahead, people do not leave out the year. */
const maxDaysAhead = 184;

/** The first one that does not end before a day, if it begins within half a year. */
export function nextEnding(point: DatePoint, from: CalendarDay): Interval | undefined {
  const found = firstEnding(point, from);
  const isFar = found && point.year === undefined && found.first > addDays(from, maxDaysAhead);
  return isFar ? undefined : found;
}

export function alternatives(point: DatePoint): readonly DatePoint[] {
  return point.otherwise ? [{ ...point, otherwise: undefined }, point.otherwise] : [point];
}
