import { curlyQuotes, straightQuote } from './tokens.js';

/** An entry of an option as it is typed: in quotes where it has to be. An entry has no comma and is not blank. */
export function quoteEntry(entry: string): string {
  const straight = entry.includes(straightQuote);
  const curly = [...curlyQuotes].some((quote) => entry.includes(quote));
  if (!straight && !curly && !/\s/.test(entry)) return entry;
  if (!straight) return `"${entry}"`;
  if (!curly) return `“${entry}”`;
  // Quoted pieces that touch are one entry, so each piece can have the quotes that the other needs.
  return (entry.match(/"+|[^"]+/g) ?? [])
    .map((piece) => (piece.startsWith(straightQuote) ? `“${piece}”` : `"${piece}"`))
    .join('');
}

/** An entry typed into a form, as a filter keeps it: without blanks at the ends; or why it cannot be one. */
export function checkEntry(
  typed: string,
): { readonly entry: string } | { readonly refused: 'empty' | 'comma' } {
  const entry = typed.trim();
  if (entry === '') return { refused: 'empty' };
  return entry.includes(',') ? { refused: 'comma' } : { entry };
}
