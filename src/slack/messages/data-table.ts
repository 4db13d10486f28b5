import type { DataTableBlock } from '@slack/types';
import type { Cell, TableInWords } from '../../figures/format/table.js';
import { limits } from './limits.js';

/** Slack's native table: people can sort it, numbers as numbers. */
export function dataTable(caption: string, { heading, rows }: TableInWords): DataTableBlock {
  const columns = limits.table.columns;
  return {
    type: 'data_table',
    caption,
    page_size: limits.table.pageSize,
    row_header_column_index: 0,
    rows: [
      heading.slice(0, columns).map((text) => ({ type: 'raw_text' as const, text })),
      ...rows.slice(0, limits.table.rows).map((cells) => cells.slice(0, columns).map(cellOf)),
    ],
  };
}

function cellOf({ text, number }: Cell) {
  return number === undefined
    ? { type: 'raw_text' as const, text }
    : { type: 'raw_number' as const, value: Math.round(number * 1000) / 1000, text };
}
