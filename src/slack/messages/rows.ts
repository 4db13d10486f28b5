import type { AnyBlock, DataTableBlock } from '@slack/types';
import { type LearningLinks, learningLink } from '../../catalogue/learning-link.js';
import { formatLimit } from '../../figures/format/request.js';
import { alignedTable } from '../../figures/format/table.js';
import { displayText } from '../../figures/format/text.js';
import { formatCount } from '../../figures/format/values.js';
import type { ListedRows, RowCell } from '../../figures/rows.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions } from '../ids.js';
import { escaped } from '../markup.js';
import { button, buttons, context, limits, plainText, preformatted, section } from './blocks.js';
import { type DrawTable, fitRows, joinWithinLimit, maxPlainRows, withinLimit } from './summary-parts.js';

/** The rows of an answer, and where the titles in them lead. */
export interface ShownRows {
  readonly rows: ListedRows;
  readonly links: LearningLinks;
}

/** The most rows that a table of Slack's holds. */
export const maxListedRows = limits.table.rows;

/** Screen readers read every row. */
const maxTextRows = 15;

/** Slack shows no empty cells. */
const emptyCell = '–';

const maxCommandLength = 300;

/**
 * Slack's native table with as many rows as fit, and how many there are in all; as text where Slack refuses tables.
 *
 * @param isNative false: as text
 */
export function rowsTable(shown: ShownRows, isNative: boolean): DrawTable {
  const { rows } = shown;
  const most = Math.min(isNative ? maxListedRows : maxPlainRows, rows.listed.length);
  return (taken) =>
    fitRows(most, taken, (count) => [
      isNative ? nativeTable(shown, count) : plainTable(rows, count),
      ...restBlocks(rows, count),
    ]);
}

function plainTable({ columns, listed }: ListedRows, count: number): AnyBlock {
  const rows = listed
    .slice(0, count)
    .map(({ cells }) => cells.map(({ text }) => ({ text: text || emptyCell })));
  return preformatted(alignedTable({ heading: columns.map(({ label }) => label), rows }));
}

/**
 * The rows in a message of their own, from the fullest to the plainest, as `summaryVariants` has them.
 *
 * @param command of the answer, `/report overdue rows`
 * @param requestId for the button that brings the file; absent: no button
 */
export function rowsVariants(
  shown: ShownRows,
  command: string,
  { scope, leavesOutPeople }: Pick<ReportResult, 'scope' | 'leavesOutPeople'>,
  requestId?: string,
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  const limit = formatLimit(scope, 'you');
  const limits = [...(limit ? [limit] : []), ...(leavesOutPeople ? ['Some people are left out'] : [])];
  const rows = `The rows of ${displayText(command, maxCommandLength)}`;
  const about = limits.length === 0 ? rows : `${[rows, ...limits].join('. ')}.`;
  const text = joinWithinLimit([about, ...rowLines(shown.rows)].map(escaped));
  const head = section(plainText(about));
  const message = (isNative: boolean): OutgoingMessage => ({
    text,
    blocks: withinLimit([
      { blocks: [head] },
      { blocks: [], table: rowsTable(shown, isNative) },
      { blocks: requestId === undefined ? [] : [buttons(button(actions.csv, 'CSV', requestId))] },
    ]),
  });
  const full = message(true);
  return [full, full, message(false), { text }];
}

/** The first rows as lines, for screen readers. */
export function rowLines({ columns, listed, total }: ListedRows): readonly string[] {
  const some = listed.slice(0, maxTextRows);
  const lines = some.map(({ cells }) =>
    cells.flatMap(({ text }, i) => (text === '' ? [] : [`${columns[i]?.label ?? ''} ${text}`])).join(', '),
  );
  return some.length < total ? [...lines, restLine(some.length, total)] : lines;
}

function restBlocks({ total }: ListedRows, count: number): AnyBlock[] {
  return count < total ? [context(plainText(restLine(count, total)))] : [];
}

/** `The first 120 of 412 rows. The rest is in the file (CSV).` */
function restLine(count: number, total: number): string {
  return `The first ${formatCount(count)} of ${formatCount(total)} rows. The rest is in the file (CSV).`;
}

function nativeTable({ rows: { columns, listed }, links }: ShownRows, count: number): DataTableBlock {
  const most = limits.table.columns;
  // Days have no flag. The name of a row comes after them.
  const nameColumn = columns.findIndex(({ flag }) => flag !== undefined);
  return {
    type: 'data_table',
    caption: captionOf(columns),
    page_size: limits.table.pageSize,
    row_header_column_index: Math.max(0, nameColumn),
    rows: [
      columns.slice(0, most).map(({ label }) => ({ type: 'raw_text' as const, text: label })),
      ...listed.slice(0, count).map(({ cells }) => cells.slice(0, most).map((cell) => cellOf(cell, links))),
    ],
  };
}

/** `Rows by days overdue`: what they are sorted by, where it is what matters. */
function captionOf([first]: ListedRows['columns']): string {
  return first && first.flag === undefined ? `Rows by ${first.label.toLowerCase()}` : 'Rows';
}

type TableCell = DataTableBlock['rows'][number][number];

function cellOf({ text, number, link }: RowCell, links: LearningLinks): TableCell {
  if (text === '') return { type: 'raw_text', text: emptyCell };
  const url = link && learningLink(links, link.option, link.id);
  if (url !== undefined) {
    return {
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url, text }] }],
    };
  }
  return number === undefined ? { type: 'raw_text', text } : { type: 'raw_number', value: number, text };
}
