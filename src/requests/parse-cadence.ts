import type { Cadence } from '../schedule/cadence.js';
import { readCron } from '../schedule/cron.js';
import { zoneNamed } from '../schedule/time-zones.js';
import { type CadenceRefusal, fillers, withTime } from './cadence-tokens.js';
import { type CadenceWord, cadenceWord } from './cadence-words.js';
import { nearestZone } from './nearest.js';
import { readEvery, readMonthly, readQuarterly, readWeekly } from './parse-calendar-cadence.js';
import { isProblem, type Problem, quoteTypedWord, replaceStretch, withSuggestion } from './problem.js';
import { parseRangeWords } from './range-words.js';
import type { Stretch } from './tokens.js';

/** A cadence with the zone that was typed after it, by its IANA name of today. */
export interface ParsedCadence {
  readonly cadence: Cadence;
  readonly zone?: string;
}

/**
 * Reads `weekly mon,thu 09:00 Europe/Berlin`, from a place to the end of a text. Corrections are of the whole text.
 */
export function parseCadence(text: string, from = 0): ParsedCadence | Problem {
  const words: CadenceToken[] = [];
  for (const word of readCadenceTokens(text, from)) {
    if (word === 'open-quote')
      return { kind: 'quote-not-closed', word: quoteTypedWord(text.slice(from).trim()) };
    words.push(word);
  }
  const begins = cadenceWord(words[0]?.text ?? '');
  if (!begins) return { kind: 'cadence-missing', word: quoteTypedWord(text.slice(from).trim()) };
  const typed = { text, begins, words };
  const read = forms[begins](typed);
  return isProblem(read) ? read : readZone(typed, read);
}

const forms: Readonly<Record<CadenceWord, (typed: CadenceSource) => CadencePrefix | Problem>> = {
  hourly: readHourly,
  daily: (typed) => withTime(typed, 1, (time) => ({ kind: 'daily', time })),
  weekdays: (typed) => withTime(typed, 1, (time) => ({ kind: 'weekdays', time })),
  weekly: readWeekly,
  every: readEvery,
  monthly: readMonthly,
  quarterly: readQuarterly,
  cron: readCronWords,
};

/** `hourly`, `hourly :15` */
function readHourly(typed: CadenceSource): CadencePrefix | Problem {
  const word = typed.words[1];
  if (!word || !/^[:\d]/.test(word.text)) return { cadence: { kind: 'hourly', minute: 0 }, next: 1 };
  const minute = Number(/^:([0-5]\d)$/.exec(word.text)?.[1]);
  if (!Number.isNaN(minute)) return { cadence: { kind: 'hourly', minute }, next: 2 };
  const meant = /^:?([0-5]?\d)$/.exec(word.text)?.[1];
  return cadenceProblem('not-a-minute', typed, word, meant && `:${meant.padStart(2, '0')}`);
}

/** Nothing but a zone can follow a cadence. */
function readZone(typed: CadenceSource, { cadence, next }: CadencePrefix): ParsedCadence | Problem {
  const [word, second] = typed.words.slice(next);
  if (!word) return { cadence };
  const zone = zoneNamed(word.text);
  if (zone && !second) return { cadence, zone };
  const [culprit, after] = zone ? typed.words.slice(next + 1) : [word, second];
  if (!culprit) return { cadence };
  const rest = { start: culprit.start, end: typed.words.at(-1)?.end ?? culprit.end };
  if (cadence.kind !== 'cron' && /^:?\d\d?(?::|[ap]m|$)/i.test(culprit.text)) {
    return cadenceProblem('two-times', typed, rest);
  }
  if (isOption(culprit, after)) return optionsAfter(typed, rest);
  if (zone) return cadenceProblem('words-after', typed, rest);
  return cadenceProblem('not-a-zone', typed, rest, nearestZone(typed.text.slice(rest.start, rest.end)));
}

/** Whether a word belongs before the cadence. */
function isOption({ text }: CadenceToken, after: CadenceToken | undefined): boolean {
  if (/^(?:csv|skip-empty)$/i.test(text) || /^[a-z_.]+:/i.test(text)) return true;
  return [text, `${text} ${after?.text}`].some((words) => parseRangeWords(words) !== undefined);
}

/** Says the options first, and the cadence with its zone last. */
function optionsAfter(typed: CadenceSource, rest: { readonly start: number; readonly end: number }): Problem {
  const { text, words } = typed;
  const { start } = words[0] ?? rest;
  const last = words.at(-1);
  const zoneIsLast = last && last.start > rest.start && zoneNamed(last.text) !== undefined;
  const optionsEnd = zoneIsLast ? last.start : rest.end;
  const options = text.slice(rest.start, optionsEnd).trim();
  const cadence = replaceStretch(
    text.slice(start),
    { start: rest.start - start, end: optionsEnd - start },
    '',
  );
  return {
    ...cadenceProblem('options-after', typed, { start: rest.start, end: optionsEnd }),
    corrected: `${text.slice(0, start)}${options} ${cadence}`,
  };
}

/** One word of a cadence, or all that stands in quotes. */
export interface CadenceToken extends Stretch {
  /** As typed, without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
}

/** A cadence on its way through the parser. */
export interface CadenceSource {
  /** The whole text it stands in. */
  readonly text: string;
  /** What it begins with. */
  readonly begins: CadenceWord;
  /** All of its words, the first one included. */
  readonly words: readonly CadenceToken[];
}

/** The words of a cadence to the end of a text; a quote that is never closed is a word of its own kind. */
export function readCadenceTokens(text: string, from: number): readonly (CadenceToken | 'open-quote')[] {
  const pieces = /"([^"]*)"|[“”„‟]([^“”„‟]*)[“”„‟]|(["“”„‟])|([^\s"“”„‟]+)/g;
  pieces.lastIndex = from;
  const words: (CadenceToken | 'open-quote')[] = [];
  for (let piece = pieces.exec(text); piece; piece = pieces.exec(text)) {
    const [, straight, curly, open, plain] = piece;
    const stretch = { start: piece.index, end: pieces.lastIndex };
    if (open !== undefined) return [...words, 'open-quote'];
    if (plain === undefined) words.push({ ...stretch, text: (straight ?? curly ?? '').trim(), quoted: true });
    else if (!fillers.test(plain)) words.push({ ...stretch, text: plain, quoted: false });
  }
  return words;
}

/** What to say of one word of a cadence, or of a stretch of them. */
export function cadenceProblem(
  refused: CadenceRefusal,
  typed: CadenceSource,
  stretch: Stretch | CadenceToken | undefined,
  near?: string,
): Problem {
  const { text, begins, words } = typed;
  const cause = { kind: 'cadence', refused, begins } as const;
  const whole = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? text.length };
  const { start, end } = stretch ?? whole;
  const said = stretch && 'quoted' in stretch ? stretch.text : text.slice(start, end).trim();
  return withSuggestion(cause, quoteTypedWord(said), near, { start, end }, typed);
}

/** A cadence, and which of its words comes after it. */
export interface CadencePrefix {
  readonly cadence: Cadence;
  readonly next: number;
}

const FIELDS = 5;

/** `cron "0 9 * * 1-5"` */
export function readCronWords(typed: CadenceSource): CadencePrefix | Problem {
  const { words, text } = typed;
  const word = words[1];
  if (!word) return cadenceProblem('cron-fields', typed, undefined);
  if (!word.quoted) {
    const last = words[FIELDS];
    const unquoted = { start: word.start, end: (last ?? words.at(-1) ?? word).end };
    const near = last && `"${text.slice(unquoted.start, unquoted.end)}"`;
    return cadenceProblem('cron-quotes', typed, unquoted, near);
  }
  const expression = word.text.replace(/\s+/g, ' ');
  const read = readCron(expression);
  if (!('refused' in read)) return { cadence: { kind: 'cron', expression }, next: 2 };
  const fields = expression.split(' ');
  const withoutSeconds = read.refused === 'seconds' && fields.length === FIELDS + 1;
  return cadenceProblem(
    whyRefused[read.refused],
    typed,
    word,
    withoutSeconds ? `"${fields.slice(1).join(' ')}"` : undefined,
  );
}

const whyRefused = {
  form: 'cron-fields',
  seconds: 'cron-seconds',
  'too-often': 'cron-too-often',
  never: 'cron-never',
} as const satisfies Readonly<Record<string, CadenceRefusal>>;
