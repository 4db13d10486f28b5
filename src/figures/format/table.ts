import { displayText, widthOf } from '../../requests/text.js';
import type { Breakdown, BreakdownRow, BreakdownTail, FigureValue } from '../result.js';
import { formatCount, formatShort, plainNumber } from './values.js';

const maxNameLength = 60;

/** The name of the group without a value. */
export const notGiven = 'Not given';

export interface Cell {
  readonly text: string;
  /** Set for numbers: what the column is sorted by. */
  readonly number?: number;
}

/** A table in words, of as many rows as fit. */
export interface FormattedTable {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** The groups that are not among the rows, in one line. */
  readonly rest?: string;
}

/** The first rows of a breakdown, and all others as one line. */
export function formatTable(breakdown: Breakdown, maxRows: number): FormattedTable {
  const rows = breakdown.rows.slice(0, maxRows);
  const rest = breakdown.tails[rows.length];
  return {
    heading: [breakdown.label, ...breakdown.columns.map(({ label }) => label)],
    rows: rows.map(cellsOf),
    rest: rest && formatRest(breakdown, rest),
  };
}

function cellsOf({ label, values }: BreakdownRow): readonly Cell[] {
  const name: Cell = { text: label === null ? notGiven : displayText(label, maxNameLength) };
  return [name, ...values.map(cellOf)];
}

function cellOf(value: FigureValue): Cell {
  const number = plainNumber(value);
  return number === undefined ? { text: formatShort(value) } : { text: formatShort(value), number };
}

/** `The other 12 together: Active people 34, Share active 50% (34 of 68)`. */
function formatRest({ columns }: Breakdown, { groups, values }: BreakdownTail): string {
  const known = values.flatMap((value, i) => {
    const label = columns[i]?.label ?? '';
    return value.kind === 'unknown' || value.kind === 'too-few' ? [] : [`${label} ${formatShort(value)}`];
  });
  if (known.length === 0)
    return groups === 1 ? 'One more is not shown.' : `The other ${formatCount(groups)} are not shown.`;
  const who = groups === 1 ? 'One more' : `The other ${formatCount(groups)} together`;
  return `${who}: ${known.join(', ')}.`;
}

/** A table as lines of even columns: text to the left, columns with numbers to the right. */
export function alignedTable({ heading, rows }: FormattedTable): string {
  const all = [heading.map((text) => ({ text, number: undefined })), ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...all.map((cells) => widthOf(cells[column]?.text ?? ''))),
  );
  const numeric = heading.map((_, column) => rows.some((cells) => cells[column]?.number !== undefined));
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
