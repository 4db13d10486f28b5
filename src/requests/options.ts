import { applyOption } from './apply-option.js';
import { type Asked, nothingAsked, type OptionsPlace } from './asked.js';
import { type Problem, quotable, withReplaced } from './problem.js';
import { MOST_RANGE_WORDS, parseRangeWords } from './range-words.js';
import { reportFor } from './report-for.js';
import { takeRange } from './take-range.js';
import { type OptionToken, readTokens, type Token, type WordToken } from './tokens.js';
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
  return wrongTogether(asked, tokens, place) ?? asked;
}

/** What shows only when everything was read: the date that a range goes by may be typed after it. */
function wrongTogether(asked: Asked, tokens: readonly Token[], place: OptionsPlace): Problem | undefined {
  const { overdueOnly } = place;
  if (asked.byAssignedDate && asked.dateField !== undefined && asked.dateField !== 'assigned_date') {
    const on = tokens.find((token) => token.kind === 'option' && token.name.toLowerCase() === 'on');
    if (!on) throw new Error('A date field without on:');
    const word = quotable(place.text.slice(on.start, on.end));
    return { kind: 'two-dates', word, corrected: withReplaced(place.text, on, '') };
  }
  const dateField = asked.dateField ?? place.dateField;
  const report = reportFor({ report: place.report.name, overdueOnly, ...(dateField ? { dateField } : {}) });
  return report.range?.hasFuture ? undefined : asked.rangeAhead;
}

/** An option that takes a range, with the words that belong to it: `assigned:last 30 days`. */
function rangeOption(
  tokens: readonly Token[],
  index: number,
): { readonly token: OptionToken; readonly count: number } | undefined {
  const token = tokens[index];
  if (token?.kind !== 'option' || !/^(?:since|assigned)$/i.test(token.name)) return undefined;
  const [entry, second] = token.entries;
  if (!entry || second) return undefined;
  const range = rangeAt([{ kind: 'word', ...entry }, ...tokens.slice(index + 1)], 0);
  const last = range.at(-1);
  if (!last || range.length === 1) return { token, count: 1 };
  const text = range.map((word) => word.text).join(' ');
  return {
    token: { ...token, end: last.end, entries: [{ ...entry, text, end: last.end }] },
    count: range.length,
  };
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
  if (token.kind === 'option') {
    const { token: option, count } = rangeOption(tokens, index) ?? { token, count: 1 };
    return applyOption(option, asked, place) ?? count;
  }
  const range = rangeAt(tokens, index, asked.rangeTyped);
  if (range.length > 0) return takeRange(range, asked, place) ?? range.length;
  const word = token.text.toLowerCase();
  if (word === 'csv') asked.csv = true;
  else if (word === 'skip-empty' && place.scheduled) asked.skipEmpty = true;
  else return unknownWord(tokens, index, place);
  return 1;
}

/**
 * A range as a person typed it, for a sentence that refuses it.
 *
 * @param typed the whole command
 * @param words the range in its canonical words, which are returned where nothing typed means them
 */
export function rangeAsTyped(typed: string, words: string): string {
  const tokens = readTokens(typed, 0);
  for (const [index, token] of tokens.entries()) {
    const option = rangeOption(tokens, index)?.token;
    const entry = option?.entries[0]?.text ?? '';
    const range = option ? [] : rangeAt(tokens, index);
    const text = option
      ? `${/^since$/i.test(option.name) ? 'since:' : ''}${entry}`
      : range.map((word) => word.text).join(' ');
    const parsed = parseRangeWords(text);
    if (parsed && 'words' in parsed && parsed.words === words) {
      return typed.slice(token.start, option?.end ?? range.at(-1)?.end);
    }
  }
  return words;
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
