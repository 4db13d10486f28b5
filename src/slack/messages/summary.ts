import type { AnyBlock } from '@slack/types';
import type { AlertWords } from '../../digests/alert-words.js';
import { withoutLargeCounts } from '../../figures/format/values.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
import {
  type FormattedFigure,
  type FormattedSummary,
  type FormattedVisual,
  formatSummary,
  formatVisual,
} from '../../figures/summary/summary.js';
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
  type SentPeople,
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
  return variantsOf(wordsOf(input), input);
}

/** The same, with the people whom it shows, in its rows or by name. */
export function summaryWithPeople(input: SummaryMessageInput) {
  const words = wordsOf(input);
  const variants = variantsOf(words, input);
  return { variants, people: peopleShown(words, input, variants) };
}

function variantsOf(words: FormattedSummary, input: SummaryMessageInput): MessageVariants {
  const { alert } = input;
  const about = plainText(words.context.join(' · '), maxContextLength);
  return messageVariants(summaryText(words, input), (support) =>
    withinLimit([
      { blocks: alert ? alertBlocks(alert) : [] },
      {
        blocks: [
          richTextLines([alert ? words.finding : bold(words.finding)]),
          context(about, ...askerLines(input).map(mrkdwn)),
        ],
      },
      { blocks: targetBlocks(words) },
      ...(words.nothing
        ? [{ blocks: noteBlocks(words.nothing.reasons) }]
        : partsWithFigures(words, input, support)),
      { blocks: [...commandBlocks(words, input), ...buttonRow(input.buttons)] },
    ]),
  );
}

function wordsOf({ result, isDirect, isDigest, zone }: SummaryMessageInput): FormattedSummary {
  // Who asks for a breakdown wants to see it, and both do not fit.
  const maxPeople = result.request.by === undefined ? maxPeopleShown : 0;
  const words = formatSummary(result, { withPeople: isDirect, maxPeople, isOwner: isDigest, zone });
  if (words.target?.pace === undefined) return words;
  return { ...words, keyFigures: words.keyFigures.slice(0, maxFiguresBesidePace) };
}

/** A pace takes the lines of two figures. *Details* has all of them. */
const maxFiguresBesidePace = 2;

function peopleShown(
  words: FormattedSummary,
  { rows, isDirect, result }: SummaryMessageInput,
  variants: MessageVariants,
): SentPeople {
  if (rows) return peopleOfRows(rows.rows, variants);
  const { figures } = result;
  const { categories = [] } = figures.chart ?? {};
  const bars = groupsIn(figures).filter(({ label }) => label !== null && categories.includes(label));
  return peopleInWords({ figures, isDirect }, words, bars);
}

/** A few figures, and one of these: the rows, the people in direct messages, the chart. *Details* has the rest. */
function partsWithFigures(
  words: FormattedSummary,
  { rows, isDirect, alert }: SummaryMessageInput,
  { charts, tables }: BlockSupport,
): readonly Part[] {
  const visual = visualOf(words, alert);
  const figures: Part = { blocks: keyFigureBlocks(words.keyFigures) };
  const others: Part = rows
    ? { blocks: [], table: rowsTable(rows, tables) }
    : { blocks: words.people ? peopleBlocks(words) : visualBlocks(visual, charts), dropOrder: 1 };
  const isPeopleFirst = isDirect && (rows !== undefined || words.people !== undefined);
  return [
    ...(isPeopleFirst ? [others, figures] : [figures, others]),
    { blocks: noteBlocks(words.readingNotes), dropOrder: 2 },
  ];
}

/** The distance and the pace in one paragraph, which takes fewer lines. */
export function targetBlocks({ target }: Pick<FormattedSummary, 'target'>): AnyBlock[] {
  if (!target) return [];
  return [richTextLines([compact(`${target.distance}.`, target.pace).join(' ')])];
}

function alertBlocks({ finding, lines }: AlertWords): AnyBlock[] {
  return [
    richTextLines([bold(finding)]),
    ...(lines.length > 0 ? [context(plainText(lines.join('\n')))] : []),
  ];
}

function visualOf({ visual }: FormattedSummary, alert: AlertWords | undefined): FormattedVisual | undefined {
  return (alert && formatVisual(alert)) ?? visual;
}

/** More would not leave room for the figures. *Details* has all. */
const maxPeopleShown = 5;

/** The buttons under a summary. */
function buttonRow(wanted: readonly SummaryButton[]) {
  const row = wanted.map(({ kind, value }) => {
    const [action, label] = summaryButtons[kind];
    return button(action, label, value);
  });
  return row.length > 0 ? [buttons(row)] : [];
}

/** Longer texts are cut, so that the message stays short. *Details* and the form of *Change* have all of it. */
const maxContextLength = 200;
/** The command repeats the filters. Where those fill two lines already, it has one. */
const maxCommandLength = { beside: 90, belowFilters: 64 } as const;
const maxLineLength = 120;
const maxRemarkLength = 500;
const maxVisualLength = 600;

function visualBlocks(visual: FormattedVisual | undefined, charts: boolean) {
  if (!visual) return [];
  if (charts && visual.chart) return [chartBlock(visual.chart)];
  return [richTextLines([truncateText(visual.line, maxVisualLength)])];
}

function commandBlocks(
  { rows, context: about }: FormattedSummary,
  { remarks, command }: SummaryMessageInput,
) {
  const isOneLine = about.join(' · ').length <= maxLineLength;
  const maxLength = isOneLine ? maxCommandLength.beside : maxCommandLength.belowFilters;
  return [
    ...remarks.map((remark) => context(plainText(displayText(remark, maxRemarkLength)))),
    richTextLines([rows !== undefined && `${rows} · `, code(command, maxLength)]),
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

function shownLines(words: FormattedSummary, { rows, isDirect, alert }: SummaryMessageInput) {
  const { keyFigures, people, readingNotes, nothing, target } = words;
  const visual = visualOf(words, alert);
  if (nothing) return nothing.reasons;
  const visualLine = visual && !people && truncateText(`${visual.line}.`, maxTextLength);
  const figures = [...targetLines(target), ...keyFigures.map(figureLine)];
  const others = rows ? rowLines(rows) : compact(peopleLines(words), visualLine);
  const isPeopleFirst = isDirect && (rows !== undefined || people !== undefined);
  return [...(isPeopleFirst ? [...others, ...figures] : [...figures, ...others]), ...readingNotes];
}

export function targetLines(target: FormattedSummary['target']): readonly string[] {
  return target ? compact(`${target.distance}.`, target.pace) : [];
}

export function peopleLines({ people }: FormattedSummary): readonly string[] {
  return people ? [people.title, ...people.lines] : [];
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
