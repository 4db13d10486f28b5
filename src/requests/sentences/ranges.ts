import { addDays } from 'date-fns/addDays';
import {
  addUnits,
  type CalendarDay,
  type CalendarUnit,
  formatIsoDay,
  startOfUnit,
} from '../../time/calendar.js';
import { countOf, dayNumberOf, unitWords } from '../calendar-words.js';
import { parseRangeWords } from '../range-words.js';
import {
  alternatives,
  type DatePoint,
  type DatePointAt,
  type Direction,
  datePointAt,
  directions,
  endOfUnits,
  firstEnding,
  type Interval,
  latestBegun,
  nameOfUnit,
  nextEnding,
  resolvePoint,
  spanWords,
  unitAt,
  unitFromNow,
  unitsAhead,
  wordsOfSpan,
} from './dates.js';
import type { SpokenRange } from './facts.js';
import { isOneOf, type Sentence } from './words.js';

interface SpokenAt {
  readonly length: number;
  readonly range: SpokenRange;
}

/** The longest range that begins at an index. Of equally long ones, the first in the list. */
export function spokenRangeAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const start = sentence.is(at, 'in on during over within of at for') ? at + 1 : at;
  const from = sentence.is(start, 'the') ? start + 1 : start;
  const withOpening = (read: (sentence: Sentence, at: number) => SpokenAt | undefined) => {
    const found = read(sentence, from);
    return found && { ...found, length: found.length + from - at };
  };
  const found = [
    withOpening(relativeAt),
    openAt(sentence, at),
    spanAt(sentence, at),
    ...[pointRangeAt, weekOfAt, agoAt, partOfAt, weekendAt].map(withOpening),
  ];
  return found.reduce((best, each) => (each && each.length > (best?.length ?? 0) ? each : best), undefined);
}

/** `week of 9 November` */
function weekOfAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const { today, weekStart } = sentence;
  const isWeekOf = sentence.is(at, 'week') && sentence.is(at + 1, 'of from starting beginning commencing');
  const found = isWeekOf ? datePointAt(sentence, at + 2) : undefined;
  if (found?.point.unit !== 'day' || found.point.otherwise) return undefined;
  const weekWith = (interval: Interval | undefined) => {
    if (!interval) return [];
    const first = startOfUnit(interval.first, 'week', weekStart);
    return [spanWords(first, addDays(first, 6))];
  };
  const past = weekWith(latestBegun(found.point, today));
  const next = weekWith(nextEnding(found.point, today));
  return { length: found.length + 2, range: { past, future: unique([...past, ...next]) } };
}

/** `two weeks ago`, `the month before last`: one unit. */
function agoAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const alone = unitAt(sentence, at);
  const isBeforeLast = alone && sentence.is(at + 1, 'before') && sentence.is(at + 2, 'last');
  const isAgo = sentence.is(at + 2, 'ago');
  const unit = isBeforeLast ? alone : unitAt(sentence, at + 1);
  const counted = sentence.is(at, 'a an') ? 1 : countOf(sentence.key(at));
  const count = isBeforeLast ? 2 : counted;
  if (!unit || !count || !(isBeforeLast || isAgo)) return undefined;
  const first = unitFromNow(sentence, unit, -count);
  return { length: 3, range: both(wordsOfSpan(first, endOfUnits(first, unit))) };
}

/** `the second half of October`, `the first two weeks of December`, `the last quarter of 2025` */
function partOfAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const isLast = sentence.is(at, 'last final');
  const nth = isLast ? 1 : ['first', 'second', 'third', 'fourth'].indexOf(sentence.key(at)) + 1;
  if (nth === 0) return undefined;
  const counted = countOf(sentence.key(at + 1));
  const of = at + (counted === undefined ? 2 : 3);
  const unit = sentence.key(of - 1) === 'half' ? 'half' : unitAt(sentence, of - 1);
  if (!unit || unit === 'year' || !sentence.is(of, 'of in')) return undefined;
  const whole = wholeAt(sentence, of + 1);
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
  const range = { past: partOf(whole.past), future: partOf(whole.next) };
  return { length: of + 1 + whole.length - at, range };
}

/** A month has 15 days in its first half, and a year 6 months. */
function addParts(
  day: CalendarDay,
  unit: CalendarUnit | 'half',
  count: number,
  { first, last }: Interval,
): CalendarDay {
  if (unit !== 'half') return addUnits(day, unit, count);
  const isYear = last.getTime() === endOfUnits(first, 'year').getTime();
  if (isYear) return addUnits(day, 'month', 6 * count);
  return count < 0 ? addDays(first, 15) : addDays(day, 15 * count);
}

/** The unit whose part is named: `October`, `2025`, `the month`, `last year`. */
function wholeAt(sentence: Sentence, at: number) {
  const direction = sentence.is(at, 'the') ? 'this' : directions.get(sentence.key(at));
  const unit = unitWords.get(sentence.key(at + 1));
  if (direction && direction !== 'past' && unit && sentence.key(at + 1) === unit && unit !== 'day') {
    const first = unitFromNow(sentence, unit, unitsAhead[direction]);
    const interval = { first, last: endOfUnits(first, unit), words: '' };
    return { length: 2, past: interval, next: interval };
  }
  const found = datePointAt(sentence, at);
  if (!found || found.point.unit === 'day') return undefined;
  const { point, length } = found;
  return { length, past: latestBegun(point, sentence.today), next: nextEnding(point, sentence.today) };
}

/** `last weekend`, `over the weekend`, `next weekend`: Saturday and Sunday. */
function weekendAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const { today } = sentence;
  const direction = directions.get(sentence.key(at));
  const length = direction ? 2 : 1;
  if (!sentence.is(at + length - 1, 'weekend')) return undefined;
  const saturday = addDays(startOfUnit(today, 'week', 'monday'), 5);
  const weekend = (weeks: number) => {
    const first = addDays(saturday, 7 * weeks);
    return [spanWords(first, addDays(first, 1))];
  };
  if (direction === 'next') return { length, range: { past: [], future: weekend(1) } };
  const isBefore = direction === 'last' || direction === 'past';
  const latest = weekend(isBefore || saturday > today ? -1 : 0);
  return { length, range: { past: latest, future: isBefore ? latest : weekend(0) } };
}

function both(...words: readonly string[]): SpokenRange {
  return { past: words, future: words };
}

function ahead(...words: readonly string[]): SpokenRange {
  return { past: [], future: words };
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}

/** `this week`, `the last three months`, `next 14 days`, `year to date`. */
function relativeAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const key = (index: number) => sentence.key(at + index);
  const toDate = sentence.is(at + 1, 'to') && sentence.is(at + 2, 'date') ? unitAt(sentence, at) : undefined;
  if (toDate && toDate === key(0) && toDate !== 'day') return { length: 3, range: both(`this-${toDate}`) };
  const shortToDate = /^([ymqw])td$/.exec(key(0))?.[1];
  if (shortToDate) return { length: 1, range: both(`this-${unitWords.get(shortToDate)}`) };
  const direction = directions.get(key(0));
  if (!direction) return withinAt(sentence, at);
  const dashed = key(1) === '-' ? 1 : 0;
  const joined = /^(\d{1,5})([dwmqy])$/.exec(key(1 + dashed));
  const counted = joined ? Number(joined[1]) : countOf(key(1 + dashed));
  const unitKey = joined ? (joined[2] ?? '') : key(counted === undefined ? 1 : 2 + dashed);
  const isHalfYear = unitKey === 'half' && isOneOf(key(2), 'year years');
  if (isHalfYear && counted === undefined && (direction === 'last' || direction === 'past')) {
    return { length: 3, range: both('last-6-months') };
  }
  const isFortnight = isOneOf(unitKey, 'fortnight fortnights');
  const unit = isFortnight ? 'day' : unitWords.get(unitKey);
  const isLoneLetter = unitKey.length === 1 && !joined;
  // “The last months” does not say how many.
  const isVague = counted === undefined && unitKey.endsWith('s');
  if (!unit || isLoneLetter || isVague || counted === 0) return undefined;
  const length = 2 + dashed + (counted === undefined || joined ? 0 : 1);
  const range = relativeRange(direction, isFortnight ? 14 * (counted ?? 1) : counted, unit, sentence);
  return range && { length, range };
}

/** `within 7 days`, `in two weeks` */
function withinAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const count = countOf(sentence.key(at));
  const unit = unitWords.get(sentence.key(at + 1));
  if (!sentence.is(at - 1, 'in within') || !count || (unit !== 'day' && unit !== 'week')) return undefined;
  return { length: 2, range: nextDays(unit === 'day' ? count : 7 * count) };
}

function nextDays(days: number): SpokenRange {
  return ahead(days === 1 ? 'tomorrow' : `next-${days}-days`);
}

function relativeRange(
  direction: Direction,
  count: number | undefined,
  unit: CalendarUnit,
  sentence: Sentence,
): SpokenRange | undefined {
  if (direction === 'this') {
    return count === undefined ? both(unit === 'day' ? 'today' : `this-${unit}`) : undefined;
  }
  if (direction === 'next') {
    if (count === undefined) return ahead(nextUnit(unit, sentence));
    if (unit === 'day' || unit === 'week') return nextDays(unit === 'day' ? count : 7 * count);
    return ahead(spanWords(addDays(sentence.today, 1), addUnits(sentence.today, unit, count)));
  }
  if (direction === 'past' && count === undefined) {
    return unit === 'day' ? undefined : both(rollingPast[unit]);
  }
  const parsed = parseRangeWords(`last-${count ?? 1}-${unit}s`);
  return parsed.ok ? both(parsed.value.words) : undefined;
}

/** “The past week” is not the last calendar week. */
const rollingPast = {
  week: 'last-7-days',
  month: 'last-30-days',
  quarter: 'last-90-days',
  year: 'last-365-days',
} as const;

function nextUnit(unit: CalendarUnit, sentence: Sentence): string {
  if (unit === 'day') return 'tomorrow';
  if (unit === 'week' || unit === 'month') return `next-${unit}`;
  return nameOfUnit(unitFromNow(sentence, unit, 1), unit);
}

function pointRangeAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const typed = sentence.words[at];
  if (typed?.kind === 'iso' && typed.key.includes('..')) {
    const parsed = parseRangeWords(typed.key);
    return parsed.ok ? { length: 1, range: both(parsed.value.words) } : undefined;
  }
  const found = datePointAt(sentence, at);
  return found && { length: found.length, range: rangeOfPoint(found.point, sentence) };
}

function rangeOfPoint(point: DatePoint, { today }: Sentence): SpokenRange {
  if (point.unit === 'day' && point.day && !point.dayAhead) {
    const offset = Math.round((point.day.getTime() - today.getTime()) / 86_400_000);
    const named = { '-1': 'yesterday', 0: 'today', 1: 'tomorrow' }[offset] ?? formatIsoDay(point.day);
    return offset > 0 ? ahead(named) : both(named);
  }
  const past = alternatives(point).flatMap((one) => latestBegun(one, today)?.words ?? []);
  const next = alternatives(point).flatMap((one) => nextEnding(one, today)?.words ?? []);
  if (point.year !== undefined) return { past, future: past };
  // A single day that lies ahead is likelier than the one a year ago.
  if (point.unit === 'day') return { past, future: point.dayAhead ? next : unique([...next, ...past]) };
  return { past, future: next.length > 0 ? next : past };
}

/** `since march`, `from 1 november on`, `by friday`, `until yesterday`. */
function openAt(sentence: Sentence, at: number): SpokenAt | undefined {
  return sentence.is(at, 'since from starting after') ? openEndAt(sentence, at) : openStartAt(sentence, at);
}

function openEndAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const since = sinceAt(sentence, at + 1);
  if (!since) return undefined;
  const isOpen = sentence.is(at + 1 + since.length, 'on onward onwards');
  const length = 1 + since.length + (isOpen ? 1 : 0);
  if (sentence.is(at, 'since starting') || isOpen) return { length, range: since.open };
  return { length, range: sentence.is(at, 'after') ? since.after : since.either };
}

function openStartAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const { today } = sentence;
  if (!sentence.is(at, 'by before until till up')) return undefined;
  const from = sentence.is(at + 1, 'to') ? at + 2 : at + 1;
  const end = datePointAt(sentence, from);
  if (!end || end.point.otherwise) return undefined;
  const { point } = end;
  const day = point.dayAhead ?? point.day;
  const ahead = day ? { first: day, last: day } : (nextEnding(point, today) ?? latestBegun(point, today));
  if (!ahead) return undefined;
  const isBefore = sentence.is(at, 'before');
  // “Before the end of the month” includes its last day.
  const isEdge = sentence.is(from, 'end') || sentence.is(from + 1, 'end');
  const last = !isBefore || isEdge ? ahead.last : addDays(ahead.first, -1);
  // “Before June” is a condition. “Until June” is half of a range.
  if (last < today && isBefore) return undefined;
  return { length: end.length + from - at, range: { past: [], future: [], last } };
}

/** The range after `since` or `from`. A unit after `from` can mean the unit, or everything since then. */
function sinceAt(sentence: Sentence, at: number) {
  const { today } = sentence;
  const the = sentence.is(at, 'the') ? 1 : 0;
  const relative = relativeAt(sentence, at + the);
  if (relative) {
    const [name] = relative.range.past;
    const open = name === undefined ? undefined : sinceUnit(name, sentence);
    return open && { length: relative.length + the, open, either: relative.range, after: relative.range };
  }
  const found = datePointAt(sentence, at);
  if (!found) return undefined;
  const { point, length } = found;
  const edge = edgeUnit(sentence, at + the);
  if (edge) {
    const running = both(`this-${edge}`);
    return { length, open: running, either: running, after: running };
  }
  const starts = alternatives(point).flatMap((one) => latestBegun(one, today) ?? []);
  // A half year has no name of its own.
  const range = starts.map(({ words }) => `since:${words.split('..')[0]}`);
  const first = starts[0]?.first;
  const open: SpokenRange = { past: range, future: range, first };
  const alone = rangeOfPoint(point, sentence);
  const afterIt = starts.map(({ last }) => `since:${formatIsoDay(addDays(last, 1))}`);
  // A range without an end that begins ahead has no command, and the one of last year is not meant.
  const isAhead = alternatives(point).some((one) => {
    const next = point.year === undefined && !point.day ? nextEnding(one, today) : undefined;
    return next !== undefined && next.first > today;
  });
  const after: SpokenRange = { past: afterIt, future: isAhead ? [] : afterIt };
  if (point.unit === 'day') {
    // “From yesterday” is yesterday, and “from 1 November” has no end.
    const isNamedDay = sentence.is(at, 'yesterday today');
    return { length, open, either: isNamedDay ? alone : open, after };
  }
  const either = { past: [...alone.past, ...range], future: [...alone.future, ...range], first };
  return { length, open, either, after };
}

/** `the start of the year`: since then is the running year. */
function edgeUnit(sentence: Sentence, at: number): string | undefined {
  const isEdge = sentence.is(at, 'start beginning') && sentence.is(at + 1, 'of');
  const unit = isEdge && sentence.is(at + 2, 'the this') ? unitWords.get(sentence.key(at + 3)) : undefined;
  return unit === 'day' ? undefined : unit;
}

function sinceUnit(name: string, sentence: Sentence): SpokenRange | undefined {
  if (name.startsWith('this-')) return both(name);
  const [, count = '1', word = ''] = /^last-(?:(\d+)-)?(day|week|month|quarter|year)s?$/.exec(name) ?? [];
  const unit = unitWords.get(word);
  if (!unit) return undefined;
  const first = unitFromNow(sentence, unit, -Number(count));
  return { ...both(`since:${formatIsoDay(first)}`), first };
}

/** `from 1 nov to 10 nov`, `between march and may`, `nov 1 - 10`, `1st to 10th of november`. */
function spanAt(sentence: Sentence, at: number): SpokenAt | undefined {
  const between = sentence.is(at, 'between');
  const opening = between || sentence.is(at, 'from in on during for of') ? 1 : 0;
  const starting = endOfSpanAt(sentence, at + opening);
  if (!starting) return undefined;
  const joint = at + opening + starting.length;
  const isAnd = sentence.is(joint, 'and');
  if (!isAnd && !sentence.is(joint, 'to until till through thru -')) return undefined;
  const ending =
    weekAfter(sentence, joint + 1, starting.point) ??
    endOfSpanAt(sentence, joint + 1) ??
    nowAt(sentence, joint + 1);
  if (!ending) return undefined;
  const [start, end] = shareMonth(starting.point, ending.point);
  if (!start || !end || (isAnd && !between && !areNeighbours(sentence, start, end))) return undefined;
  const spans = (when: 'past' | 'future') =>
    unique(
      sameWritings(start, end).flatMap(([one, other]) => spanOf(one, other, sentence.today, when) ?? []),
    );
  const [past, next] = [spans('past'), spans('future')];
  const future = next.length > 0 ? next : past;
  const length = joint + 1 + ending.length - at;
  return future.length > 0 ? { length, range: { past, future } } : undefined;
}

/** `1/10 to 15/10`: both ends have the day first, or both the month. One that can be read in one way only decides. */
function sameWritings(start: DatePoint, end: DatePoint): readonly (readonly [DatePoint, DatePoint])[] {
  const dayFirst = [
    { ...start, otherwise: undefined },
    { ...end, otherwise: undefined },
  ] as const;
  if (start.otherwise && end.otherwise) return [dayFirst, [start.otherwise, end.otherwise]];
  const decided = start.otherwise ? end : start;
  // A lone day without another writing has its day first unless that day comes second.
  const isMonthFirst = (start.otherwise ?? end.otherwise) && decided.isMonthFirst;
  return isMonthFirst ? [[start.otherwise ?? start, end.otherwise ?? end]] : [dayFirst];
}

/** `october and november` is one range, unless the two are compared. */
function areNeighbours({ words, today }: Sentence, start: DatePoint, end: DatePoint): boolean {
  const [one, next] = [latestBegun(start, today), latestBegun(end, today)];
  const follows = one && next && formatIsoDay(addDays(one.last, 1)) === formatIsoDay(next.first);
  return follows === true && !words.some(({ key }) => /^compar|^versus$|^vs$/.test(key));
}

/** The second number of “weeks 44 to 46” */
function weekAfter(sentence: Sentence, at: number, { unit, year }: DatePoint): DatePointAt | undefined {
  const key = sentence.key(at);
  const number = unit === 'week' && /^\d{1,2}$/.test(key) ? Number(key) : 0;
  return number >= 1 && number <= 53 ? { length: 1, point: { unit: 'week', year, number } } : undefined;
}

/** A point, or the number of a day whose month stands at the other end. */
function endOfSpanAt(sentence: Sentence, start: number): DatePointAt | undefined {
  const found = datePointAt(sentence, start, true);
  if (found) return found;
  const at = sentence.is(start, 'the') ? start + 1 : start;
  const dayOfMonth = sentence.words[at]?.kind === 'word' ? dayNumberOf(sentence.key(at)) : undefined;
  if (dayOfMonth === undefined) return undefined;
  return { length: at - start + 1, point: { unit: 'day', dayOfMonth } };
}

/** “From 5 October until now”, “January to date” */
function nowAt(sentence: Sentence, at: number): DatePointAt | undefined {
  return sentence.is(at, 'now date') ? { length: 1, point: { unit: 'day', day: sentence.today } } : undefined;
}

function shareMonth(
  start: DatePoint,
  end: DatePoint,
): readonly [DatePoint | undefined, DatePoint | undefined] {
  const needsMonth = ({ unit, day, number }: DatePoint) => unit === 'day' && !day && number === undefined;
  const given = (point: DatePoint, other: DatePoint): DatePoint | undefined => {
    if (!needsMonth(point)) return point;
    const hasMonth = other.unit === 'day' && other.number !== undefined;
    return hasMonth ? { ...other, dayOfMonth: point.dayOfMonth } : undefined;
  };
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
  if (first.words === last.words) return first.words;
  return `${first.words.split('..')[0]}..${last.words.split('..').at(-1)}`;
}
