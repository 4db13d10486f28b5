import type { AnyBlock } from '@slack/types';
import { type FormattedSummary, formatSummary } from '../../figures/format/summary.js';
import { alignedTable, type FormattedTable, formatTable } from '../../figures/format/table.js';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Breakdown } from '../../figures/result.js';
import { escaped, isUserId } from '../markup.js';
import { context, dataTable, limits, plainText, preformatted } from './blocks.js';
import type { SummaryMessageInput } from './summary.js';

/** So many groups are read out. */
const maxRows = 15;

/** So much of the command and of the filters is read out. */
const maxLineLength = 600;

/**
 * The summary in plain words: what a screen reader says instead of the blocks, and a notification begins with. It says
 * what they say, as far as there is room, the key figures first.
 */
export function summaryText(input: SummaryMessageInput): string {
  const words = formatSummary(input.result, input.withPeople);
  const { askedBy } = input;
  // Figures first: whatever else is long, they are said.
  return joinWithinLimit([
    ...figureLines(words).map(escaped),
    ...(askedBy !== undefined && isUserId(askedBy)
      ? [`${input.isDigest ? 'Set up by' : 'Asked by'} <@${askedBy}>`]
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
    rows,
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

/** The lines that a message's text has room for, each whole. */
function joinWithinLimit(all: readonly string[]): string {
  let text = '';
  for (const line of all) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (longer.length <= limits.textCharacters) text = longer;
  }
  return text;
}

/** A table in words has no pages: more lines would bury the rest of the message. */
const maxPlainRows = 15;

/**
 * The native table, of as many rows as the message has room for, and the rest as one line.
 *
 * @param taken characters of the message's other blocks
 */
export function nativeTable(breakdown: Breakdown, taken: number): AnyBlock[] {
  const caption = captionOf(breakdown);
  return largestTable(breakdown, limits.table.rows, taken, (table) => dataTable(caption, table));
}

/** The same in even columns of plain text. */
export function plainTable(breakdown: Breakdown, taken: number): AnyBlock[] {
  return largestTable(breakdown, maxPlainRows, taken, (table) => preformatted(alignedTable(table)));
}

/** Halves the room to find the most rows that fit; none where not even one does. */
function largestTable(
  breakdown: Breakdown,
  mostRows: number,
  taken: number,
  draw: (table: FormattedTable) => AnyBlock,
): AnyBlock[] {
  let fits: AnyBlock[] = [];
  let [low, high] = [1, Math.min(mostRows, breakdown.rows.length)];
  while (low <= high) {
    const rows = (low + high) >> 1;
    const table = formatTable(breakdown, rows);
    const blocks = [draw(table), ...(table.rest ? [context(plainText(table.rest))] : [])];
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
