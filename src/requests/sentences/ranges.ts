import { addDays } from 'date-fns/addDays';
import {
  addUnits,
  type CalendarDay,
  type CalendarUnit,
  formatIsoDay,
  startOfUnit,
} from '../../time/calendar.js';
import { countOf, dayForm, dayNumberOf, ordinals, unitWords } from '../calendar-words.js';
import { parseRangeWords } from '../range-words.js';
import {
  alternatives,
  calendarDirection,
  type DatePoint,
  datePointAt,
  direction,
  endOfUnits,
  firstEnding,
  type Interval,
  latestBegun,
  nameOfUnit,
  nextEnding,
  resolvePoint,
  spanWords,
  steps,
  unitForm,
  unitFromNow,
  wordsOfSpan,
} from './dates.js';
import type { Found, SpokenRange } from './facts.js';
import { readerOf, type Said } from './patterns.js';
import type { Sentence } from './words.js';

interface RangeAt {
  readonly said: SpokenRange;
  /** The index of the word after it. */
  readonly end: number;
}

/** The longest range that begins at an index. Of equally long ones, the first in the list. */
export function spokenRangeAt(sentence: Sentence, at: number): Found | undefined {
  const from = sentence.skip(sentence.skip(at, 'in on during over within of at for'), 'the');
  const found = [
    relativeAt(sentence, from),
    openAt(sentence, at),
    spanAt(sentence, at),
    ...[pointRangeAt, weekOfAt, partOfAt, otherAt].map((read) => read(sentence, from)),
  ];
  const best = found.reduce((best, each) => (each && each.end > (best?.end ?? 0) ? each : best), undefined);
  return best && { length: best.end - at, facts: [{ kind: 'range', range: best.said }] };
}

/** `week of 9 November` */
function weekOfAt(sentence: Sentence, at: number): RangeAt | undefined {
  const { today, weekStart } = sentence;
  const isWeekOf = sentence.is(at, 'week') && sentence.is(at + 1, 'of from starting beginning commencing');
  const found = isWeekOf ? datePointAt(sentence, at + 2) : undefined;
  if (found?.said.unit !== 'day' || found.said.otherwise) return undefined;
  const weekWith = (interval: Interval | undefined) => {
    if (!interval) return [];
    const first = startOfUnit(interval.first, 'week', weekStart);
    return [spanWords(first, addDays(first, 6))];
  };
  const past = weekWith(latestBegun(found.said, today));
  const next = weekWith(nextEnding(found.said, today));
  return { end: found.end, said: { past, future: unique([...past, ...next]) } };
}

/** `two weeks ago`, `the month before last`, `over the weekend` */
const otherAt = readerOf<SpokenRange>(
  [
    `(?<typed>\\S+) (?<unit>${unitForm}) ago`,
    ({ typed = '', unit }, sentence) => unitAgo(unit, /^an?$/.test(typed) ? 1 : countOf(typed), sentence),
  ],
  [`(?<unit>${unitForm}) before last`, ({ unit }, sentence) => unitAgo(unit, 2, sentence)],
  [
    `(?:(?<away>${direction}) )?weekend`,
    ({ away = 'this' }, { today }) => {
      const saturday = addDays(startOfUnit(today, 'week', 'monday'), 5);
      const weekend = (weeks: number) => {
        const first = addDays(saturday, 7 * weeks);
        return spanWords(first, addDays(first, 1));
      };
      const step = steps.get(away);
      if (step === 1) return ahead(weekend(1));
      const latest = weekend(step === -1 || saturday > today ? -1 : 0);
      return { past: [latest], future: [step === -1 ? latest : weekend(0)] };
    },
  ],
);

function unitAgo(typed = '', count: number | undefined, sentence: Sentence) {
  const unit = unitWords.get(typed);
  if (!unit || !count) return undefined;
  const first = unitFromNow(sentence, unit, -count);
  return both(wordsOfSpan(first, endOfUnits(first, unit)));
}

const readPart = readerOf<Said>([
  `(?<nth>last|final|first|second|third|fourth)(?: (?<typed>\\S+))? (?<unit>half|${unitForm}) (?:of|in)`,
  (said) => said,
]);

/** `the second half of October`, `the first two weeks of December`, `the last quarter of 2025` */
function partOfAt(sentence: Sentence, at: number): RangeAt | undefined {
  const part = readPart(sentence, at);
  const whole = part && wholeAt(sentence, part.end);
  if (!whole) return undefined;
  const { nth = '', typed = 'one', unit: named = '' } = part.said;
  const index = ordinals.indexOf(nth);
  const unit = named === 'half' ? named : unitWords.get(named);
  const count = countOf(typed);
  if (!unit || unit === 'year' || count === undefined) return undefined;
  const partOf = (interval: Interval | undefined) => {
    if (!interval) return [];
    const { first, last } = interval;
    const end = addDays(last, 1);
    const step = (day: CalendarDay, by: number) => addParts(day, unit, by * count, interval);
    const from = index < 0 ? step(end, -1) : step(first, index);
    const until = index < 0 || (unit === 'half' && index === 1) ? end : step(first, index + 1);
    return from < first || until > end ? [] : [wordsOfSpan(from, addDays(until, -1))];
  };
  return { end: whole.end, said: { past: partOf(whole.past), future: partOf(whole.next) } };
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

const readUnit = readerOf<Interval>([
  `(?<away>the|${calendarDirection}) (?<typed>week|month|quarter|year)`,
  ({ away = '', typed = '' }, sentence) => {
    const unit = unitWords.get(typed) ?? 'year';
    const first = unitFromNow(sentence, unit, steps.get(away));
    return { first, last: endOfUnits(first, unit), words: '' };
  },
]);

/** The unit whose part is named: `October`, `2025`, `the month`, `last year`. */
function wholeAt(sentence: Sentence, at: number) {
  const unit = readUnit(sentence, at);
  if (unit) return { end: unit.end, past: unit.said, next: unit.said };
  const found = datePointAt(sentence, at);
  if (!found || found.said.unit === 'day') return undefined;
  const { said, end } = found;
  return { end, past: latestBegun(said, sentence.today), next: nextEnding(said, sentence.today) };
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
const relativeAt = readerOf<SpokenRange>(
  ['(?<unit>week|month|quarter|year) to date', ({ unit }) => both(`this-${unit}`)],
  ['(?<unit>[ymqw])td', ({ unit = '' }) => both(`this-${unitWords.get(unit)}`)],
  ['(?:last|previous|prior|past) half years?', () => both('last-6-months')],
  // “The last months” does not say how many.
  [`(?<away>${direction}) (?<unit>day|week|month|quarter|year|fortnight)`, relativeRange],
  [`(?<away>${direction})(?: -)? (?<typed>\\d{1,5})(?<unit>[dwmqy])`, relativeRange],
  [`(?<away>${direction})(?: -)? (?<typed>\\S+) (?<unit>${unitForm}|fortnights?)`, relativeRange],
  [
    '(?<typed>\\S+) (?<unit>days?|weeks?|d|w)',
    ({ typed = '', unit = '' }, sentence, end) => {
      const count = sentence.is(end - 3, 'in within') && countOf(typed);
      return count ? nextDays(/^d/.test(unit) ? count : 7 * count) : undefined;
    },
  ],
);

function nextDays(days: number): SpokenRange {
  return ahead(days === 1 ? 'tomorrow' : `next-${days}-days`);
}

function relativeRange(
  { away = '', typed, unit: named = '' }: Said,
  sentence: Sentence,
): SpokenRange | undefined {
  const isFortnight = named.startsWith('fortnight');
  const unit = isFortnight ? 'day' : unitWords.get(named);
  const counted = typed === undefined ? undefined : countOf(typed);
  if (!unit || counted === 0 || (typed !== undefined && counted === undefined)) return undefined;
  const count = isFortnight ? 14 * (counted ?? 1) : counted;
  const step = steps.get(away);
  if (step === 0) return count === undefined ? both(unit === 'day' ? 'today' : `this-${unit}`) : undefined;
  if (step === 1) {
    if (count === undefined) return ahead(nextUnit(unit, sentence));
    if (unit === 'day' || unit === 'week') return nextDays(unit === 'day' ? count : 7 * count);
    return ahead(spanWords(addDays(sentence.today, 1), addUnits(sentence.today, unit, count)));
  }
  if (away === 'past' && count === undefined) return unit === 'day' ? undefined : both(rollingPast[unit]);
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

function pointRangeAt(sentence: Sentence, at: number): RangeAt | undefined {
  const typed = sentence.words[at];
  if (typed?.kind === 'iso' && typed.key.includes('..')) {
    const parsed = parseRangeWords(typed.key);
    return parsed.ok ? { end: at + 1, said: both(parsed.value.words) } : undefined;
  }
  const found = datePointAt(sentence, at);
  return found && { end: found.end, said: rangeOfPoint(found.said, sentence) };
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
function openAt(sentence: Sentence, at: number): RangeAt | undefined {
  return sentence.is(at, 'since from starting after') ? openEndAt(sentence, at) : openStartAt(sentence, at);
}

function openEndAt(sentence: Sentence, at: number): RangeAt | undefined {
  const since = sinceAt(sentence, at + 1);
  if (!since) return undefined;
  const end = sentence.skip(since.end, 'on onward onwards');
  if (sentence.is(at, 'since starting') || end > since.end) return { end, said: since.open };
  return { end, said: sentence.is(at, 'after') ? since.after : since.either };
}

function openStartAt(sentence: Sentence, at: number): RangeAt | undefined {
  const { today } = sentence;
  if (!sentence.is(at, 'by before until till up')) return undefined;
  const from = sentence.skip(at + 1, 'to');
  const found = datePointAt(sentence, from);
  if (!found || found.said.otherwise) return undefined;
  const { said: point, end } = found;
  const day = point.dayAhead ?? point.day;
  const ahead = day ? { first: day, last: day } : (nextEnding(point, today) ?? latestBegun(point, today));
  if (!ahead) return undefined;
  const isBefore = sentence.is(at, 'before');
  // “Before the end of the month” includes its last day.
  const isEdge = sentence.is(from, 'end') || sentence.is(from + 1, 'end');
  const last = !isBefore || isEdge ? ahead.last : addDays(ahead.first, -1);
  // “Before June” is a condition. “Until June” is half of a range.
  if (last < today && isBefore) return undefined;
  return { end, said: { past: [], future: [], last } };
}

const readEdge = readerOf<SpokenRange>([
  '(?:start|beginning) of (?:the|this) (?<typed>\\S+)',
  ({ typed = '' }) => {
    const unit = unitWords.get(typed);
    return unit && unit !== 'day' ? both(`this-${unit}`) : undefined;
  },
]);

/** The range after `since` or `from`. A unit after `from` can mean the unit, or everything since then. */
function sinceAt(sentence: Sentence, at: number) {
  const { today } = sentence;
  const from = sentence.skip(at, 'the');
  const relative = relativeAt(sentence, from);
  if (relative) {
    const { said, end } = relative;
    const open = said.past[0] === undefined ? undefined : sinceUnit(said.past[0], sentence);
    return open && { end, open, either: said, after: said };
  }
  // The start of the running year: since then is that year.
  const edge = readEdge(sentence, from);
  if (edge) return { end: edge.end, open: edge.said, either: edge.said, after: edge.said };
  const found = datePointAt(sentence, at);
  if (!found) return undefined;
  const { said: point, end } = found;
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
    return { end, open, either: isNamedDay ? alone : open, after };
  }
  const either = { past: [...alone.past, ...range], future: [...alone.future, ...range], first };
  return { end, open, either, after };
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
function spanAt(sentence: Sentence, at: number): RangeAt | undefined {
  const between = sentence.is(at, 'between');
  const starting = endOfSpanAt(sentence, sentence.skip(at, 'between from in on during for of'));
  if (!starting) return undefined;
  const joint = starting.end;
  const isAnd = sentence.is(joint, 'and');
  if (!isAnd && !sentence.is(joint, 'to until till through thru -')) return undefined;
  const ending =
    weekAfter(sentence, joint + 1, starting.said) ??
    endOfSpanAt(sentence, joint + 1) ??
    readNow(sentence, joint + 1);
  if (!ending) return undefined;
  const [start, end] = shareMonth(starting.said, ending.said);
  if (!start || !end || (isAnd && !between && !areNeighbours(sentence, start, end))) return undefined;
  const spans = (when: 'past' | 'future') =>
    unique(
      sameWritings(start, end).flatMap(([one, other]) => spanOf(one, other, sentence.today, when) ?? []),
    );
  const [past, next] = [spans('past'), spans('future')];
  const future = next.length > 0 ? next : past;
  return future.length > 0 ? { end: ending.end, said: { past, future } } : undefined;
}

/** `1/10 to 15/10`: both ends have the day first, or both the month. One that can be read in one way only decides. */
function sameWritings(start: DatePoint, end: DatePoint) {
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
function weekAfter(sentence: Sentence, at: number, { unit, year }: DatePoint) {
  const key = sentence.key(at);
  const number = unit === 'week' && /^\d{1,2}$/.test(key) ? Number(key) : 0;
  const said: DatePoint = { unit: 'week', year, number };
  return number >= 1 && number <= 53 ? { end: at + 1, said } : undefined;
}

/** A point, or the number of a day whose month stands at the other end. */
function endOfSpanAt(sentence: Sentence, at: number) {
  return datePointAt(sentence, at, true) ?? readDay(sentence, at);
}

const readDay = readerOf<DatePoint>([
  `(?:the )?(?<day>${dayForm})`,
  ({ day = '' }) => ({ unit: 'day', dayOfMonth: dayNumberOf(day) }),
]);

/** “From 5 October until now”, “January to date” */
const readNow = readerOf<DatePoint>(['now|date', (_, { today }) => ({ unit: 'day', day: today })]);

function shareMonth(start: DatePoint, end: DatePoint) {
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
