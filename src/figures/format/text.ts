/** Text of at most that many UTF-16 units, ending in `…` where something was cut, and never inside a character. */
export function truncateText(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = Math.max(0, most - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Marks that turn or hide text: direction overrides and isolates, invisible spaces, tags. Joiners stay: scripts need them. */
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Halves of characters that lost the other half. */
const halfCharacters = /\p{Surrogate}/gu;

/** Everything that is no character on a line: control characters, line and paragraph ends, blanks in a row. */
const breaks = /[\p{Cc}\s]+/gu;

/** Text of a person or the service as one visible line, without control characters and direction overrides. */
export function displayText(text: string, most: number): string {
  // Only the beginning of a long text is needed.
  const start = text.length > 4 * most + 100 ? text.slice(0, 4 * most + 100) : text;
  const line = start.replace(halfCharacters, '\ufffd').replace(hidden, '').replace(breaks, ' ').trim();
  return truncateText(line, most) || '(blank)';
}

const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;
const marks = /\p{Mark}|\u200d|\ufe0f/u;

/** Columns that text takes on a terminal: East Asian letters and emoji take two, marks none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += marks.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
