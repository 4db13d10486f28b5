import { ok, type Result, refused } from '../errors/failure.js';

/** A part of a text, from `start` up to but without `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A word without a colon, as typed. */
export interface WordToken extends TextSpan {
  readonly kind: 'word';
  readonly text: string;
}

/** `departments:Sales,"Field Operations"`, with everything that the colon governs. */
export interface OptionToken extends TextSpan {
  readonly kind: 'option';
  /** The text before the colon, as typed. */
  readonly name: string;
  /** Just after the colon. */
  readonly nameEnd: number;
  /** Without the empty ones. */
  readonly entries: readonly Entry[];
}

/** A quote that is never closed, to the end of the text. */
interface OpenQuoteToken extends TextSpan {
  readonly kind: 'open-quote';
}

export interface Entry extends TextSpan {
  /** Without quotes, and without blanks at the ends. */
  readonly text: string;
  /** True where any part of it stood in quotes. */
  readonly quoted: boolean;
  /** True where a blank stands between it and its colon or comma. */
  readonly apart: boolean;
}

export type Token = WordToken | OptionToken | OpenQuoteToken;

/** A straight quote is closed by a straight one, a curly one by any curly one; so each can hold the other. */
const straightQuote = '"';
const curlyQuotes = '“”„‟';

/** Reads all tokens between two offsets of a text. An open quote is the last one. */
export function readTokens(text: string, from: number, until = text.length): readonly Token[] {
  const read = text.slice(0, until);
  const tokens: Token[] = [];
  for (let token = tokenAt(read, from); token; token = tokenAt(read, token.end)) tokens.push(token);
  return tokens;
}

/** The first token at or after an offset. */
export function tokenAt(text: string, from: number): Token | undefined {
  const start = skipBlanks(text, from);
  if (start >= text.length) return undefined;
  const head = readPieces(text, start, ':');
  if (!head) return { kind: 'open-quote', start, end: text.length };
  if (text[head.end] === ':') return readOption(text, start, head.end);
  return { kind: 'word', text: text.slice(start, head.end), start, end: head.end };
}

function readOption(text: string, start: number, colon: number): Token {
  const entries: Entry[] = [];
  let end = colon + 1;
  for (let separator = colon; separator < text.length; ) {
    const entryStart = skipBlanks(text, separator + 1);
    const pieces = readPieces(text, entryStart, ',');
    if (!pieces) return { kind: 'open-quote', start: entryStart, end: text.length };
    const { quoted } = pieces;
    const entry = { text: pieces.text.trim(), quoted, start: entryStart, end: pieces.end };
    if (entry.text !== '') entries.push({ ...entry, apart: entryStart > separator + 1 });
    if (pieces.end > entryStart) end = pieces.end;
    separator = skipBlanks(text, pieces.end);
    if (text[separator] !== ',') break;
    end = separator + 1;
  }
  return { kind: 'option', name: text.slice(start, colon), nameEnd: colon + 1, entries, start, end };
}

const quotedText = /"([^"]*)"|[“”„‟]([^“”„‟]*)[“”„‟]/g;
const pieces = {
  ':': new RegExp(`(?:${quotedText.source}|[^\\s"“”„‟:]+)*`, 'y'),
  ',': new RegExp(`(?:${quotedText.source}|[^\\s"“”„‟,]+)*`, 'y'),
} as const;

/** Reads up to a blank or the given separator, taking quotes off; undefined where a quote is never closed. */
function readPieces(text: string, start: number, separator: keyof typeof pieces) {
  const form = pieces[separator];
  form.lastIndex = start;
  const typed = form.exec(text)?.[0] ?? '';
  const end = start + typed.length;
  if (/["“”„‟]/.test(text.charAt(end))) return undefined;
  const plain = typed.replace(quotedText, '$1$2');
  return { text: plain, quoted: plain !== typed, end };
}

function skipBlanks(text: string, from: number): number {
  return from + text.slice(from).search(/\S|$/);
}

const signForm = /^(?:!=?|[<>=]=|=[<>]|[<>=≤≥])/;

/** The sign of a condition before an entry, as typed. Undefined where a quote stands before it. */
export function signBefore({ start, end }: TextSpan, text: string): string | undefined {
  return signForm.exec(text.slice(start, end))?.[0];
}

/** True for an entry that begins with a sign of a condition, or that means an empty or filled field. In quotes it is plain text. */
function isCondition(entry: string): boolean {
  return /^(?:[!<>=≤≥\uff01\uff1c\uff1e\uff1d≠¬]|(?:none|any)$)/i.test(entry);
}

/** An entry of an option as it is typed: in quotes where it has to be. It is not blank. */
export function quoteEntry(entry: string): string {
  const straight = entry.includes(straightQuote);
  const curly = [...curlyQuotes].some((quote) => entry.includes(quote));
  if (!straight && !curly && !/[\s,;]/.test(entry) && !isCondition(entry)) return entry;
  if (!straight) return `"${entry}"`;
  if (!curly) return `“${entry}”`;
  // Quoted pieces that touch are one entry, so each piece can have the quotes that the other needs.
  return (entry.match(/"+|[^"]+/g) ?? [])
    .map((piece) => (piece.startsWith(straightQuote) ? `“${piece}”` : `"${piece}"`))
    .join('');
}

/** An entry typed into a form, as a filter stores it: without blanks at the ends; or why it cannot be one. */
export function validateEntry(typed: string): Result<string, 'empty' | 'comma'> {
  const entry = typed.trim();
  if (entry === '') return refused('empty');
  return entry.includes(',') ? refused('comma') : ok(entry);
}

/** The blank-free word at or after an offset. */
export function wordAt(text: string, from: number): (TextSpan & { readonly text: string }) | undefined {
  const word = /\S+/g;
  word.lastIndex = from;
  const found = word.exec(text);
  return found ? { text: found[0], start: found.index, end: word.lastIndex } : undefined;
}
