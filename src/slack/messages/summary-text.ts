import type { FormattedFigure, FormattedSummary } from '../../figures/format/summary.js';
import { formatTable } from '../../figures/format/table.js';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Breakdown } from '../../figures/result.js';
import { escaped, isUserId } from '../markup.js';
import { rowLines } from './rows.js';
import type { SummaryMessageInput } from './summary.js';
import { joinWithinLimit, tableOf } from './summary-parts.js';

/** Screen readers read every row. */
const maxRows = 15;

const maxLineLength = 600;

/**
 * The text of the message, for screen readers and for the preview in notifications. It says what the blocks show, in
 * their order, as far as it fits.
 */
export function summaryText(words: FormattedSummary, input: SummaryMessageInput): string {
  const { askedBy, isDigest, isDirect } = input;
  const asker = askedBy !== undefined && isUserId(askedBy) ? [askerLine(askedBy, isDigest)] : [];
  return joinWithinLimit([
    escaped(`${words.finding}.`),
    escaped(truncateText(`${words.context.join(' · ')}.`, maxLineLength)),
    ...(isDirect ? directLines(words, input) : channelLines(words, input)).map(escaped),
    ...input.remarks.map((remark) => escaped(displayText(remark, maxLineLength))),
    ...asker,
    ...[...rowsLine(words), displayText(input.command, maxLineLength), ...restLine(input)].map(escaped),
  ]);
}

function channelLines(words: FormattedSummary, { rows }: SummaryMessageInput): string[] {
  const { keyFigures, visual, readingNotes, nothing } = words;
  if (nothing) return [...nothing.reasons];
  const visualLines = visual ? [`${visual.line}.`] : [];
  const shown = rows ? rowLines(rows.rows) : visualLines;
  return [...keyFigures.map(figureLine), ...shown, ...readingNotes];
}

function directLines(words: FormattedSummary, { rows, result }: SummaryMessageInput): string[] {
  if (!rows || words.nothing) return allLines(words, result);
  return [...rowLines(rows.rows), ...allLines({ ...words, people: undefined, visual: undefined }, result)];
}

/** Everything that a result says, after its finding and its context. */
export function allLines(words: FormattedSummary, result: SummaryMessageInput['result']): string[] {
  const { figures, visual, readingNotes, nothing, notes, people, lines } = words;
  if (nothing) return [...nothing.reasons];
  const table = tableOf(result.figures);
  return [
    ...(people ? [people.title, ...people.lines] : []),
    ...(result.figures.onlyRow ? [] : figures.map(figureLine)),
    ...readingNotes,
    ...(visual ? [truncateText(`${visual.line}.`, maxLineLength)] : []),
    ...lines.map(({ title, line }) => truncateText(`${title}: ${line}.`, maxLineLength)),
    ...(table ? tableLines(table) : []),
    ...[truncateText(notes.join(' '), maxLineLength)].filter(Boolean),
  ];
}

/** `Overdue now: 24, up 60% from 15`. */
function figureLine({ label, value, change }: FormattedFigure): string {
  return `${label}: ${value}${change ? `, ${change.long}` : ''}`;
}

function askerLine(askedBy: string, isDigest: true | undefined): string {
  return `${isDigest ? 'Set up by' : 'Asked by'} <@${askedBy}>`;
}

function rowsLine({ rows }: FormattedSummary): string[] {
  return rows === undefined ? [] : [rows.replace('▲', 'up').replace('▼', 'down')];
}

/** Where the rest of the answer is. */
function restLine({ buttons }: SummaryMessageInput): string[] {
  return buttons.some(({ kind }) => kind === 'details')
    ? ['Press Details for all figures, the table and what they mean.']
    : [];
}

function tableLines(breakdown: Breakdown): string[] {
  const { heading, rows, rest } = formatTable(breakdown, maxRows);
  return [
    ...rows.map((cells) =>
      cells
        .map(({ text }, i) =>
          i === 0 ? `${text}:` : `${heading[i] ?? ''} ${text}${i < cells.length - 1 ? ',' : ''}`,
        )
        .join(' '),
    ),
    ...(rest ? [rest] : []),
  ];
}
