import type { AnyBlock } from '@slack/types';
import type { Reader } from '../../figures/format/request.js';
import { type FormattedSummary, formatSummary } from '../../figures/format/summary.js';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { FormattedVisual } from '../../figures/format/visual.js';
import {
  bold,
  button,
  buttons,
  code,
  context,
  mrkdwn,
  plainText,
  richText,
  richTextLines,
} from './blocks.js';
import { chartBlock } from './chart.js';
import { rowsTable } from './rows.js';
import {
  type BlockSupport,
  keyFigureBlocks,
  type MessageVariants,
  messageVariants,
  noteBlocks,
  type Part,
  peopleBlocks,
  withinLimit,
} from './summary-parts.js';
import {
  askerLines,
  type SummaryButton,
  type SummaryMessageInput,
  summaryButtons,
  summaryText,
} from './summary-text.js';

/** The message of a summary, with its chart and its table, from the fullest to the plainest. */
export function summaryVariants(input: SummaryMessageInput): MessageVariants {
  const words = formatSummary(input.result, readerOf(input));
  return messageVariants(summaryText(words, input), (support) => summaryBlocks(input, words, support));
}

function summaryBlocks(
  input: SummaryMessageInput,
  words: FormattedSummary,
  support: BlockSupport,
): readonly AnyBlock[] {
  const parts: Part[] = [
    { blocks: headBlocks(words, input) },
    ...(words.nothing
      ? [{ blocks: noteBlocks(words.nothing.reasons) }]
      : partsWithFigures(words, input, support)),
    { blocks: [...commandBlocks(words, input), ...buttonRow(input.buttons)] },
  ];
  return withinLimit(parts);
}

/** A few figures, and one of these: the rows, the people in direct messages, the chart. *Details* has the rest. */
function partsWithFigures(
  words: FormattedSummary,
  { rows, isDirect }: SummaryMessageInput,
  { charts, tables }: BlockSupport,
): readonly Part[] {
  const figures: Part = { blocks: keyFigureBlocks(words.keyFigures) };
  const others: Part = rows
    ? { blocks: [], table: rowsTable(rows, tables) }
    : { blocks: words.people ? peopleBlocks(words) : visualBlocks(words.visual, charts), dropOrder: 1 };
  const isPeopleFirst = isDirect && (rows !== undefined || words.people !== undefined);
  return [
    ...(isPeopleFirst ? [others, figures] : [figures, others]),
    { blocks: noteBlocks(words.readingNotes), dropOrder: 2 },
  ];
}

function readerOf({ isDirect, isDigest, zone, result: { request } }: SummaryMessageInput): Reader {
  // Who asks for a breakdown wants to see it, and both do not fit.
  const maxPeople = request.by === undefined ? maxPeopleShown : 0;
  return { withPeople: isDirect, maxPeople, isOwner: isDigest, zone };
}

/** More would not leave room for the figures. *Details* has all. */
const maxPeopleShown = 5;

/** The buttons under a summary, each kind once. */
function buttonRow(wanted: readonly SummaryButton[]): AnyBlock[] {
  const once = wanted.filter(({ kind }, i) => wanted.findIndex((other) => other.kind === kind) === i);
  if (once.length === 0) return [];
  return [
    buttons(
      ...once.map(({ kind, value }) => {
        const [action, label] = summaryButtons[kind];
        return button(action, label, value);
      }),
    ),
  ];
}

/** Longer texts are cut, so that the message stays short. *Details* and the form of *Change* have all of it. */
const maxContextLength = 200;
/** The command repeats the filters. Where those fill two lines already, it has one. */
const maxCommandLength = { beside: 90, belowFilters: 64 } as const;
const maxLineLength = 120;
const maxRemarkLength = 500;
const maxVisualLength = 600;

function headBlocks({ finding, context: about }: FormattedSummary, input: SummaryMessageInput): AnyBlock[] {
  const mention = askerLines(input).map(mrkdwn);
  return [
    richTextLines([bold(finding)]),
    context(plainText(about.join(' · '), maxContextLength), ...mention),
  ];
}

function visualBlocks(visual: FormattedVisual | undefined, charts: boolean): AnyBlock[] {
  if (!visual) return [];
  if (charts && visual.chart) return [chartBlock(visual.chart)];
  return [richTextLines([richText(truncateText(visual.line, maxVisualLength))])];
}

function commandBlocks(
  { rows, context: about }: FormattedSummary,
  { remarks, command }: SummaryMessageInput,
): AnyBlock[] {
  const isOneLine = about.join(' · ').length <= maxLineLength;
  const maxLength = isOneLine ? maxCommandLength.beside : maxCommandLength.belowFilters;
  return [
    ...remarks.map((remark) => context(plainText(displayText(remark, maxRemarkLength)))),
    richTextLines([...(rows === undefined ? [] : [richText(`${rows} · `)]), code(command, maxLength)]),
  ];
}
