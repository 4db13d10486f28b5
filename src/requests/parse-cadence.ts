import { ok, type Result, refused } from '../errors/result.js';
import type { Cadence } from '../schedule/cadence.js';
import { parseCron } from '../schedule/cron.js';
import { findZone } from '../schedule/time-zones.js';
import { monthOrdinals, type Weekday, weekdays } from '../schedule/weekdays.js';
import type { CadenceRefusal } from './cadence-refusals.js';
import {
  type CadencePrefix,
  CadenceSource,
  type CadenceToken,
  readCadenceTokens,
  timeAt,
} from './cadence-tokens.js';
import { type CadenceWord, cadenceWord } from './cadence-words.js';
import { weekdayWords } from './calendar-words.js';
import { nearest, nearestZone } from './nearest.js';
import { type Problem, quoteTypedWord, replaceSpan } from './problem.js';
import { hasRangeForm } from './range-words.js';

/** A cadence with the zone that was typed after it, by its IANA name of today. */
export interface ParsedCadence {
  readonly cadence: Cadence;
  readonly zone?: string;
}

/**
 * Reads `weekly mon,thu 09:00 Europe/Berlin`, from an offset to the end of a text. Corrections contain the whole text.
 */
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

const forms: Readonly<Record<CadenceWord, (typed: CadenceSource) => Result<CadencePrefix, Problem>>> = {
  hourly: readHourly,
  daily: (typed) => typed.withTime(1, (time) => ({ kind: 'daily', time })),
  weekdays: (typed) => typed.withTime(1, (time) => ({ kind: 'weekdays', time })),
  weekly: readWeekly,
  every: readEvery,
  monthly: readMonthly,
  quarterly: readQuarterly,
  cron: readCronWords,
};

/** `hourly`, `hourly :15` */
function readHourly(typed: CadenceSource): Result<CadencePrefix, Problem> {
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
  if (isOption(culprit, after)) return refused(optionsAfter(typed, rest));
  if (zone) return typed.refuse('words-after', rest);
  return typed.refuse('not-a-zone', rest, nearestZone(typed.text.slice(rest.start, rest.end)));
}

/** Whether a word belongs before the cadence. */
function isOption({ text }: CadenceToken, after: CadenceToken | undefined): boolean {
  if (/^(?:csv|xlsx|rows|skip-empty|replace)$/i.test(text) || /^[a-z_.]+:/i.test(text)) return true;
  return [text, `${text} ${after?.text}`].some((words) => hasRangeForm(words));
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
function readCronWords(typed: CadenceSource): Result<CadencePrefix, Problem> {
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

/** Nobody counts further than the weeks of a year. */
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

/** `weekly mon,thu 09:00` */
function readWeekly(typed: CadenceSource): Result<CadencePrefix, Problem> {
  return onDays(typed, 1, (days) => ({ kind: 'weekly', days }));
}

/** `every 2 weeks fri 16:00` */
function readEvery(typed: CadenceSource): Result<CadencePrefix, Problem> {
  const [every, count, unit] = typed.words;
  if (/^weeks?$/i.test(count?.text ?? '')) return onDays(typed, 2, (days) => ({ kind: 'weekly', days }));
  const weeks = Number(count?.text);
  if (!every || !count || !/^\d+$/.test(count.text) || !/^weeks?$/i.test(unit?.text ?? '')) {
    return typed.refuse(
      'not-weeks',
      every && count && { start: every.start, end: count.end },
      suggestCadence(typed),
    );
  }
  if (weeks < 1 || weeks > maxWeeks) return typed.refuse('not-weeks', count);
  return onDays(typed, 3, (days) =>
    weeks === 1 ? { kind: 'weekly', days } : { kind: 'every-weeks', weeks, days },
  );
}

/** `every day`, `every monday`, `every other week`. */
function suggestCadence({ words: [, count, unit] }: CadenceSource): string | undefined {
  const word = count?.text.toLowerCase() ?? '';
  const day = parseWeekday(word);
  if (day) return `weekly ${day}`;
  if (word === 'other' && /^weeks?$/i.test(unit?.text ?? '')) return 'every 2';
  return { hour: 'hourly', day: 'daily', weekday: 'weekdays', month: 'monthly', quarter: 'quarterly' }[word];
}

type OnDays =
  | { readonly kind: 'weekly'; readonly days: readonly Weekday[] }
  | { readonly kind: 'every-weeks'; readonly weeks: number; readonly days: readonly Weekday[] };

/** Days of the week, apart by commas or blanks, and the time after them. */
function onDays(
  typed: CadenceSource,
  index: number,
  cadenceOn: (days: readonly Weekday[]) => OnDays,
): Result<CadencePrefix, Problem> {
  const found = typed.words.findIndex((word, at) => at >= index && endsDays(word));
  const end = found < 0 ? typed.words.length : found;
  const days = new Set<Weekday>();
  for (const piece of typed.words.slice(index, end).flatMap(piecesOf)) {
    const day = parseWeekday(piece.text);
    if (!day) return typed.refuse('not-a-weekday', piece, nearestWeekday(piece.text));
    days.add(day);
  }
  if (days.size === 0) return typed.refuse('day-missing');
  const on = cadenceOn(weekdays.filter((day) => days.has(day)));
  return typed.withTime(end, (time): Cadence => ({ ...on, time }));
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

function daysBetween(from: Weekday, to: Weekday): readonly Weekday[] {
  const [first, last] = [weekdays.indexOf(from), weekdays.indexOf(to)];
  return weekdays.filter((_day, index) =>
    first <= last ? index >= first && index <= last : index >= first || index <= last,
  );
}

/** `monthly 1 09:00`, `monthly last 16:00`, `monthly last fri 15:00` */
function readMonthly(typed: CadenceSource): Result<CadencePrefix, Problem> {
  const [, first, second] = typed.words;
  const which = monthOrdinals.find((word) => word === first?.text.toLowerCase());
  if (!which || !first) {
    const day = dayOfMonth(typed);
    return day.ok ? typed.withTime(2, (time) => ({ kind: 'monthly', day: day.value, time })) : day;
  }
  const word = second?.text ?? '';
  const weekday = parseWeekday(word);
  if (weekday) return typed.withTime(3, (time) => ({ kind: 'monthly-weekday', which, weekday, time }));
  const isLastDay = which === 'last';
  if (isLastDay && word.toLowerCase() === 'day') {
    return typed.withTime(3, (time) => ({ kind: 'monthly-last', time }));
  }
  const isNoDay = second === undefined || /^\d/.test(word) || findZone(word) !== undefined;
  if (!isNoDay) return typed.refuse('not-a-weekday', second, nearestWeekday(word));
  if (isLastDay) return typed.withTime(2, (time) => ({ kind: 'monthly-last', time }));
  return typed.refuse('day-missing', first);
}

/** `quarterly 1 09:00` */
function readQuarterly(typed: CadenceSource): Result<CadencePrefix, Problem> {
  const day = dayOfMonth(typed);
  return day.ok ? typed.withTime(2, (time) => ({ kind: 'quarterly', day: day.value, time })) : day;
}

/** The day of the month after the first word. A number alone could be a time as well, so it is the day. */
function dayOfMonth(typed: CadenceSource): Result<number, Problem> {
  const { words } = typed;
  const word = words[1];
  if (!word || findZone(word.text)) return typed.refuse('day-missing');
  const day = Number(/^\d+$/.exec(word.text)?.[0]);
  if (day >= 1 && day <= 31) return ok(day);
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
