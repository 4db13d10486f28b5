import {
  byType,
  type Check,
  flag,
  isThing,
  list,
  number,
  oneOf,
  type Say,
  type Thing,
  text,
  thing,
} from './checks.js';
import { blockId } from './composition.js';
import { richText } from './rich-text.js';

const rawText = thing({ text: text() }, { needs: ['text'] });
const rawNumber = thing({ value: number(), text: text() }, { needs: ['value', 'text'] });
const cell = byType(() => ({ raw_text: rawText, raw_number: rawNumber, rich_text: richText }));

/** `null` skips a column in the documents, but the types forbid it: pad with `{}`. */
const columnSetting = thing({ align: oneOf('left', 'center', 'right'), is_wrapped: flag });

/** Up to 100 rows; only in messages, since Home tabs were seen to refuse it. */
export const table = thing(
  {
    block_id: blockId,
    rows: list(list(cell, { min: 1, max: 20 }), { min: 1, max: 100 }),
    column_settings: list(columnSetting, { max: 20 }),
  },
  { needs: ['rows'] },
);

/** A header row and 1 to 200 rows beneath it. */
export const dataTable = thing(
  {
    block_id: blockId,
    caption: text(),
    rows: list(list(cell, { min: 1, max: 20 }), { min: 2, max: 201 }),
    page_size: number({ whole: true, min: 1, max: 100 }),
    row_header_column_index: number({ whole: true, min: 0, max: 19 }),
  },
  { needs: ['rows', 'caption'], also: rowsFitTheHeader },
);

function rowsFitTheHeader(block: Thing, at: string, say: Say) {
  if (!Array.isArray(block.rows)) return;
  const [header] = block.rows;
  if (!Array.isArray(header)) return;
  for (const [index, head] of header.entries())
    if (isThing(head) && head.type === 'rich_text')
      say({
        code: 'not_allowed_here',
        message: 'unsupported type: rich_text in the header row',
        pointer: `${at}/rows/0/${index}`,
      });
  for (const [index, row] of block.rows.entries())
    if (Array.isArray(row) && row.length !== header.length)
      say({
        code: 'uneven_rows',
        message: `must have ${header.length} cells as the header has`,
        pointer: `${at}/rows/${index}`,
      });
  const named = block.row_header_column_index;
  if (typeof named === 'number' && named >= header.length)
    say({
      code: 'too_large',
      message: 'must be the index of a column',
      pointer: `${at}/row_header_column_index`,
    });
}

export const tableBlocks: Readonly<Record<string, Check>> = { table, data_table: dataTable };
