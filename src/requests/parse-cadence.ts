import type { Cadence } from '../schedule/cadence.js';
import { nearestZone, zoneNamed } from '../schedule/time-zones.js';
import { readCronWords } from './cadence-cron-words.js';
import { readMonthly, readQuarterly } from './cadence-months.js';
import { type CadenceTyped, refuse, type WordOfCadence, wordsOfCadence } from './cadence-refusal.js';
import { type CadenceRead, withTime } from './cadence-times.js';
import { type CadenceWord, cadenceWord } from './cadence-words.js';
import { readEvery, readWeekly } from './parse-calendar-cadence.js';
import { isProblem, type Problem, quotable, withReplaced } from './problem.js';
import { parseRangeWords } from './range-words.js';

/** A cadence with the zone that was typed after it, by its IANA name of today. */
export interface CadenceInWords {
  readonly cadence: Cadence;
  readonly zone?: string;
}

/**
 * Reads `weekly mon,thu 09:00 Europe/Berlin`, from a place to the end of a text. Corrections are of the whole text.
 */
export function parseCadence(text: string, from = 0): CadenceInWords | Problem {
  const words: WordOfCadence[] = [];
  for (const word of wordsOfCadence(text, from)) {
    if (word === 'open-quote') return { kind: 'quote-not-closed', word: quotable(text.slice(from).trim()) };
    words.push(word);
  }
  const begins = cadenceWord(words[0]?.text ?? '');
  if (!begins) return { kind: 'cadence-missing', word: quotable(text.slice(from).trim()) };
  const typed = { text, begins, words };
  const read = forms[begins](typed);
  return isProblem(read) ? read : readZone(typed, read);
}

const forms: Readonly<Record<CadenceWord, (typed: CadenceTyped) => CadenceRead | Problem>> = {
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
function readHourly(typed: CadenceTyped): CadenceRead | Problem {
  const word = typed.words[1];
  if (!word || !/^[:\d]/.test(word.text)) return { cadence: { kind: 'hourly', minute: 0 }, next: 1 };
  const minute = Number(/^:([0-5]\d)$/.exec(word.text)?.[1]);
  if (!Number.isNaN(minute)) return { cadence: { kind: 'hourly', minute }, next: 2 };
  const meant = /^:?([0-5]?\d)$/.exec(word.text)?.[1];
  return refuse('not-a-minute', typed, word, meant && `:${meant.padStart(2, '0')}`);
}

/** Nothing but a zone can follow a cadence. */
function readZone(typed: CadenceTyped, { cadence, next }: CadenceRead): CadenceInWords | Problem {
  const [word, second] = typed.words.slice(next);
  if (!word) return { cadence };
  const zone = zoneNamed(word.text);
  if (zone && !second) return { cadence, zone };
  const [culprit, after] = zone ? typed.words.slice(next + 1) : [word, second];
  if (!culprit) return { cadence };
  const rest = { start: culprit.start, end: typed.words.at(-1)?.end ?? culprit.end };
  if (cadence.kind !== 'cron' && /^:?\d\d?(?::|[ap]m|$)/i.test(culprit.text)) {
    return refuse('two-times', typed, rest);
  }
  if (isOption(culprit, after)) return optionsAfter(typed, rest);
  if (zone) return refuse('words-after', typed, rest);
  return refuse('not-a-zone', typed, rest, nearestZone(typed.text.slice(rest.start, rest.end)));
}

/** Whether a word belongs before the cadence. */
function isOption({ text }: WordOfCadence, after: WordOfCadence | undefined): boolean {
  if (/^(?:csv|skip-empty)$/i.test(text) || /^[a-z_.]+:/i.test(text)) return true;
  return [text, `${text} ${after?.text}`].some((words) => parseRangeWords(words) !== undefined);
}

/** Says the options first, and the cadence with its zone last. */
function optionsAfter(typed: CadenceTyped, rest: { readonly start: number; readonly end: number }): Problem {
  const { text, words } = typed;
  const { start } = words[0] ?? rest;
  const last = words.at(-1);
  const zoneIsLast = last && last.start > rest.start && zoneNamed(last.text) !== undefined;
  const optionsEnd = zoneIsLast ? last.start : rest.end;
  const options = text.slice(rest.start, optionsEnd).trim();
  const cadence = withReplaced(text.slice(start), { start: rest.start - start, end: optionsEnd - start }, '');
  return {
    ...refuse('options-after', typed, { start: rest.start, end: optionsEnd }),
    corrected: `${text.slice(0, start)}${options} ${cadence}`,
  };
}
