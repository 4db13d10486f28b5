import type { RawNumberElement, RawTextElement, RichTextBlock, RichTextElement } from '@slack/types';
import { parse } from 'csv-parse/browser/esm/sync';

export type Cell = RawTextElement | RawNumberElement | RichTextBlock;

export interface SortOrder {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/** The text of a cell, for sorting and screen readers. */
export function cellText(cell: Cell | undefined): string {
  if (!cell) return '';
  return cell.type === 'rich_text' ? richTextText(cell) : cell.text;
}

/** True if every row has a number in the column. Such columns sort by value. */
export function isNumeric(rows: readonly Cell[][], column: number): boolean {
  return rows.length > 0 && rows.every((row) => row[column]?.type === 'raw_number');
}

/** True if a row has a number in the column. Such columns are right-aligned, including cells for missing values. */
export function hasNumbers(rows: readonly Cell[][], column: number): boolean {
  return rows.some((row) => row[column]?.type === 'raw_number');
}

/** The sorted rows. Equal rows keep the bot's order. */
export function sortRows(rows: readonly Cell[][], order: SortOrder | undefined): readonly Cell[][] {
  if (!order) return rows;
  const { column, direction } = order;
  const sign = direction === 'ascending' ? 1 : -1;
  const compare = isNumeric(rows, column)
    ? (a: Cell[], b: Cell[]) => numberOf(a[column]) - numberOf(b[column])
    : (a: Cell[], b: Cell[]) => cellText(a[column]).localeCompare(cellText(b[column]), 'en');
  return rows.toSorted((a, b) => sign * compare(a, b));
}

function numberOf(cell: Cell | undefined): number {
  return cell?.type === 'raw_number' ? cell.value : 0;
}

/** The order after a click on a column header: ascending, descending, the bot's order. */
export function nextOrder(order: SortOrder | undefined, column: number): SortOrder | undefined {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

/** The plain text of a rich text. */
function richTextText(block: RichTextBlock): string {
  const words = (leaf: RichTextElement): string => {
    if (leaf.type === 'text') return leaf.text;
    if (leaf.type === 'link') return leaf.text || leaf.url;
    if (leaf.type === 'date') return leaf.fallback ?? String(leaf.timestamp);
    return '';
  };
  return block.elements
    .flatMap((part) =>
      part.type === 'rich_text_list'
        ? part.elements.map((item) => item.elements.map(words).join(''))
        : part.elements.map(words).join(''),
    )
    .join(' ');
}

export interface CsvRows {
  /** The first row is the header. */
  readonly rows: readonly string[][];
  /** True if the file has more rows. */
  readonly more: boolean;
}

/** The first rows of a CSV text. If the text is not complete, its last row may be cut and is left out. */
export function csvRows(text: string, maxRows: number, isComplete: boolean): CsvRows {
  const rows: string[][] = parse(text, {
    bom: true,
    relax_column_count: true,
    skip_records_with_error: !isComplete,
    to: maxRows + 1,
  });
  const complete = isComplete || rows.length > maxRows ? rows : rows.slice(0, -1);
  return { rows: complete.slice(0, maxRows), more: !isComplete || rows.length > maxRows };
}
