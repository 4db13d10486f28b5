import { ok, type Result, refused } from '../errors/result.js';
import type { Cadence } from '../schedule/cadence.js';
import { parseCron } from '../schedule/cron.js';
import { findZone } from '../schedule/time-zones.js';
import {
  type CadencePrefix,
  type CadenceRefusal,
  CadenceSource,
  type CadenceToken,
  readCadenceTokens,
} from './cadence-tokens.js';
import { type CadenceWord, cadenceWord } from './cadence-words.js';
import { nearestZone } from './nearest.js';
import { readEvery, readMonthly, readQuarterly, readWeekly } from './parse-calendar-cadence.js';
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
