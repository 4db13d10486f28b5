/**
 * Shortens text that is too long. Shortened text ends with `…`. Never cuts inside a character.
 *
 * @param maxLength UTF-16 units
 */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(0, maxLength - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}

/** Marks that turn or hide text: direction overrides and isolates, invisible spaces, tags. Joiners stay: scripts need them. */
const hidden =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Halves of surrogate pairs without the other half. */
const loneSurrogates = /\p{Surrogate}/gu;

/** Control characters, line breaks and runs of spaces. */
const breaks = /[\p{Cc}\s]+/gu;

/**
 * Text of a person or the service as one visible line, without control characters and direction overrides.
 *
 * @param maxLength UTF-16 units
 */
export function displayText(text: string, maxLength: number): string {
  // Only the beginning of a long text is needed.
  const start = text.slice(0, 4 * maxLength + 100);
  const line = start.replace(loneSurrogates, '\ufffd').replace(hidden, '').replace(breaks, ' ').trim();
  return truncateText(line, maxLength) || '(blank)';
}

const wide =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\uff01-\uff60]/u;
const marks = /\p{Mark}|\u200d|\ufe0f/u;

/** Columns that text takes on a terminal: East Asian letters and emoji take two, marks none. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (!marks.test(character)) width += wide.test(character) ? 2 : 1;
  }
  return width;
}
