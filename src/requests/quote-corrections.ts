import { isFiller } from './filler-words.js';
import { type Problem, quoteTypedWord, replaceSpan } from './problem.js';
import { rangeAt } from './range-words.js';
import type { OptionsContext } from './request-options.js';
import { quoteEntry, type TextSpan, type Token, type WordToken } from './tokens.js';
import { optionsOf } from './vocabulary.js';

/**
 * After `departments:Field`, the word `Operations` is probably the rest of the entry.
 *
 * @param isOther true for a word that has a meaning after the report
 */
export function entryWithoutQuotes(
  tokens: readonly Token[],
  index: number,
  word: WordToken,
  context: OptionsContext,
  isOther: (typed: string) => boolean,
): Problem | undefined {
  const before = tokens[index - 1];
  const entry = before?.kind === 'option' ? before.entries.at(-1) : undefined;
  if (before?.kind !== 'option' || !entry || entry.quoted) return undefined;
  const meaning = optionsOf(context.report).get(before.name.toLowerCase());
  if (meaning?.kind !== 'title' && !(meaning?.kind === 'filter' && meaning.member.kind === 'names')) {
    return undefined;
  }
  // A comma begins the next entry.
  const words = entryWords(tokens, index, isOther);
  const [last = word] = words.slice(-1);
  const comma = last.text.indexOf(',');
  const end = comma < 0 ? last.end : last.start + comma;
  const rest = context.text.slice(word.start, end).replace(/\s+/g, ' ');
  if (rest === '') return undefined;
  const isNot = isNotBefore(before);
  if (isNot && before.entries.length > 1) return undefined;
  const quoted = isNot ? `!${quoteEntry(rest)}` : quoteEntry(`${entry.text} ${rest}`);
  return {
    kind: 'quotes-missing',
    word: quoteTypedWord(rest),
    option: `${before.name.toLowerCase()}:`,
    nearest: quoteTypedWord(quoted),
    corrected: replaceSpan(context.text, { start: entry.start, end }, quoted),
  };
}

/** `departments:not`: the word says that what follows is left out. */
export function isNotBefore(token: Token | undefined): boolean {
  const entry = token?.kind === 'option' ? token.entries.at(-1) : undefined;
  return entry !== undefined && !entry.quoted && /^(?:not|except|excluding|without)$/i.test(entry.text);
}

/** The words from one on that can belong to the entry before it. A comma ends an entry. */
function entryWords(tokens: readonly Token[], index: number, isOther: (typed: string) => boolean) {
  const words: WordToken[] = [];
  for (let at = index; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== 'word' || words.at(-1)?.text.includes(',')) break;
    if (at > index && (isOther(token.text) || isFiller(token.text) || rangeAt(tokens, at))) break;
    words.push(token);
  }
  return words;
}

/** The quote may have been meant to close at the end. */
export function openQuote(token: TextSpan, { text, until }: OptionsContext): Problem {
  const typed = text.slice(token.start, until);
  const word = quoteTypedWord(typed);
  const hasEntry = /["“”„‟][^"“”„‟]*[^\s"“”„‟]/.test(typed);
  const entry = typed.replace(/(?:\s+(?:csv|xlsx|rows|to:me))*\s*$/i, '');
  const end = token.start + entry.length;
  const closed = `${entry.replace(/[“”„‟]/g, '"')}"`;
  const without = replaceSpan(text, { start: token.start, end: until }, '');
  // At the end of a word it closes a quote that was never opened.
  const only = /(?<=[^\s:,])["“”„‟]/.exec(typed);
  if (only && typed.search(/["“”„‟]/) === only.index) {
    const at = token.start + only.index;
    const corrected = text.slice(0, at) + text.slice(at + 1);
    return { kind: 'quote-not-closed', word, corrected, without };
  }
  const corrected = hasEntry ? replaceSpan(text, { start: token.start, end }, closed) : undefined;
  return { kind: 'quote-not-closed', word, corrected, without };
}
