import { cutText } from './text.js';

/** Marks that turn or hide text: direction overrides and isolates, invisible spaces, tags. Joiners stay: scripts need them. */
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Halves of characters that lost the other half. */
const halfCharacters = /\p{Surrogate}/gu;

/** Everything that is no character on a line: control characters, line and paragraph ends, blanks in a row. */
const breaks = /[\p{Cc}\s]+/gu;

/** Text from a person or the service as one line that shows what it is: nothing in it steers, hides or breaks lines. */
export function showable(text: string, most: number): string {
  // Far longer text than can be shown is not worth looking through.
  const start = text.length > 4 * most + 100 ? text.slice(0, 4 * most + 100) : text;
  const line = start.replace(halfCharacters, '\ufffd').replace(hidden, '').replace(breaks, ' ').trim();
  return cutText(line, most) || '(blank)';
}
