import { type Problem, quoteTypedWord, replaceSpan, withoutSpan } from './problem.js';
import type { OptionsContext } from './request-options.js';
import { type Entry, isCondition, type OptionToken, type TextSpan } from './tokens.js';
import { reportsWithOption } from './vocabulary.js';

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

export function entryWithComma(
  token: OptionToken,
  option: string,
  { text }: OptionsContext,
): Problem | undefined {
  const entry = token.entries.find(({ text }) => text.includes(','));
  if (!entry) return undefined;
  const without = withoutSpan(text, entry);
  return { kind: 'comma-in-entry', word: quoteTypedWord(entry.text), option, without };
}

export function entryWithCondition(
  token: OptionToken,
  option: string,
  { text }: OptionsContext,
): Problem | undefined {
  const entry = token.entries.find(({ text, quoted }) => !quoted && isCondition(text));
  if (!entry) return undefined;
  return { kind: 'condition', word: quoteTypedWord(entry.text), option, without: withoutSpan(text, token) };
}

/** The problem of a value that comes second, in the option or in another place. */
export function secondValue(
  entry: Entry,
  option: string,
  token: OptionToken,
  { text }: OptionsContext,
): Problem {
  const before = token.entries[token.entries.indexOf(entry) - 1];
  const without = replaceSpan(text, before ? { start: before.end, end: token.end } : token, '');
  return { kind: 'one-value', word: quoteTypedWord(entry.text), option, without };
}

/** The problem of an entry after a blank that looks like the next option: a value is missing, or a comma is too many. */
export function entryLikeAnOption(
  token: OptionToken,
  option: string,
  context: OptionsContext,
): Problem | undefined {
  const entry = token.entries.find(({ apart, quoted, text }) => apart && !quoted && looksLikeOption(text));
  if (!entry) return undefined;
  if (entry === token.entries[0]) return valueMissing(token, option, context);
  const before = context.text.slice(token.start, entry.start).replace(/[\s,]+$/, '');
  const corrected = replaceSpan(context.text, { start: token.start, end: entry.start }, `${before} `);
  return { kind: 'option-after-comma', word: quoteTypedWord(entry.text), option, corrected };
}

/** The problem of an option without a value. What follows its colon is kept, where it looks like the next option. */
export function valueMissing(token: OptionToken, option: string, { text }: OptionsContext): Problem {
  const end = token.entries[0]?.start ?? token.end;
  const without = replaceSpan(text, { start: token.start, end }, token.entries.length > 0 ? ' ' : '');
  return { kind: 'value-missing', word: option, option, without };
}

function looksLikeOption(text: string): boolean {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).toLowerCase();
  return colon > 0 && reportsWithOption(name).length > 0;
}
