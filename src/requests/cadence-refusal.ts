import type { CadenceWord } from './cadence-words.js';
import { type Problem, quotable, withNearest } from './problem.js';
import type { Stretch } from './tokens.js';

/** Why the words at the end of `schedule` are no cadence. */
export type CadenceRefusal =
  | 'time-missing'
  | 'not-a-time'
  | 'two-times'
  | 'day-missing'
  | 'not-a-weekday'
  | 'not-a-day-of-month'
  | 'not-weeks'
  | 'not-a-minute'
  | 'not-a-zone'
  | 'options-after'
  | 'words-after'
  | 'cron-quotes'
  | 'cron-fields'
  | 'cron-seconds'
  | 'cron-too-often'
  | 'cron-never';

/** One word of a cadence, or all that stands in quotes. */
export interface WordOfCadence extends Stretch {
  /** As typed, without its quotes. */
  readonly text: string;
  readonly quoted: boolean;
}

/** A cadence on its way through the parser. */
export interface CadenceTyped {
  /** The whole text it stands in. */
  readonly text: string;
  /** What it begins with. */
  readonly begins: CadenceWord;
  /** All of its words, the first one included. */
  readonly words: readonly WordOfCadence[];
}

/** Words that only make a cadence sound like a sentence. */
const fillers = /^(?:at|on|and)$/i;

/** The words of a cadence to the end of a text; a quote that is never closed is a word of its own kind. */
export function wordsOfCadence(text: string, from: number): readonly (WordOfCadence | 'open-quote')[] {
  const pieces = /"([^"]*)"|[“”„‟]([^“”„‟]*)[“”„‟]|(["“”„‟])|([^\s"“”„‟]+)/g;
  pieces.lastIndex = from;
  const words: (WordOfCadence | 'open-quote')[] = [];
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
export function refuse(
  refused: CadenceRefusal,
  typed: CadenceTyped,
  stretch: Stretch | WordOfCadence | undefined,
  near?: string,
): Problem {
  const { text, begins, words } = typed;
  const cause = { kind: 'cadence', refused, begins } as const;
  const whole = { start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? text.length };
  const { start, end } = stretch ?? whole;
  const said = stretch && 'quoted' in stretch ? stretch.text : text.slice(start, end).trim();
  return withNearest(cause, quotable(said), near, { start, end }, typed);
}
