import { alignedTable, formatTable } from '../../figures/format/table.js';
import { formatDayAndTime } from '../../figures/format/values.js';
import type { Breakdown, FiguresResult } from '../../figures/result.js';
import type { Reader, ResultWithFigures } from '../../figures/summary/request.js';
import { type FormattedFigure, type FormattedSummary, formatSummary } from '../../figures/summary/summary.js';
import type { PostState } from '../../posts/states.js';
import { compact, truncateText } from '../../requests/text.js';
import type { MessageVariants, OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  bold,
  bulletList,
  button,
  context,
  dataTable,
  fieldSections,
  limits,
  mrkdwn,
  plainText,
  preformatted,
  richTextLines,
  tableCell,
} from './blocks.js';
import { notice } from './notices.js';
import { askerLines, figureLine, targetBlock, targetLines } from './summary.js';
import {
  type DrawTable,
  fitRows,
  groupsInTable,
  joinWithinLimit,
  maxPlainRows,
  messageVariants,
  noteBlocks,
  peopleBlocks,
  peopleInWords,
  withinLimit,
} from './summary-parts.js';

export const detailsActions = {
  /** Puts the details into the thread again, where their delivery is unconfirmed. Its value is the request's ID and the `ts` of the thread. */
  detailsAgain: 'ask_details_again',
} as const;

export interface DetailsInput {
  readonly result: ResultWithFigures;
  readonly isNewRun: boolean;
  /** The Slack user ID of whose answer it is, the only mention in the message. */
  readonly askedBy: string;
  /** True for the answer of a digest. `askedBy` is then its owner. */
  readonly isDigest: boolean;
  /** True in direct messages, where people may be named and no one else reads. */
  readonly isDirect: boolean;
}

/** The people whom details list; undefined where that is nobody. */
export function peopleInDetails({ result, isDirect }: DetailsInput, variants: MessageVariants) {
  const { figures } = result;
  return peopleInWords(
    { figures, isDirect },
    formatSummary(result, { withPeople: isDirect }),
    groupsInTable(figures, variants),
  );
}

/** In a thread, the first rows are enough until a reader turns the page. */
const pageSize = 5;

/** The details of an answer, from the fullest message to the plainest. */
export function detailsVariants(input: DetailsInput): MessageVariants {
  const { result } = input;
  const reader: Reader = { withPeople: input.isDirect, isOwner: input.isDigest };
  const words = formatSummary(result, reader);
  // “Your team” is theirs.
  const asker = askerLines(input);
  const again = input.isNewRun ? [runAgainLine(result)] : [];
  const { breakdown: asked, counted } = result.figures;
  // One row needs no table.
  const breakdown = counted > 1 && asked?.kind === 'groups' ? asked : undefined;
  const text = joinWithinLimit([
    escaped(`Details: ${words.finding}.`),
    ...again,
    escaped(truncateText(`${words.context.join(' · ')}.`, maxContextLength)),
    ...asker,
    ...allLines(words, breakdown, result.figures).map(escaped),
  ]);
  return messageVariants(text, ({ tables }) =>
    withinLimit([
      { blocks: headBlocks(words, again, asker) },
      { blocks: noteBlocks(words.nothing?.reasons ?? []) },
      { blocks: compact(words.target && targetBlock(words.target)) },
      { blocks: peopleBlocks(words), dropOrder: 5 },
      { blocks: figureBlocks(words.figures) },
      { blocks: noteBlocks(words.readingNotes), dropOrder: 4 },
      { blocks: lineBlocks(words), dropOrder: 2 },
      { blocks: [], table: breakdown && breakdownTable(breakdown, tables) },
      { blocks: noteBlocks(words.notes), dropOrder: 3 },
      { blocks: meaningList(words), dropOrder: 1 },
    ]),
  );
}

const maxContextLength = 900;

function headBlocks(
  { finding, context: about }: FormattedSummary,
  again: readonly string[],
  asker: readonly string[],
) {
  return [
    richTextLines([bold('Details'), ` · ${finding}`]),
    context(
      plainText([...again, about.join(' · ')].join(' '), maxContextLength),
      ...asker.map((line) => mrkdwn(line)),
    ),
  ];
}

const maxLineLength = 600;

/** Screen readers read every row. */
const maxTextRows = 15;

/** Everything that a result says, after its finding and its context. */
function allLines(words: FormattedSummary, table: Breakdown | undefined, { onlyRow }: FiguresResult) {
  const { figures, readingNotes, nothing, notes, lines, people } = words;
  if (nothing) return nothing.reasons;
  return compact(
    words.target && targetLines(words.target),
    people?.title,
    people?.lines,
    !onlyRow && figures.map(figureLine),
    readingNotes,
    lines.map(({ title, line }) => truncateText(`${title}: ${line}.`, maxLineLength)),
    table && tableLines(table),
    truncateText(notes.join(' '), maxLineLength),
  );
}

function tableLines(breakdown: Breakdown) {
  const { heading, rows, rest } = formatTable(breakdown, maxTextRows);
  const lines = rows.map((cells) =>
    cells
      .map(({ text }, i) =>
        i === 0 ? `${text}:` : `${heading[i] ?? ''} ${text}${i < cells.length - 1 ? ',' : ''}`,
      )
      .join(' '),
  );
  return compact(lines, rest);
}

/** All figures, a label above each. Changes say what they are from. */
export function figureBlocks(figures: readonly FormattedFigure[]) {
  return fieldSections(
    figures.map(({ label, value, change }) =>
      mrkdwn(`*${label}*\n${value}${change ? `  _${change.long}_` : ''}`),
    ),
  );
}

/** Spreads and rankings, one line each. */
function lineBlocks({ lines }: Pick<FormattedSummary, 'lines'>) {
  if (lines.length === 0) return [];
  return [
    bulletList(...lines.map(({ title, line }) => [bold(`${title}: `), truncateText(line, maxLineLength)])),
  ];
}

/** Slack's native table with as many rows as fit, and one line for the rest; as text if not `isNative`. */
export function breakdownTable(breakdown: Breakdown, isNative: boolean): DrawTable {
  const most = Math.min(isNative ? limits.table.rows : maxPlainRows, breakdown.rows.length);
  return (taken) =>
    fitRows(most, taken, (count) => {
      const table = formatTable(breakdown, count);
      const drawn = isNative
        ? dataTable(
            `Figures by ${breakdown.label.toLowerCase()}`,
            table.heading,
            table.rows.map((cells) => cells.map(tableCell)),
            pageSize,
          )
        : preformatted(alignedTable(table));
      return compact(drawn, table.rest && context(table.rest));
    });
}

function meaningList({ meanings, nothing }: FormattedSummary) {
  if (nothing || meanings.length === 0) return [];
  return [
    richTextLines([bold('What the figures mean')]),
    bulletList(...meanings.map(({ term, sentence }) => [bold(`${term}: `), sentence])),
  ];
}

function runAgainLine({ requestedAt, asker }: ResultWithFigures) {
  return `Run again ${formatDayAndTime(requestedAt, asker.zone)} for the same dates.`;
}

/**
 * Why a press posts no details.
 *
 * @param state of the details that were asked for before
 * @param root the `ts` of the first message of the thread
 */
export function detailsStateMessage(state: PostState, requestId: string, root: string): OutgoingMessage {
  switch (state) {
    case 'posted':
      return notice('The details are in the thread.');
    case 'unknown':
      return notice(
        'Delivery of the details is unconfirmed. If you cannot see them in the thread, send them again.',
        button(detailsActions.detailsAgain, 'Send again', `${requestId} ${root}`),
      );
    case 'cancelled':
    case 'skipped':
      return notice('That report has expired. Run it again.');
    default:
      return notice('The details are on their way to the thread.');
  }
}
