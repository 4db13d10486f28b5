import { type Problem, quoteTypedWord } from './problem.js';
import type { TextSpan } from './tokens.js';

/** Signs that people mean as those of a condition, and which are none. */
const foreignSign = /^[\uff01\uff1c\uff1e\uff1d≠¬]/;

/** True for an entry that begins with such a sign outside quotes. */
export function hasForeignSign({ start, end }: TextSpan, text: string): boolean {
  return foreignSign.test(text.slice(start, end));
}

const quotedPart = /("[^"]*"|[“”„‟][^“”„‟]*[“”„‟])/;

/** Quotes of other kinds around an entry. */
const otherQuotes =
  /(?<=[:,]\s*)(?:['‘’‚‛`´]([^'‘’‚‛`´",]*)['‘’‚‛`´]|[«»‹›\u300c\u300e]([^«»‹›\u300c\u300d\u300e\u300f",]*)[«»‹›\u300d\u300f])(?=[\s,;]|$)/g;

/**
 * A command with the signs that it takes in place of those that look like them: full-width ones, quotes of other kinds,
 * `≠`, other hyphens in dates, and the three dots that some keyboards make of two. What stands in quotes stays.
 */
export function withPlainSigns(text: string): string {
  return text
    .split(quotedPart)
    .map((part, index) => (index % 2 === 1 ? part : plainSigns(part)))
    .join('');
}

function plainSigns(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]+/g, (wide) => wide.normalize('NFKC'))
    .replace(/[≠¬]=?/g, '!')
    .replace(/(?<=\d)[‐‑‒−](?=[\dqQ])/g, '-')
    .replace(/(?<=\d)\s?(?:…|\.{3,})\s?(?=\d)/g, '..')
    .replace(otherQuotes, (_whole, inner?: string, other?: string) => `"${inner ?? other ?? ''}"`);
}

/**
 * The problem of a text, with its signs put right, or taken off around it, where that makes a command of it.
 *
 * @param isRead true for a text that is a command
 */
export function signsPutRight(text: string, problem: Problem, isRead: (text: string) => boolean): Problem {
  const [, inner] = /^["“”„‟'‘’](.*)["“”„‟'‘’]$/s.exec(text.trim()) ?? [];
  const plain = [withPlainSigns(text), inner ?? ''].find((other) => other !== text && isRead(other));
  if (!plain) return problem;
  const plainWords = plain.split(/\s+/);
  const word = text.split(/\s+/).find((typed, index) => typed !== plainWords[index]) ?? text;
  const right = { corrected: plain, understood: plain };
  // A condition says which signs it takes.
  return problem.kind === 'condition'
    ? { ...problem, ...right, otherWords: undefined }
    : { kind: 'other-signs', word: quoteTypedWord(word), ...right };
}
