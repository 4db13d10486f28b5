import type { Report } from '../catalogue/index.js';
import type { OptionsPlace } from './asked.js';
import { cadenceWords } from './cadence-words.js';
import { nearest } from './nearest.js';
import { optionsOf } from './option-names.js';
import { type Problem, quotable, withNearest, withReplaced } from './problem.js';
import { quoteEntry } from './quote-entry.js';
import { rangeNames } from './range-words.js';
import type { Stretch, Token, WordToken } from './tokens.js';

/** What to say of a word after the report that is neither a range nor an option. */
export function unknownWord(tokens: readonly Token[], index: number, place: OptionsPlace): Problem {
  const words = wordsFrom(tokens, index);
  const [first] = words;
  if (!first) throw new Error('Only a word can be an unknown word');
  const typed = first.text.toLowerCase();
  if (typed === 'skip-empty') {
    const corrected = withReplaced(place.text, first, '');
    return { kind: 'only-when-scheduled', word: quotable(first.text), corrected };
  }
  if (optionsOf(place.report, place.overdueOnly).has(typed)) return colonMissing(first, words[1], place);
  const phrase = /^(?:last|this|next)$/.test(typed) ? rangePhrase(words) : [first];
  const stretch = { start: first.start, end: phrase.at(-1)?.end ?? first.end };
  const said = phrase.map(({ text }) => text).join('-');
  const near = nearest(said, wordsValidAfter(place, said));
  const unquoted = near === undefined ? entryWithoutQuotes(tokens, index, words, place) : undefined;
  if (unquoted) return unquoted;
  const cause = { kind: 'unknown-word', report: place.report.name } as const;
  return withNearest(cause, quotable(place.text.slice(stretch.start, stretch.end)), near, stretch, place);
}

/** `last 30 dys` is one phrase, `this weak` too. */
function rangePhrase(words: readonly WordToken[]): readonly WordToken[] {
  return words.slice(0, /^\d+$/.test(words[1]?.text ?? '') ? 3 : 2);
}

/** Every word that can follow a report, ranges with the number that was typed among them. */
function wordsValidAfter(place: OptionsPlace, typed: string): readonly string[] {
  const options = [
    'csv',
    ...[...optionsOf(place.report, place.overdueOnly).keys()].map((name) => `${name}:`),
  ];
  return [
    ...rangesLike(typed, place.report),
    ...options,
    ...(place.scheduled ? ['skip-empty', ...cadenceWords] : []),
  ];
}

function rangesLike(typed: string, { range }: Report): readonly string[] {
  if (!range) return [];
  const count = /\d{1,4}/.exec(typed)?.[0] ?? '';
  const counted = ['days', 'weeks', 'months', 'quarters', 'years'].map((unit) => `last-${count}-${unit}`);
  const padded = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(typed)?.slice(1).filter(Boolean);
  const date = padded?.map((part) => part.padStart(2, '0')).join('-');
  return [
    ...(date ? [date] : []),
    ...rangeNames(range.hasFuture),
    ...(count && Number(count) > 0 ? [...counted, ...(range.hasFuture ? [`next-${count}-days`] : [])] : []),
  ];
}

function colonMissing(name: WordToken, value: WordToken | undefined, place: OptionsPlace): Problem {
  const option = `${name.text.toLowerCase()}:`;
  const colonFollows = place.text.slice(name.end, place.until).trimStart().startsWith(':');
  const word = quotable(name.text);
  if (colonFollows) {
    const stretch = { start: name.start, end: place.text.indexOf(':', name.end) + 1 };
    return withNearest({ kind: 'colon-missing' }, word, option, stretch, place);
  }
  if (!value) return { kind: 'colon-missing', word, nearest: option };
  return withNearest({ kind: 'colon-missing' }, word, option, { start: name.start, end: value.start }, place);
}

/** After `departments:Field`, the word `Operations` is probably the rest of the entry. */
function entryWithoutQuotes(
  tokens: readonly Token[],
  index: number,
  words: readonly WordToken[],
  place: OptionsPlace,
): Problem | undefined {
  const before = tokens[index - 1];
  const [word] = words;
  const entry = before?.kind === 'option' ? before.entries.at(-1) : undefined;
  if (before?.kind !== 'option' || !entry || entry.quoted || !word) return undefined;
  const stretch: Stretch = { start: entry.start, end: word.end };
  const whole = quoteEntry(`${entry.text} ${word.text}`);
  return {
    kind: 'quotes-missing',
    word: quotable(word.text),
    option: `${before.name.toLowerCase()}:`,
    nearest: quotable(whole),
    corrected: withReplaced(place.text, stretch, whole),
  };
}

function wordsFrom(tokens: readonly Token[], index: number): readonly WordToken[] {
  const words: WordToken[] = [];
  for (const token of tokens.slice(index, index + 3)) {
    if (token.kind !== 'word') break;
    words.push(token);
  }
  return words;
}
