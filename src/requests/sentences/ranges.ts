import { addDays } from 'date-fns/addDays';
import {
  addUnits,
  type CalendarDay,
  type CalendarUnit,
  formatIsoDay,
  startOfUnit,
  type WeekStart,
} from '../../time/calendar.js';
import { parseRangeWords } from '../range-words.js';
import {
  alternatives,
  type DatePoint,
  type DatePointAt,
  type Direction,
  datePointAt,
  directions,
  firstEnding,
  type Interval,
  isOneOf,
  latestBegun,
  months,
  nextEnding,
  resolvePoint,
  type Today,
  unitNames,
  unitsAhead,
  unitWords,
  weekdayNames,
} from './dates.js';
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

/** The longest range that begins at an index. */
export function spokenRangeAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const start = isOneOf(words[at], 'in on during over within of at for') ? 1 : 0;
  const from = start + (isOneOf(words[at + start], 'the') ? 1 : 0);
  const found = [
    relativeAt(words, at + from, today),
    openAt(words, at, today),
    spanAt(words, at, today),
    pointRangeAt(words, at + from, today),
    weekOfAt(words, at + from, today),
    agoAt(words, at + from, today),
    partOfAt(words, at + from, today),
    weekendAt(words, at + from, today),
  ];
  const added = [from, 0, 0, from, from, from, from, from];
  return found
    .map((each, index) => each && { ...each, length: each.length + (added[index] ?? 0) })
    .reduce((best, each) => (each && each.length > (best?.length ?? 0) ? each : best), undefined);
}

/** `week of 9 November` */
function weekOfAt(words: readonly Word[], at: number, { today, weekStart }: Today): SpokenAt | undefined {
  if (!isOneOf(words[at], 'week') || !isOneOf(words[at + 1], 'of from starting beginning commencing'))
    return undefined;
  const found = datePointAt(words, at + 2, { today, weekStart });
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

/** `two weeks ago`, `the month before last`: one unit. */
function agoAt(words: readonly Word[], at: number, { today, weekStart }: Today): SpokenAt | undefined {
  const unitAt = (index: number) => {
    const key = words[index]?.key ?? '';
    return key.length > 1 ? unitNames.get(key) : undefined;
  };
  const unitAgo = (unit: CalendarUnit, count: number, length: number): SpokenAt => {
    const first = addUnits(startOfUnit(today, unit, weekStart), unit, -count);
    return { length, range: both(wordsOfSpan(first, addDays(addUnits(first, unit, 1), -1))) };
  };
  const alone = unitAt(at);
  if (alone && isOneOf(words[at + 1], 'before') && isOneOf(words[at + 2], 'last'))
    return unitAgo(alone, 2, 3);
  const count = isOneOf(words[at], 'a an') ? 1 : countOf(words[at]?.key ?? '');
  const unit = unitAt(at + 1);
  return count && unit && isOneOf(words[at + 2], 'ago') ? unitAgo(unit, count, 3) : undefined;
}

/** `the second half of October`, `the first two weeks of December`, `the last quarter of 2025` */
function partOfAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const isLast = isOneOf(words[at], 'last final');
  const nth = isLast ? 1 : ['first', 'second', 'third', 'fourth'].indexOf(words[at]?.key ?? '') + 1;
  if (nth === 0) return undefined;
  const counted = countOf(words[at + 1]?.key ?? '');
  const of = at + (counted === undefined ? 2 : 3);
  const unitKey = words[of - 1]?.key ?? '';
  const unit = unitKey === 'half' ? unitKey : unitNames.get(unitKey);
  if (!unit || unit === 'year' || unitKey.length === 1 || !isOneOf(words[of], 'of in')) return undefined;
  const whole = wholeAt(words, of + 1, today);
  if (!whole) return undefined;
  const partOf = (interval: Interval | undefined) => {
    if (!interval) return [];
    const { first, last } = interval;
    const end = addDays(last, 1);
    const step = (day: CalendarDay, by: number) => addParts(day, unit, by * (counted ?? 1), interval);
    const from = isLast ? step(end, -1) : step(first, nth - 1);
    const until = isLast || (unit === 'half' && nth === 2) ? end : step(first, nth);
    return from < first || until > end ? [] : [wordsOfSpan(from, addDays(until, -1))];
  };
  return {
    length: of + 1 + whole.length - at,
    range: { past: partOf(whole.past), future: partOf(whole.next) },
  };
}

/** A month has 15 days in its first half, and a year 6 months. */
function addParts(
  day: CalendarDay,
  unit: CalendarUnit | 'half',
  count: number,
  { first, last }: Interval,
): CalendarDay {
  if (unit !== 'half') return addUnits(day, unit, count);
  const isYear = addDays(last, 1).getTime() === addUnits(first, 'year', 1).getTime();
  if (isYear) return addUnits(day, 'month', 6 * count);
  return count < 0 ? addDays(first, 15) : addDays(day, 15 * count);
}

/** The unit whose part is named: `October`, `2025`, `the month`, `last year`. */
function wholeAt(words: readonly Word[], at: number, { today, weekStart }: Today) {
  const direction = isOneOf(words[at], 'the') ? 'this' : directions.get(words[at]?.key ?? '');
  const unit = unitNames.get(words[at + 1]?.key ?? '');
  if (direction && direction !== 'past' && unit && words[at + 1]?.key === unit && unit !== 'day') {
    const first = addUnits(startOfUnit(today, unit, weekStart), unit, unitsAhead[direction]);
    const interval = { first, last: addDays(addUnits(first, unit, 1), -1), words: '' };
    return { length: 2, past: interval, next: interval };
  }
  const found = datePointAt(words, at, { today, weekStart });
  if (!found || found.point.unit === 'day') return undefined;
  const { point, length } = found;
  return { length, past: latestBegun(point, today), next: nextEnding(point, today) };
}

/** `last weekend`, `over the weekend`, `next weekend`: Saturday and Sunday. */
function weekendAt(words: readonly Word[], at: number, { today }: Today): SpokenAt | undefined {
  const direction = directions.get(words[at]?.key ?? '');
  const length = direction ? 2 : 1;
  if (!isOneOf(words[at + length - 1], 'weekend')) return undefined;
  const monday = startOfUnit(today, 'week', 'monday');
  const weekend = (weeks: number) => [
    spanWords(addDays(monday, 7 * weeks + 5), addDays(monday, 7 * weeks + 6)),
  ];
  if (direction === 'next') return { length, range: { past: [], future: weekend(1) } };
  const isBegun = addDays(monday, 5) <= today;
  const isBefore = direction === 'last' || direction === 'past';
  const latest = weekend(isBefore || !isBegun ? -1 : 0);
  return { length, range: { past: latest, future: isBefore ? latest : weekend(0) } };
}

/** A month, a quarter or a year by its name. */
export function wordsOfSpan(first: CalendarDay, last: CalendarDay): string {
  const isStart = first.getDate() === 1 && addDays(last, 1).getDate() === 1;
  const months = 12 * (last.getFullYear() - first.getFullYear()) + last.getMonth() - first.getMonth() + 1;
  if (isStart && months === 1) return formatIsoDay(first).slice(0, 7);
  if (isStart && months === 3 && first.getMonth() % 3 === 0) return unitWords(first, 'quarter');
  if (isStart && months === 12 && first.getMonth() === 0) return unitWords(first, 'year');
  return spanWords(first, last);
}

function both(...words: readonly string[]): SpokenRange {
  return { past: words, future: words };
}

function ahead(...words: readonly string[]): SpokenRange {
  return { past: [], future: words };
}

/** `this week`, `the last three months`, `next 14 days`, `year to date`. */
function relativeAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const key = (index: number) => (words[at + index]?.kind === 'dash' ? '-' : (words[at + index]?.key ?? ''));
  const phrase = (count: number) => Array.from({ length: count }, (_, index) => key(index)).join(' ');
  const toDate = /^(year|month|quarter|week) to date$/.exec(phrase(3));
  if (toDate) return { length: 3, range: both(`this-${toDate[1]}`) };
  const shortToDate = /^([ymqw])td$/.exec(key(0))?.[1];
  if (shortToDate) return { length: 1, range: both(`this-${unitNames.get(shortToDate)}`) };
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
  const unit = fortnight ? 'day' : unitNames.get(unitKey);
  const isLoneLetter = unitKey.length === 1 && !joined;
  // “The last months” does not say how many.
  const isVague = counted === undefined && unitKey.endsWith('s');
  if (!unit || isLoneLetter || isVague || counted === 0) return undefined;
  const countWords = counted === undefined || joined ? 0 : 1;
  const length = 2 + dashed + countWords;
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

function pointRangeAt(words: readonly Word[], at: number, today: Today): SpokenAt | undefined {
  const typed = words[at];
  if (typed?.kind === 'iso' && typed.key.includes('..')) {
    const parsed = parseRangeWords(typed.key);
    return parsed.ok ? { length: 1, range: both(parsed.value.words) } : undefined;
  }
  const found = datePointAt(words, at, today);
  return found && { length: found.length, range: rangeOfPoint(found.point, today) };
}

function rangeOfPoint(point: DatePoint, { today }: Today): SpokenRange {
  if (point.unit === 'day' && point.day && !point.dayAhead) {
    const offset = Math.round((point.day.getTime() - today.getTime()) / 86_400_000);
    const named = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[offset] ?? formatIsoDay(point.day);
    return offset > 0 ? ahead(named) : both(named);
  }
  const past = wordsOf(alternatives(point).map((one) => latestBegun(one, today)));
  const next = wordsOf(alternatives(point).map((one) => nextEnding(one, today)));
  if (point.year !== undefined) return { past, future: past };
  // A single day that lies ahead is likelier than the one a year ago.
  if (point.unit === 'day') return { past, future: point.dayAhead ? next : [...new Set([...next, ...past])] };
  return { past, future: next.length > 0 ? next : past };
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
  const end = datePointAt(words, at + 1 + to, today);
  if (!end) return undefined;
  const { point } = end;
  const day = point.dayAhead ?? point.day;
  const ahead = day
    ? { first: day, last: day }
    : (nextEnding(point, today.today) ?? latestBegun(point, today.today));
  if (!ahead || point.otherwise) return undefined;
  const isStillIn = !isOneOf(word, 'before') || isEdge(words[at + 1 + to], words[at + 2 + to]);
  const last = isStillIn ? ahead.last : addDays(ahead.first, -1);
  // “Before June” is a condition. “Until June” is half of a range.
  if (last < today.today && isOneOf(word, 'before')) return undefined;
  return { length: end.length + 1 + to, range: { past: [], future: [], last } };
}

/** “Before the end of the month” includes its last day. */
function isEdge(first: Word | undefined, second: Word | undefined): boolean {
  return isOneOf(first, 'end') || isOneOf(second, 'end');
}

/** The range after `since` or `from`. A unit after `from` can mean the unit, or everything since then. */
function sinceAt(words: readonly Word[], at: number, today: Today) {
  const relative = relativeAt(words, isOneOf(words[at], 'the') ? at + 1 : at, today);
  if (relative) {
    const [name] = relative.range.past;
    const open = name === undefined ? undefined : sinceUnit(name, today);
    const length = relative.length + (isOneOf(words[at], 'the') ? 1 : 0);
    return open && { length, open, either: relative.range, after: relative.range };
  }
  const found = datePointAt(words, at, today);
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
  // A range without an end that begins ahead has no command, and the one of last year is not meant.
  const isAhead = alternatives(point).some((one) => {
    const next = point.year === undefined && !point.day ? nextEnding(one, today.today) : undefined;
    return next !== undefined && next.first > today.today;
  });
  const after: SpokenRange = { past: afterIt, future: isAhead ? [] : afterIt };
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
  const ending =
    weekAfter(words, joint + 1, starting.point) ??
    endOfSpanAt(words, joint + 1, today) ??
    nowAt(words, joint + 1, today);
  if (!ending) return undefined;
  const length = opening + starting.length + 1 + ending.length;
  const [start, end] = shareMonth(starting.point, ending.point);
  if (!start || !end || (isAnd && !between && !areNeighbours(words, start, end, today))) return undefined;
  const spans = sameWritings(start, end).map(([one, other]) => ({
    past: spanOf(one, other, today.today, 'past'),
    next: spanOf(one, other, today.today, 'future'),
  }));
  const past = [...new Set(spans.flatMap((span) => span.past ?? []))];
  const next = [...new Set(spans.flatMap((span) => span.next ?? []))];
  const future = next.length > 0 ? next : past;
  return future.length > 0 ? { length, range: { past, future } } : undefined;
}

/** `1/10 to 15/10`: both ends have the day first, or both the month. One that can be read in one way only decides. */
function sameWritings(start: DatePoint, end: DatePoint): readonly (readonly [DatePoint, DatePoint])[] {
  const plain = (point: DatePoint): DatePoint => ({ ...point, otherwise: undefined });
  const dayFirst = [plain(start), plain(end)] as const;
  if (!start.otherwise && !end.otherwise) return [dayFirst];
  if (start.otherwise && end.otherwise) return [dayFirst, [start.otherwise, end.otherwise]];
  const decided = start.otherwise ? end : start;
  // A lone day without another writing has its day first unless that day comes second.
  const isMonthFirst = decided.isMonthFirst === true;
  if (!isMonthFirst) return [dayFirst];
  return [[start.otherwise ?? start, end.otherwise ?? end]];
}

/** `october and november` is one range, unless the two are compared. */
function areNeighbours(words: readonly Word[], start: DatePoint, end: DatePoint, { today }: Today): boolean {
  const [one, next] = [latestBegun(start, today), latestBegun(end, today)];
  const follows = one && next && formatIsoDay(addDays(one.last, 1)) === formatIsoDay(next.first);
  return follows === true && !words.some(({ key }) => /^compar|^versus$|^vs$/.test(key));
}

/** The second number of “weeks 44 to 46” */
function weekAfter(words: readonly Word[], at: number, { unit, year }: DatePoint): DatePointAt | undefined {
  const number = unit === 'week' && /^\d{1,2}$/.test(words[at]?.key ?? '') ? Number(words[at]?.key) : 0;
  return number >= 1 && number <= 53 ? { length: 1, point: { unit: 'week', year, number } } : undefined;
}

/** A point, or the number of a day whose month stands at the other end. */
function endOfSpanAt(words: readonly Word[], start: number, today: Today): DatePointAt | undefined {
  const found = datePointAt(words, start, today, true);
  if (found) return found;
  const at = isOneOf(words[start], 'the') ? start + 1 : start;
  const dayOfMonth = words[at]?.kind === 'word' ? dayNumberOf(words[at]?.key ?? '') : undefined;
  return dayOfMonth === undefined
    ? undefined
    : { length: at - start + 1, point: { unit: 'day', dayOfMonth } };
}

/** “From 5 October until now”, “January to date” */
function nowAt(words: readonly Word[], at: number, { today }: Today): DatePointAt | undefined {
  return isOneOf(words[at], 'now date') ? { length: 1, point: { unit: 'day', day: today } } : undefined;
}

function shareMonth(
  start: DatePoint,
  end: DatePoint,
): readonly [DatePoint | undefined, DatePoint | undefined] {
  const needs = (point: DatePoint) => point.unit === 'day' && !point.day && point.number === undefined;
  const given = (needy: DatePoint, other: DatePoint): DatePoint | undefined => {
    if (!needs(needy)) return needy;
    return other.number === undefined ? undefined : { ...other, dayOfMonth: needy.dayOfMonth };
  };
  if (needs(start) && needs(end)) return [undefined, undefined];
  if (needs(start) && end.unit !== 'day') return [undefined, undefined];
  if (needs(end) && start.unit !== 'day') return [undefined, undefined];
  return [given(start, end), given(end, start)];
}

function spanOf(
  start: DatePoint,
  end: DatePoint,
  today: CalendarDay,
  when: 'past' | 'future',
): string | undefined {
  // A start that has a year says which year the end is in, and the other way round.
  const dated = start.year === undefined ? undefined : resolvePoint(start, start.year);
  const lastWithoutYear = when === 'past' ? latestBegun : nextEnding;
  const last = dated ? firstEnding(end, dated.first) : lastWithoutYear(end, today);
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
