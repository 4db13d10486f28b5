import { ok, type Result, refused } from '../errors/failure.js';
import { type Cadence, monthOrdinals, type WallTime, type Weekday, weekdays } from '../schedule/cadence.js';
import { parseCron } from '../schedule/cron.js';
import { findZone } from '../schedule/time-zones.js';
import { type CadenceRefusal, type CadenceWord, cadenceWord } from './cadence-words.js';
import { weekdayWords } from './calendar-words.js';
import { nearest, nearestZone } from './nearest.js';
import { type Problem, quoteTypedWord, replaceSpan, withSuggestion } from './problem.js';
import { hasRangeForm } from './range-words.js';
import type { TextSpan } from './tokens.js';

/** A cadence with the zone that was typed after it, by its IANA name of today. */
export interface ParsedCadence {
  readonly cadence: Cadence;
  readonly zone?: string;
}

/** Reads `weekly mon,thu 09:00 Europe/Berlin` from an offset on. Corrections contain the whole text. */
export function parseCadence(text: string, from = 0): Result<ParsedCadence, Problem> {
  const tokens = readCadenceTokens(text, from);
  if (!tokens.ok) return tokens;
  const words = tokens.value;
  const begins = cadenceWord(words[0]?.text ?? '');
  if (!begins) return refused({ kind: 'cadence-missing', word: quoteTypedWord(text.slice(from).trim()) });
  const typed = new CadenceSource(text, begins, words);
  const read = forms[begins](typed);
  return read.ok ? readZone(typed, read.value) : read;
}

/** A cadence at the start of the words, and the index of the word after it. */
interface CadencePrefix {
  readonly cadence: Cadence;
  readonly next: number;
}

type CadenceRead = Result<CadencePrefix, Problem>;

const forms: Readonly<Record<CadenceWord, (typed: CadenceSource) => CadenceRead>> = {
  hourly: readHourly,
  daily: (typed) => typed.timed({ kind: 'daily' }, 1),
  weekdays: (typed) => typed.timed({ kind: 'weekdays' }, 1),
  weekly: (typed) => readDays(typed, 1),
  every: readEvery,
  monthly: readMonthly,
  quarterly: (typed) => readDayOfMonth(typed, 'quarterly'),
  cron: readCronWords,
};

/** `hourly`, `hourly :15` */
function readHourly(typed: CadenceSource): CadenceRead {
  const word = typed.words[1];
  if (!word || !/^[:\d]/.test(word.text)) return ok({ cadence: { kind: 'hourly', minute: 0 }, next: 1 });
  const minute = Number(/^:([0-5]\d)$/.exec(word.text)?.[1]);
  if (!Number.isNaN(minute)) return ok({ cadence: { kind: 'hourly', minute }, next: 2 });
  const meant = /^:?([0-5]?\d)$/.exec(word.text)?.[1];
  return typed.refuse('not-a-minute', word, meant && `:${meant.padStart(2, '0')}`);
}

/** Nothing but a zone can follow a cadence. */
function readZone(typed: CadenceSource, { cadence, next }: CadencePrefix): Result<ParsedCadence, Problem> {
  const [word, second] = typed.words.slice(next);
  if (!word) return ok({ cadence });
  const zone = findZone(word.text);
  if (zone && !second) return ok({ cadence, zone });
  const [culprit, after] = zone ? typed.words.slice(next + 1) : [word, second];
  if (!culprit) return ok({ cadence });
  const rest = { start: culprit.start, end: typed.words.at(-1)?.end ?? culprit.end };
  if (cadence.kind !== 'cron' && /^:?\d\d?(?::|[ap]m|$)/i.test(culprit.text)) {
    return typed.refuse('two-times', rest);
  }
  if (/^when$/i.test(culprit.text) || isOptionOrRange(culprit.text, after?.text))
    return refused(optionsAfter(typed, rest));
  if (zone) return typed.refuse('words-after', rest);
  return typed.refuse('not-a-zone', rest, nearestZone(typed.text.slice(rest.start, rest.end)));
}

/** Whether a word belongs among the options. */
export function isOptionOrRange(word: string, next: string | undefined): boolean {
  if (/^(?:csv|xlsx|evidence|rows|skip-empty|replace)$/i.test(word) || /^[a-z_.]+:/i.test(word)) return true;
  return [word, `${word} ${next}`].some((words) => hasRangeForm(words));
}

/** Says the options first, and the cadence with its zone last. */
function optionsAfter(typed: CadenceSource, rest: { readonly start: number; readonly end: number }): Problem {
  const { text, words } = typed;
  const { start } = words[0] ?? rest;
  const last = words.at(-1);
  const zoneIsLast = last && last.start > rest.start && findZone(last.text) !== undefined;
  const optionsEnd = zoneIsLast ? last.start : rest.end;
  const options = text.slice(rest.start, optionsEnd).trim();
  const cadence = replaceSpan(text.slice(start), { start: rest.start - start, end: optionsEnd - start }, '');
  return {
    ...typed.problem('options-after', { start: rest.start, end: optionsEnd }),
    corrected: `${text.slice(0, start)}${options} ${cadence}`,
  };
}

const fieldCount = 5;

/** `cron "0 9 * * 1-5"` */
function readCronWords(typed: CadenceSource): CadenceRead {
  const { words, text } = typed;
  const word = words[1];
  if (!word) return typed.refuse('cron-fields');
  if (!word.quoted) {
    const last = words[fieldCount];
    const unquoted = { start: word.start, end: (last ?? words.at(-1) ?? word).end };
    const near = last && `"${text.slice(unquoted.start, unquoted.end)}"`;
    return typed.refuse('cron-quotes', unquoted, near);
  }
  const expression = word.text.replace(/\s+/g, ' ');
  const read = parseCron(expression);
  if (read.ok) return ok({ cadence: { kind: 'cron', expression }, next: 2 });
  const fields = expression.split(' ');
  const withoutSeconds = read.refusal === 'seconds' && fields.length === fieldCount + 1;
  return typed.refuse(
    cronProblems[read.refusal],
    word,
    withoutSeconds ? `"${fields.slice(1).join(' ')}"` : undefined,
  );
}

const cronProblems = {
  form: 'cron-fields',
  seconds: 'cron-seconds',
  'too-often': 'cron-too-often',
  never: 'cron-never',
} as const satisfies Readonly<Record<string, CadenceRefusal>>;

const maxWeeks = 52;

/** The day of the week that a word is, short or long, in any case. */
function parseWeekday(typed: string): Weekday | undefined {
  return weekdayWords.get(typed.toLowerCase());
}

/** The nearest short name of a day; all five days for `mon-fri`; undefined for `weekday`, which names no single day. */
function nearestWeekday(typed: string): string | undefined {
  if (/^weekdays?$/i.test(typed)) return undefined;
  const [from, to] = typed.split('-').map(parseWeekday);
  if (from && to) return daysBetween(from, to).join(',');
  const near = nearest(typed, weekdayWords.keys());
  return near && weekdayWords.get(near);
}

/** `every 2 weeks fri 16:00` */
function readEvery(typed: CadenceSource): CadenceRead {
  const [every, count, unit] = typed.words;
  if (/^weeks?$/i.test(count?.text ?? '')) return readDays(typed, 2);
  const weeks = Number(count?.text);
  if (!every || !count || !/^\d+$/.test(count.text) || !/^weeks?$/i.test(unit?.text ?? '')) {
    return typed.refuse(
      'not-weeks',
      every && count && { start: every.start, end: count.end },
      suggestCadence(typed),
    );
  }
  if (weeks < 1 || weeks > maxWeeks) return typed.refuse('not-weeks', count);
  return readDays(typed, 3, weeks);
}

/** `every day`, `every monday`, `every other week`. */
function suggestCadence({ words: [, count, unit] }: CadenceSource): string | undefined {
  const word = count?.text.toLowerCase() ?? '';
  const day = parseWeekday(word);
  if (day) return `weekly ${day}`;
  if (word === 'other' && /^weeks?$/i.test(unit?.text ?? '')) return 'every 2';
  return { hour: 'hourly', day: 'daily', weekday: 'weekdays', month: 'monthly', quarter: 'quarterly' }[word];
}

/** Days of the week, apart by commas or blanks, and the time after them. */
function readDays(typed: CadenceSource, index: number, weeks = 1): CadenceRead {
  const found = typed.words.findIndex((word, at) => at >= index && endsDays(word));
  const end = found < 0 ? typed.words.length : found;
  const days = new Set<Weekday>();
  for (const piece of typed.words.slice(index, end).flatMap(piecesOf)) {
    const day = parseWeekday(piece.text);
    if (!day) return typed.refuse('not-a-weekday', piece, nearestWeekday(piece.text));
    days.add(day);
  }
  if (days.size === 0) return typed.refuse('day-missing');
  const inOrder = weekdays.filter((day) => days.has(day));
  return weeks === 1
    ? typed.timed({ kind: 'weekly', days: inOrder }, end)
    : typed.timed({ kind: 'every-weeks', weeks, days: inOrder }, end);
}

/** Days of the week end where a time or a zone begins. */
function endsDays({ text }: CadenceToken): boolean {
  return /^\d/.test(text) || findZone(text) !== undefined;
}

/** The pieces of `mon,thu`, without empty ones. */
function piecesOf({ text, start }: CadenceToken): readonly CadenceToken[] {
  return [...text.matchAll(/[^,]+/g)].map(({ 0: piece, index }) => ({
    text: piece,
    start: start + index,
    end: start + index + piece.length,
    quoted: false,
  }));
}

function daysBetween(from: Weekday, to: Weekday) {
  const [first, last] = [weekdays.indexOf(from), weekdays.indexOf(to)];
  return weekdays.filter((_day, index) =>
    first <= last ? index >= first && index <= last : index >= first || index <= last,
  );
}

/** `monthly 1 09:00`, `monthly last 16:00`, `monthly last fri 15:00` */
function readMonthly(typed: CadenceSource): CadenceRead {
  const [, first, second] = typed.words;
  const which = monthOrdinals.find((word) => word === first?.text.toLowerCase());
  if (!which || !first) return readDayOfMonth(typed, 'monthly');
  const word = second?.text ?? '';
  const weekday = parseWeekday(word);
  if (weekday) return typed.timed({ kind: 'monthly-weekday', which, weekday }, 3);
  const isLastDay = which === 'last';
  if (isLastDay && word.toLowerCase() === 'day') return typed.timed({ kind: 'monthly-last' }, 3);
  const isNoDay = second === undefined || /^\d/.test(word) || findZone(word) !== undefined;
  if (!isNoDay) return typed.refuse('not-a-weekday', second, nearestWeekday(word));
  return isLastDay ? typed.timed({ kind: 'monthly-last' }, 2) : typed.refuse('day-missing', first);
}

/** The day of the month after the first word. A number alone could be a time as well, so it is the day. */
function readDayOfMonth(typed: CadenceSource, kind: 'monthly' | 'quarterly'): CadenceRead {
  const { words } = typed;
  const word = words[1];
  if (!word || findZone(word.text)) return typed.refuse('day-missing');
  const day = Number(/^\d+$/.exec(word.text)?.[0]);
  if (day >= 1 && day <= 31) return typed.timed({ kind, day }, 2);
  if (Number.isNaN(day) && (timeAt(words, 1) || parseWeekday(word.text))) {
    return typed.refuse('day-missing');
  }
  return typed.refuse('not-a-day-of-month', word, dayMeant(typed));
}

/** The nearest valid day for `1st`, `32`, `lats`, `2nd fri` or `fifth fri`. */
function dayMeant({ words: [, word, second], begins }: CadenceSource): string | undefined {
  const typed = word?.text.toLowerCase() ?? '';
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(typed) ?? [];
  const day = Number(digits);
  if (begins === 'monthly' && parseWeekday(second?.text ?? '')) {
    if (day === 5 || typed === 'fifth') return 'last';
    return monthOrdinals[day - 1] ?? nearest(typed, monthOrdinals);
  }
  if (day === 0) return '1';
  if (begins === 'quarterly') return day <= 31 ? digits : undefined;
  return day > 31 ? 'last' : (digits ?? nearest(typed, monthOrdinals));
}

/** Words without a meaning of their own. */
const fillers = /^(?:at|on|and)$/i;

/** The time at `index`: `9`, `9am`, `9 am`, `9:30pm`, `09:00`, and how many words it is; undefined: no possible time. */
function timeAt(words: readonly CadenceToken[], index: number) {
  const { typed, count } = timeTyped(words, index);
  const [, hour, minute, ofDay] = /^(\d{1,2})(?::(\d{2}))?([ap]m)?$/i.exec(typed) ?? [];
  const time = hour === undefined ? undefined : wallTime(Number(hour), Number(minute ?? 0), ofDay);
  return time === undefined ? undefined : { time, count };
}

/** The nearest valid time for `9.30`, `0930`, `9h30`, `17:00:00`, `17pm` or `24:00`. */
function timeMeant(words: readonly CadenceToken[], index: number): WallTime | undefined {
  const { typed } = timeTyped(words, index);
  const [, hour, minute, ofDay] = /^(\d{1,2})[.:h]?(\d{2})?(?:h|:\d\d)?([ap]m)?$/i.exec(typed) ?? [];
  if (hour === undefined) return undefined;
  const [hours, minutes] = [Number(hour) % 24, Number(minute ?? 0)];
  return Number(hour) > 24 ? undefined : (wallTime(hours, minutes, ofDay) ?? wallTime(hours, minutes));
}

/** `09:30`; undefined for a time that no clock shows. */
function wallTime(hour: number, minute: number, ofDay?: string): WallTime | undefined {
  if (minute > 59 || hour > 23) return undefined;
  if (ofDay === undefined) return inDigits(hour, minute);
  if (hour < 1 || hour > 12) return undefined;
  return inDigits((hour % 12) + (ofDay.toLowerCase() === 'pm' ? 12 : 0), minute);
}

function inDigits(hour: number, minute: number): WallTime {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** The words that stand for a time, without the blank of `9 am`, and how many they are. */
function timeTyped(words: readonly CadenceToken[], index: number) {
  const count = /^[ap]m$/i.test(words[index + 1]?.text ?? '') ? 2 : 1;
  const texts = words.slice(index, index + count).map(({ text }) => text);
  return { typed: texts.join(''), count };
}

/** One word of a cadence, or everything between two quotes. */
interface CadenceToken extends TextSpan {
  /** As typed, without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
}

class CadenceSource {
  /** @param words all of its words, the first one included */
  constructor(
    readonly text: string,
    readonly begins: CadenceWord,
    readonly words: readonly CadenceToken[],
  ) {}

  /** The problem of one word, or of several. Absent: of all. */
  problem(reason: CadenceRefusal, span?: TextSpan | CadenceToken, near?: string): Problem {
    const { text, begins, words } = this;
    const whole = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? text.length };
    const { start, end } = span ?? whole;
    const said = span && 'quoted' in span ? span.text : text.slice(start, end).trim();
    return withSuggestion({ kind: 'cadence', reason, begins }, { start, end, text: said }, near, this);
  }

  refuse(reason: CadenceRefusal, span?: TextSpan | CadenceToken, near?: string) {
    return refused(this.problem(reason, span, near));
  }

  /** A cadence whose time is at `index`. */
  timed(cadence: UntimedCadence, index: number): CadenceRead {
    const read = timeAt(this.words, index);
    if (read) return ok({ cadence: { ...cadence, time: read.time }, next: index + read.count });
    const word = this.words[index];
    if (!word || findZone(word.text)) return this.refuse('time-missing');
    return this.refuse('not-a-time', word, timeMeant(this.words, index));
  }
}

type Untimed<Timed> = Timed extends { readonly time: WallTime } ? Omit<Timed, 'time'> : never;
type UntimedCadence = Untimed<Cadence>;

function readCadenceTokens(text: string, from: number): Result<readonly CadenceToken[], Problem> {
  const pieces = /"([^"]*)"|[“”„‟]([^“”„‟]*)[“”„‟]|(["“”„‟])|([^\s"“”„‟]+)/g;
  pieces.lastIndex = from;
  const words: CadenceToken[] = [];
  for (let piece = pieces.exec(text); piece; piece = pieces.exec(text)) {
    const [, straight, curly, open, plain] = piece;
    const span = { start: piece.index, end: pieces.lastIndex };
    if (open !== undefined) {
      return refused({ kind: 'quote-not-closed', word: quoteTypedWord(text.slice(from).trim()) });
    }
    if (plain === undefined) words.push({ ...span, text: (straight ?? curly ?? '').trim(), quoted: true });
    else if (!fillers.test(plain)) words.push({ ...span, text: plain, quoted: false });
  }
  return ok(words);
}

/** The problem of a command that says how often it comes, without `schedule` before it. */
export function scheduleMissing(text: string, cadenceTyped: string): Problem {
  const corrected = `schedule ${text}`;
  return { kind: 'schedule-missing', word: quoteTypedWord(cadenceTyped), corrected, understood: corrected };
}
