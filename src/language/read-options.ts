import { MOST_RANGE_WORDS, parseRangeWords } from '../reports/date-range-words.js';
import { applyOption } from './apply-option.js';
import { type Asked, nothingAsked, type OptionsPlace } from './asked.js';
import { type Problem, quotable } from './problem.js';
import { takeRange } from './take-range.js';
import { readTokens, type Token, type WordToken } from './tokens.js';
import { unknownWord } from './unknown-word.js';

/** How a range without a colon begins, and how one of several words goes on. Most words are neither. */
const rangeBeginning = /^(?:today|yesterday|tomorrow|this|last|next|\d)/i;
const rangeGoesOn = /^(?:\d|q\d|\.\.|[dwmqy]$|(?:day|week|month|quarter|year)s?$)/i;

/** Reads a range and options up to the end of their place, or says the first thing that is not understood. */
export function readOptions(place: OptionsPlace): Asked | Problem {
  const tokens = readTokens(place.text, place.from, place.until);
  const asked = nothingAsked();
  for (let index = 0; index < tokens.length; ) {
    const taken = takeNext(tokens, index, asked, place);
    if (typeof taken !== 'number') return taken;
    index += taken;
  }
  return asked;
}

/** Takes what stands at one place; the count of tokens that it was, or what is wrong with it. */
function takeNext(
  tokens: readonly Token[],
  index: number,
  asked: Asked,
  place: OptionsPlace,
): number | Problem {
  const token = tokens[index];
  if (!token) return 1;
  if (token.kind === 'open-quote') {
    return { kind: 'quote-not-closed', word: quotable(place.text.slice(token.start, place.until)) };
  }
  if (token.kind === 'option') return applyOption(token, asked, place) ?? 1;
  const range = rangeAt(tokens, index, asked.rangeTyped);
  if (range.length > 0) return takeRange(range, asked, place) ?? range.length;
  const word = token.text.toLowerCase();
  if (word === 'csv') asked.csv = true;
  else if (word === 'skip-empty' && place.scheduled) asked.skipEmpty = true;
  else return unknownWord(tokens, index, place);
  return 1;
}

/** The words here that have a range's form together, as many as there are; none: no range begins here. */
export function rangeAt(
  tokens: readonly Token[],
  index: number,
  known: ReadonlySet<string> = new Set(),
): readonly WordToken[] {
  const words: WordToken[] = [];
  let range: readonly WordToken[] = [];
  for (const token of tokens.slice(index, index + MOST_RANGE_WORDS)) {
    const fits = words.length === 0 ? rangeBeginning : rangeGoesOn;
    if (token.kind !== 'word' || !fits.test(token.text)) break;
    words.push(token);
    const typed = words.map(({ text }) => text).join(' ');
    if (known.has(typed) || parseRangeWords(typed)) range = [...words];
  }
  return range;
}
