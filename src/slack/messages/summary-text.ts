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
  return joinWithinLimit([
    escaped(`${words.finding}.`),
    escaped(truncateText(`${words.context.join(' · ')}.`, maxLineLength)),
    ...shownLines(words, input).map(escaped),
    ...input.remarks.map((remark) => escaped(displayText(remark, maxLineLength))),
    ...askerLines(input),
    ...[...rowsLine(words), displayText(input.command, maxLineLength), ...restLine(input)].map(escaped),
  ]);
}

function shownLines(words: FormattedSummary, { rows, isDirect }: SummaryMessageInput): readonly string[] {
  const { keyFigures, people, visual, readingNotes, nothing } = words;
  if (nothing) return nothing.reasons;
  const visualLines = visual && !people ? [truncateText(`${visual.line}.`, maxLineLength)] : [];
  const figures = keyFigures.map(figureLine);
  const others = rows ? rowLines(rows.rows) : [...peopleLines(words), ...visualLines];
  const isPeopleFirst = isDirect && (rows !== undefined || people !== undefined);
  return [...(isPeopleFirst ? [...others, ...figures] : [...figures, ...others]), ...readingNotes];
}

function peopleLines({ people }: FormattedSummary): readonly string[] {
  return people ? [people.title, ...people.lines] : [];
}

/** Everything that a result says, after its finding and its context. */
export function allLines(words: FormattedSummary, result: SummaryMessageInput['result']): string[] {
  const { figures, visual, readingNotes, nothing, notes, lines } = words;
  if (nothing) return [...nothing.reasons];
  const table = tableOf(result.figures);
  return [
    ...peopleLines(words),
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

/** Whose answer it is. In direct messages it is the reader's own. */
export function askerLines({
  askedBy,
  isDigest,
  isDirect,
}: Pick<SummaryMessageInput, 'askedBy' | 'isDirect'> & {
  readonly isDigest?: boolean | undefined;
}): readonly string[] {
  if (isDirect || askedBy === undefined || !isUserId(askedBy)) return [];
  return [`${isDigest ? 'Set up by' : 'Asked by'} <@${askedBy}>`];
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
