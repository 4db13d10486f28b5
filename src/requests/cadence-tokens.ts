import { ok, type Result, refused } from '../errors/result.js';
import type { Cadence, WallTime } from '../schedule/cadence.js';
import { findZone } from '../schedule/time-zones.js';
import type { CadenceRefusal } from './cadence-refusals.js';
import type { CadenceWord } from './cadence-words.js';
import { type Problem, quoteTypedWord, withSuggestion } from './problem.js';
import type { TextSpan } from './tokens.js';

/** Words without a meaning of their own. */
const fillers = /^(?:at|on|and)$/i;

const half = /^[ap]m$/i;

/** The time at `index`: `9`, `9am`, `9 am`, `9:30pm`, `09:00`, and how many words it is; undefined: no possible time. */
export function timeAt(
  words: readonly CadenceToken[],
  index: number,
): { readonly time: WallTime; readonly count: number } | undefined {
  const count = half.test(words[index + 1]?.text ?? '') ? 2 : 1;
  const [, hour, minute, ofDay] = /^(\d{1,2})(?::(\d{2}))?([ap]m)?$/i.exec(joined(words, index, count)) ?? [];
  const time = hour === undefined ? undefined : wallTime(Number(hour), Number(minute ?? 0), ofDay);
  return time === undefined ? undefined : { time, count };
}

/** The nearest valid time for `9.30`, `0930`, `9h30`, `17:00:00`, `17pm` or `24:00`. */
function timeMeant(words: readonly CadenceToken[], index: number): WallTime | undefined {
  const typed = joined(words, index, half.test(words[index + 1]?.text ?? '') ? 2 : 1);
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

function joined(words: readonly CadenceToken[], index: number, count: number): string {
  return words
    .slice(index, index + count)
    .map(({ text }) => text)
    .join('');
}

/** One word of a cadence, or everything between two quotes. */
export interface CadenceToken extends TextSpan {
  /** As typed, without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
}

/** A cadence on its way through the parser. */
export class CadenceSource {
  /**
   * @param text the full text that contains it
   * @param begins its first word
   * @param words all of its words, the first one included
   */
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

  refuse(reason: CadenceRefusal, span?: TextSpan | CadenceToken, near?: string): Result<never, Problem> {
    return refused(this.problem(reason, span, near));
  }

  /** A cadence that ends with the time at `index`. */
  withTime(index: number, cadenceAt: (time: WallTime) => Cadence): Result<CadencePrefix, Problem> {
    const read = timeAt(this.words, index);
    if (read) return ok({ cadence: cadenceAt(read.time), next: index + read.count });
    const word = this.words[index];
    if (!word || findZone(word.text)) return this.refuse('time-missing');
    return this.refuse('not-a-time', word, timeMeant(this.words, index));
  }
}

/** The words of a cadence to the end of a text. */
export function readCadenceTokens(text: string, from: number): Result<readonly CadenceToken[], Problem> {
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

/** A cadence at the start of the words, and the index of the word after it. */
export interface CadencePrefix {
  readonly cadence: Cadence;
  readonly next: number;
}
