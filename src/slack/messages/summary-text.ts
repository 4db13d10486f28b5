import type { ResultWithFigures } from '../../figures/format/request.js';
import type { FormattedFigure, FormattedSummary } from '../../figures/format/summary.js';
import { formatTable } from '../../figures/format/table.js';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Breakdown } from '../../figures/result.js';
import { actions, digestActions } from '../ids.js';
import { escaped, isUserId } from '../markup.js';
import { rowLines, type ShownRows } from './rows.js';
import { joinWithinLimit, tableOf } from './summary-parts.js';

export const summaryButtons = {
  details: [actions.details, 'Details'],
  csv: [actions.csv, 'CSV'],
  xlsx: [actions.xlsx, 'Excel'],
  change: [actions.change, 'Change'],
  save: [actions.save, 'Save'],
  schedule: [actions.schedule, 'Schedule'],
  manage: [digestActions.manage, 'Manage'],
  share: [actions.share, 'Share to channel'],
} as const;

export interface SummaryButton {
  readonly kind: keyof typeof summaryButtons;
  /** At most 2,000 characters. */
  readonly value: string;
}

export interface SummaryMessageInput {
  readonly result: ResultWithFigures;
  /** As typed, `/report engagement last-week`. */
  readonly command: string;
  /** The asker's Slack user ID, the only mention in the message. */
  readonly askedBy?: string;
  /** True for a run of a digest. `askedBy` is then the owner of the digest. */
  readonly isDigest?: true;
  /** Lines of our own above the buttons, such as where the file is. */
  readonly remarks: readonly string[];
  /** The rows that the message shows; absent: none. */
  readonly rows?: ShownRows | undefined;
  /** True in direct messages, where people may be named and no one else reads. */
  readonly isDirect: boolean;
  /** The IANA zone of the readers. Times of another zone name it; absent: the zone is always named. */
  readonly zone?: string | undefined;
  /** In this order. */
  readonly buttons: readonly SummaryButton[];
}

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
