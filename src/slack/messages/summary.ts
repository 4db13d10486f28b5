import type { AnyBlock } from '@slack/types';
import type { AlertWords } from '../../digests/alert-words.js';
import { withoutLargeCounts } from '../../figures/format/values.js';
import type { BreakdownRow } from '../../figures/result.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
import {
  type FormattedFigure,
  type FormattedSummary,
  formatSummary,
  formatVisual,
} from '../../figures/summary/summary.js';
import type { FormattedTarget } from '../../figures/summary/target.js';
import { compact, displayText, truncateText } from '../../requests/text.js';
import type { MessageVariants } from '../delivery/post-message.js';
import { escaped, isUserId } from '../markup.js';
import {
  bold,
  button,
  buttons,
  chartBlock,
  code,
  context,
  fieldSections,
  mrkdwn,
  plainText,
  richTextLines,
} from './blocks.js';
import { digestActions } from './digests.js';
import { fileActions, rowLines, rowsTable, type ShownRows } from './rows.js';
import {
  type BlockSupport,
  groupsIn,
  joinWithinLimit,
  messageVariants,
  noteBlocks,
  type Part,
  peopleBlocks,
  peopleInWords,
  peopleOfRows,
  withinLimit,
} from './summary-parts.js';

/** Buttons under an answer. Their value is its request's ID. */
export const answerActions = {
  /** Puts the details of an answer into its thread. */
  details: 'ask_details',
  /** Opens the builder with the request of an answer. */
  change: 'ask_change',
  save: 'ask_save',
  schedule: 'ask_schedule',
  /** Shares a summary from a direct message, without its list of people. */
  share: 'ask_share',
  /** Opens the form that adds the request of an answer to a scorecard. */
  addToScorecard: 'ask_add_to_scorecard',
} as const;

const summaryButtons = {
  details: [answerActions.details, 'Details'],
  csv: [fileActions.csv, 'CSV'],
  xlsx: [fileActions.xlsx, 'Excel'],
  change: [answerActions.change, 'Change'],
  save: [answerActions.save, 'Save'],
  schedule: [answerActions.schedule, 'Schedule'],
  manage: [digestActions.manage, 'Manage'],
  addToScorecard: [answerActions.addToScorecard, 'Add to a scorecard'],
  share: [answerActions.share, 'Share to channel'],
} as const;

interface SummaryButton {
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
  readonly isDigest?: boolean;
  /** What an alert says above its summary. Its chart takes the place of the summary's. */
  readonly alert?: AlertWords | undefined;
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

/** The message of a summary, with its chart and its table, from the fullest to the plainest. */
export function summaryVariants(input: SummaryMessageInput): MessageVariants {
  return summaryWithPeople(input).variants;
}

/** The same, with the people whom it shows, in its rows or by name. */
export function summaryWithPeople(input: SummaryMessageInput) {
  const words = wordsOf(input);
  const { alert } = input;
  const about = plainText(words.context.join(' · '), maxContextLength);
  const variants = messageVariants(summaryText(words, input), (support) =>
    withinLimit([
      { blocks: alert ? alertBlocks(alert) : [] },
      {
        blocks: [
          richTextLines([alert ? words.finding : bold(words.finding)]),
          context(about, ...askerLines(input).map(mrkdwn)),
        ],
      },
      { blocks: compact(words.target && targetBlock(words.target)) },
      ...(words.nothing
        ? [{ blocks: noteBlocks(words.nothing.reasons) }]
        : partsWithFigures(words, input, support)),
      { blocks: commandBlocks(words, input) },
    ]),
  );
  const { rows, isDirect, result } = input;
  if (rows) return { variants, people: peopleOfRows(rows.rows, variants) };
  const { categories = [] } = result.figures.chart ?? {};
  const isBar = ({ label }: BreakdownRow) => label !== null && categories.includes(label);
  const bars = groupsIn(result.figures).filter(isBar);
  return { variants, people: peopleInWords({ figures: result.figures, isDirect }, words, bars) };
}

function wordsOf({ result, isDirect, isDigest, zone, alert }: SummaryMessageInput): FormattedSummary {
  // Who asks for a breakdown wants to see it, and both do not fit.
  const maxPeople = result.request.by === undefined ? maxPeopleShown : 0;
  const words = formatSummary(result, { withPeople: isDirect, maxPeople, isOwner: isDigest, zone });
  return {
    ...words,
    visual: (alert && formatVisual(alert)) ?? words.visual,
    keyFigures: words.target?.pace ? words.keyFigures.slice(0, maxFiguresBesidePace) : words.keyFigures,
  };
}

/** A pace takes the lines of two figures. *Details* has all of them. */
const maxFiguresBesidePace = 2;

/** A few figures, and one of these: the rows, the people in direct messages, the chart. *Details* has the rest. */
function partsWithFigures(
  words: FormattedSummary,
  { rows, isDirect }: SummaryMessageInput,
  { charts, tables }: BlockSupport,
): readonly Part[] {
  const { chart, line } = words.visual ?? {};
  const figures: Part = { blocks: keyFigureBlocks(words.keyFigures) };
  const visual =
    charts && chart ? chartBlock(chart) : line && richTextLines([truncateText(line, maxVisualLength)]);
  const others: Part = rows
    ? { blocks: [], table: rowsTable(rows, tables) }
    : { blocks: words.people ? peopleBlocks(words) : compact(visual), dropOrder: 1 };
  const isPeopleFirst = isDirect && (rows !== undefined || words.people !== undefined);
  return [
    ...(isPeopleFirst ? [others, figures] : [figures, others]),
    { blocks: noteBlocks(words.readingNotes), dropOrder: 2 },
  ];
}

/** The distance and the pace in one paragraph, which takes fewer lines. */
export function targetBlock(target: FormattedTarget): AnyBlock {
  return richTextLines([targetLines(target).join(' ')]);
}

export function targetLines({ distance, pace }: FormattedTarget): readonly string[] {
  return compact(`${distance}.`, pace);
}

function alertBlocks({ finding, lines }: AlertWords): AnyBlock[] {
  return [
    richTextLines([bold(finding)]),
    ...(lines.length > 0 ? [context(plainText(lines.join('\n')))] : []),
  ];
}

/** More would not leave room for the figures. *Details* has all. */
const maxPeopleShown = 5;

/** Longer texts are cut, so that the message stays short. *Details* and the form of *Change* have all of it. */
const maxContextLength = 200;
/** The command repeats the filters. Where those fill two lines already, it has one. */
const maxCommandLength = { beside: 90, belowFilters: 64 } as const;
const maxLineLength = 120;
const maxRemarkLength = 500;
const maxVisualLength = 600;

function commandBlocks(
  { rows, context: about }: FormattedSummary,
  { remarks, command, buttons: wanted }: SummaryMessageInput,
): readonly AnyBlock[] {
  const isOneLine = about.join(' · ').length <= maxLineLength;
  const maxLength = isOneLine ? maxCommandLength.beside : maxCommandLength.belowFilters;
  const row = wanted.map(({ kind, value }) => {
    const [action, label] = summaryButtons[kind];
    return button(action, label, value);
  });
  return [
    ...remarks.map((remark) => context(plainText(displayText(remark, maxRemarkLength)))),
    richTextLines([rows !== undefined && `${rows} · `, code(command, maxLength)]),
    ...(row.length > 0 ? [buttons(row)] : []),
  ];
}

/** Longer figures would take two lines in a window of 1,000 pixels. */
const maxFigureLength = 40;

/**
 * The most important figures, a line each, long ones without large counts, which *Details* have. Labels, numbers and
 * changes are our own texts and need no escaping.
 */
export function keyFigureBlocks(figures: readonly FormattedFigure[]): AnyBlock[] {
  return fieldSections(
    figures.map(({ label, value, change }) => {
      const isLong = `${label} ${value} ${change?.short ?? ''}`.length > maxFigureLength;
      const shown = isLong ? withoutLargeCounts(value) : value;
      return mrkdwn(`*${label}*  ${shown}${change ? `  _${change.short}_` : ''}`);
    }),
  );
}

const maxTextLength = 600;

/**
 * The text of the message, for screen readers and for the preview in notifications. It says what the blocks show, in
 * their order, as far as it fits.
 */
function summaryText(words: FormattedSummary, input: SummaryMessageInput) {
  const { remarks, command, buttons } = input;
  const hasDetails = buttons.some(({ kind }) => kind === 'details');
  return joinWithinLimit(
    compact(
      input.alert && [`${input.alert.finding}.`, ...input.alert.lines].map(escaped),
      escaped(`${words.finding}.`),
      escaped(truncateText(`${words.context.join(' · ')}.`, maxTextLength)),
      shownLines(words, input).map(escaped),
      remarks.map((remark) => escaped(displayText(remark, maxTextLength))),
      askerLines(input),
      words.rows && escaped(words.rows.replace('▲', 'up').replace('▼', 'down')),
      escaped(displayText(command, maxTextLength)),
      hasDetails && 'Press Details for all figures, the table and what they mean.',
    ),
  );
}

function shownLines(words: FormattedSummary, { rows, isDirect }: SummaryMessageInput) {
  const { keyFigures, people, readingNotes, nothing, target, visual } = words;
  if (nothing) return nothing.reasons;
  const visualLine = visual && !people && truncateText(`${visual.line}.`, maxTextLength);
  const figures = compact(target && targetLines(target), keyFigures.map(figureLine));
  const others = rows ? rowLines(rows) : compact(people?.title, people?.lines, visualLine);
  const isPeopleFirst = isDirect && (rows !== undefined || people !== undefined);
  return [...(isPeopleFirst ? [...others, ...figures] : [...figures, ...others]), ...readingNotes];
}

/** `Overdue now: 24, up 60% from 15`. */
export function figureLine({ label, value, change }: FormattedFigure): string {
  return `${label}: ${value}${change ? `, ${change.long}` : ''}`;
}

/** Whose answer it is. In direct messages it is the reader's own. */
export function askerLines({
  askedBy,
  isDigest,
  isDirect,
}: Pick<SummaryMessageInput, 'askedBy' | 'isDigest' | 'isDirect'>): readonly string[] {
  if (isDirect || askedBy === undefined || !isUserId(askedBy)) return [];
  return [`${isDigest ? 'Set up by' : 'Asked by'} <@${askedBy}>`];
}
