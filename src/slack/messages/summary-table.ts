import type { AnyBlock } from '@slack/types';
import { alignedTable } from '../../figures/format/aligned-table.js';
import { type TableInWords, tableInWords } from '../../figures/format/table.js';
import type { Breakdown } from '../../figures/result.js';
import { context, plain, preformatted } from './blocks.js';
import { dataTable } from './data-table.js';
import { limits } from './limits.js';

/** A table in words has no pages: more lines would bury the rest of the message. */
const mostPlainRows = 15;

/**
 * The native table, of as many rows as the message has room for, and the rest as one line.
 *
 * @param taken characters of the message's other blocks
 */
export function nativeTable(breakdown: Breakdown, taken: number): AnyBlock[] {
  const caption = captionOf(breakdown);
  return fitting(breakdown, limits.table.rows, taken, (table) => dataTable(caption, table));
}

/** The same in even columns of plain text. */
export function plainTable(breakdown: Breakdown, taken: number): AnyBlock[] {
  return fitting(breakdown, mostPlainRows, taken, (table) => preformatted(alignedTable(table)));
}

/** Halves the room to find the most rows that fit; none where not even one does. */
function fitting(
  breakdown: Breakdown,
  mostRows: number,
  taken: number,
  draw: (table: TableInWords) => AnyBlock,
): AnyBlock[] {
  let fits: AnyBlock[] = [];
  let [low, high] = [1, Math.min(mostRows, breakdown.rows.length)];
  while (low <= high) {
    const rows = (low + high) >> 1;
    const table = tableInWords(breakdown, rows);
    const blocks = [draw(table), ...(table.rest ? [context(plain(table.rest))] : [])];
    // Two more for the commas between them and the other blocks.
    if (JSON.stringify(blocks).length + taken + 2 <= limits.messageCharacters) {
      fits = blocks;
      low = rows + 1;
    } else high = rows - 1;
  }
  return fits;
}

function captionOf({ label }: Breakdown): string {
  return `Figures by ${label.toLowerCase()}`;
}
