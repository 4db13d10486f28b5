import { type LearningLinks, learningLink } from '../../catalogue/learning-link.js';
import { alignedTable } from '../../figures/format/table.js';
import { formatCount, formatPlural } from '../../figures/format/values.js';
import type { ListedRows, RowCell } from '../../figures/reports/rows.js';
import { formatLimit } from '../../figures/summary/request.js';
import { compact, displayText, truncateText } from '../../requests/text.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { MessageVariants } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  button,
  buttons,
  context,
  dataTable,
  limits,
  preformatted,
  richLink,
  richTextLines,
  section,
  tableCell,
} from './blocks.js';
import {
  type DrawTable,
  fitRows,
  fits,
  joinWithinLimit,
  maxPlainRows,
  messageVariants,
  withinLimit,
} from './summary-parts.js';

/** Buttons for the file of an answer. Their value is its request's ID. */
export const fileActions = {
  /** Sends the CSV of an answer into its thread. */
  csv: 'ask_csv',
  xlsx: 'ask_xlsx',
} as const;

export interface ShownRows {
  readonly rows: ListedRows;
  readonly links: LearningLinks;
  /** True for rows that the last run did not have. No file has these alone. */
  readonly areNew?: boolean | undefined;
}

/** The rows of a result, if it has any to show. */
export function shownRows(
  { rows, newRows }: Pick<ReportResult, 'rows' | 'newRows'>,
  links: LearningLinks,
): ShownRows | undefined {
  return rows && { rows, links, areNew: newRows?.count !== undefined };
}

/** The most rows that a table of Slack's holds. */
export const maxListedRows = limits.table.rows;

/** Screen readers read every row. */
const maxTextRows = 15;

/** Slack shows no empty cells. */
const emptyCell = '–';

const maxCommandLength = 300;

/** Slack's native table with as many rows as fit, and their number in all; as text if not `isNative`. */
export function rowsTable(shown: ShownRows, isNative: boolean): DrawTable {
  const { rows } = shown;
  const most = Math.min(isNative ? maxListedRows : maxPlainRows, rows.listed.length);
  const draw = (count: number, layout: TableLayout) => [
    isNative ? nativeTable(shown, count, layout) : plainTable(rows, count),
    ...restBlocks(shown, count, isNative ? layout.columns : rows.columns.length),
  ];
  const layouts = layoutsOf(rows);
  return (taken) => {
    const wanted = Math.min(minRows, most);
    // Columns that the asker chose stay, with as many rows as fit.
    const otherwise = rows.minColumns === undefined ? layouts[0] : layouts.at(-1);
    const layout = layouts.find((some) => fits(draw(wanted, some), taken)) ?? otherwise;
    return layout ? fitRows(most, taken, (count) => draw(count, layout)) : [];
  };
}

/** So many people fit: with fewer columns, fewer links or shorter texts where they have to. */
const minRows = 50;

interface TableLayout {
  readonly columns: number;
  readonly links: number;
  /** Longer texts are cut; absent: none is. */
  readonly maxText?: number;
}

const shortText = 36;

/** From all columns with links to the fewest with short texts. The first page keeps its links for longest. */
function layoutsOf({ columns, minColumns }: ListedRows): readonly TableLayout[] {
  const most = Math.min(columns.length, limits.table.columns);
  const least = Math.min(minColumns ?? most, most);
  const narrower = (links: number) =>
    Array.from({ length: most - least + 1 }, (_, fewer) => ({ columns: most - fewer, links }));
  return [
    ...[limits.table.rows, limits.table.pageSize, 0].flatMap(narrower),
    { columns: least, links: 0, maxText: shortText },
  ];
}

function plainTable({ columns, listed }: ListedRows, count: number) {
  const rows = listed
    .slice(0, count)
    .map(({ cells }) => cells.map(({ text }) => ({ text: text || emptyCell })));
  return preformatted(alignedTable({ heading: columns.map(({ label }) => label), rows }));
}

/**
 * The rows in a message of their own, from the fullest to the plainest, as `summaryVariants` has them.
 *
 * @param command of the answer, `/report overdue rows`
 * @param requestId for the buttons that bring the file; absent: no buttons
 */
export function rowsVariants(
  shown: ShownRows,
  command: string,
  { scope, leavesOutPeople }: Pick<ReportResult, 'scope' | 'leavesOutPeople'>,
  requestId?: string,
): MessageVariants {
  const limit = formatLimit(scope, 'you');
  const limits = compact(limit, leavesOutPeople && 'Some people are left out');
  const rows = `The ${shown.areNew ? 'new ' : ''}rows of ${displayText(command, maxCommandLength)}`;
  const about = limits.length === 0 ? rows : `${[rows, ...limits].join('. ')}.`;
  const text = joinWithinLimit([about, ...rowLines(shown)].map(escaped));
  const files =
    requestId &&
    buttons(button(fileActions.csv, 'CSV', requestId), button(fileActions.xlsx, 'Excel', requestId));
  return messageVariants(text, ({ tables }) =>
    withinLimit([
      { blocks: [section(about)] },
      { blocks: [], table: rowsTable(shown, tables) },
      { blocks: compact(files) },
    ]),
  );
}

export function rowLines({ rows: { columns, listed, total }, areNew }: ShownRows): readonly string[] {
  const some = listed.slice(0, maxTextRows);
  const lines = some.map(({ cells }) =>
    cells.flatMap(({ text }, i) => (text === '' ? [] : [`${columns[i]?.label ?? ''} ${text}`])).join(', '),
  );
  return some.length < total ? [...lines, `${restLine(some.length, total, areNew)}.`] : lines;
}

function restBlocks({ rows: { columns, total }, areNew }: ShownRows, count: number, shownColumns: number) {
  const hidden = columns.length - shownColumns;
  const more = formatPlural(hidden, ['more column', 'more columns']);
  if (count < total) {
    const line = restLine(count, total, areNew);
    return [context(hidden > 0 ? `${line}, with ${more}.` : `${line}.`)];
  }
  return hidden > 0 ? [context(`The file has ${more}.`)] : [];
}

/** `The first 120 of 412 rows. The rest is in the file` */
function restLine(count: number, total: number, areNew = false) {
  if (areNew) return `The first ${formatCount(count)} of ${formatCount(total)} new rows`;
  return `The first ${formatCount(count)} of ${formatCount(total)} rows. The rest is in the file`;
}

function nativeTable({ rows: { columns, listed }, links }: ShownRows, count: number, layout: TableLayout) {
  // The days may come before what a row is about.
  const nameColumn = columns.findIndex(({ isDays }) => !isDays);
  return dataTable(
    captionOf(columns),
    columns.slice(0, layout.columns).map(({ label }) => label),
    listed.slice(0, count).map(({ cells }, row) => {
      const used = row < layout.links ? links : {};
      return cells.slice(0, layout.columns).map((cell) => cellOf(cell, used, layout.maxText));
    }),
    limits.table.pageSize,
    Math.max(0, nameColumn),
  );
}

/** `Rows by days overdue`: what they are sorted by, where it is what matters. */
function captionOf(columns: ListedRows['columns']) {
  const days = columns.find(({ isDays }) => isDays);
  return days ? `Rows by ${days.label.toLowerCase()}` : 'Rows';
}

function cellOf({ text: whole, number, link }: RowCell, links: LearningLinks, maxText?: number) {
  const text = maxText === undefined ? whole : truncateText(whole, maxText);
  if (text === '') return tableCell({ text: emptyCell });
  const url = link && learningLink(links, link.option, link.id);
  return url === undefined ? tableCell({ text, number }) : richTextLines([richLink(url, text)]);
}
