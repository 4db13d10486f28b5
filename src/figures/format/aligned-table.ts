import type { TableInWords } from './table.js';

/** A table as lines of even columns: names to the left, numbers to the right. */
export function alignedTable({ heading, rows }: TableInWords): string {
  const all = [heading.map((text) => ({ text, number: undefined })), ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((cells) => widthOf(cells[column]?.text ?? ''))),
  );
  const numeric = heading.map((_, column) => column > 0);
  return all
    .map((cells) =>
      cells
        .map(({ text }, column) => padded(text, widths[column] ?? 0, numeric[column] ?? false))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function padded(text: string, width: number, right: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? blanks + text : text + blanks;
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
