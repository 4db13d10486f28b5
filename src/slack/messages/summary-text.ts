import type { AnyBlock } from '@slack/types';
import { formatLimit } from '../../figures/format/request.js';
import { type FormattedSummary, formatSummary } from '../../figures/format/summary.js';
import { alignedTable, type FormattedTable, formatTable } from '../../figures/format/table.js';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Breakdown } from '../../figures/result.js';
import { escaped, isUserId } from '../markup.js';
import { context, dataTable, limits, plainText, preformatted } from './blocks.js';
import type { SummaryMessageInput } from './summary.js';

/** Screen readers read every row. */
const maxRows = 15;

const maxLineLength = 600;

/**
 * The text of the message, for screen readers and for the preview in notifications. It holds what the blocks show, as
 * far as it fits.
 */
export function summaryText(input: SummaryMessageInput): string {
  const words = formatSummary(input.result, input.withPeople);
  const { askedBy, isDigest, result } = input;
  const limit = formatLimit(result.scope, isDigest ? 'owner' : 'you');
  // Figures come first, because a text that is too long loses its last lines.
  return joinWithinLimit([
    ...figureLines(words).map(escaped),
    ...(limit ? [limit] : []),
    ...(askedBy !== undefined && isUserId(askedBy)
      ? [`${isDigest ? 'Set up by' : 'Asked by'} <@${askedBy}>`]
      : []),
    ...findingLines(words).map(escaped),
    ...restLines(words, input).map(escaped),
  ]);
}

function figureLines({ title, when, nothing, figures, rows }: FormattedSummary): string[] {
  if (nothing) return [`${title}, ${when}`, nothing.line, ...nothing.reasons];
  return [
    `${title}, ${when}`,
    ...figures.map(({ label, value, change }) => `${label}: ${value}${change ? `, ${change}` : ''}`),
    ...(rows === undefined ? [] : [rows]),
  ];
}

function findingLines({ nothing, filters, onlyRow, findings, compared }: FormattedSummary): string[] {
  const filtered = filters.length > 0 ? [truncateText(filters.join('; '), maxLineLength)] : [];
  if (nothing) return filtered;
  return [
    ...filtered,
    ...(onlyRow.length > 0 ? onlyRow : findings).map((found) =>
      truncateText(
        'line' in found ? `${found.title}: ${found.line}` : `${found.label}: ${found.text}`,
        maxLineLength,
      ),
    ),
    ...(compared ? [compared] : []),
  ];
}

function restLines(
  { chartNumbers, people, notes, nothing }: FormattedSummary,
  input: SummaryMessageInput,
): string[] {
  const { breakdown, counted } = input.result.figures;
  const table = breakdown?.kind === 'groups' && counted > 1 ? formatTable(breakdown, maxRows) : undefined;
  return [
    ...(chartNumbers ? [chartNumbers] : []),
    ...(people ? [people.title, ...people.lines] : []),
    ...(nothing ? [] : [truncateText(notes.join(' '), maxLineLength)].filter(Boolean)),
    ...input.remarks.map((remark) => displayText(remark, maxLineLength)),
    displayText(input.command, maxLineLength),
    ...(table?.rows ?? []).map((cells) =>
      cells
        .map(({ text }, i) =>
          i === 0 ? `${text}:` : `${table?.heading[i] ?? ''} ${text}${i < cells.length - 1 ? ',' : ''}`,
        )
        .join(' '),
    ),
    ...(table?.rest ? [table.rest] : []),
  ];
}

/** Leaves out lines that do not fit. */
function joinWithinLimit(all: readonly string[]): string {
  let text = '';
  for (const line of all) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (longer.length <= limits.textCharacters) text = longer;
  }
  return text;
}

/** A text table has no pages, so more rows would hide the rest of the message. */
const maxPlainRows = 15;

/**
 * Slack's native table with as many rows as fit, and one line for the rest.
 *
 * @param taken characters of the other blocks of the message
 */
export function nativeTable(breakdown: Breakdown, taken: number): AnyBlock[] {
  const caption = captionOf(breakdown);
  return largestTable(breakdown, limits.table.rows, taken, (table) => dataTable(caption, table));
}

/** The same table as text. */
export function plainTable(breakdown: Breakdown, taken: number): AnyBlock[] {
  return largestTable(breakdown, maxPlainRows, taken, (table) => preformatted(alignedTable(table)));
}

/** Finds the most rows that fit by binary search. Returns nothing if not even one fits. */
function largestTable(
  breakdown: Breakdown,
  maxTableRows: number,
  taken: number,
  draw: (table: FormattedTable) => AnyBlock,
): AnyBlock[] {
  let fits: AnyBlock[] = [];
  let [low, high] = [1, Math.min(maxTableRows, breakdown.rows.length)];
  while (low <= high) {
    const rows = (low + high) >> 1;
    const table = formatTable(breakdown, rows);
    const blocks = [draw(table), ...(table.rest ? [context(plainText(table.rest))] : [])];
    // Two more for the commas between the blocks.
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
