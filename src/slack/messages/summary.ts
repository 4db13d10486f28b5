import type { AnyBlock } from '@slack/types';
import { formatLimit, type ResultWithFigures } from '../../figures/format/request.js';
import { type FormattedSummary, formatSummary } from '../../figures/format/summary.js';
import { displayText, truncateText } from '../../figures/format/text.js';
import type { Breakdown } from '../../figures/result.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions } from '../ids.js';
import { isUserId } from '../markup.js';
import {
  bulletList,
  button,
  buttons,
  context,
  fieldSections,
  header,
  limits,
  mrkdwn,
  plainText,
  richText,
  richTextLines,
  section,
} from './blocks.js';
import { chartBlock } from './chart.js';
import { nativeTable, plainTable, summaryText } from './summary-text.js';

/** Which of Slack's newer blocks a message uses. */
interface BlockSupport {
  readonly charts: boolean;
  readonly tables: boolean;
}

/** The message of a summary, with its chart and its table. */
export function summaryMessage(input: SummaryMessageInput): OutgoingMessage {
  return renderSummary(input, { charts: true, tables: true });
}

/**
 * The same message with fewer and fewer blocks: without charts, then without tables, then as text alone. If Slack
 * refuses the blocks, the caller posts the next variant, so that a summary always arrives.
 */
export function summaryVariants(
  input: SummaryMessageInput,
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  return [
    summaryMessage(input),
    renderSummary(input, { charts: false, tables: true }),
    renderSummary(input, { charts: false, tables: false }),
    { text: summaryText(input) },
  ];
}

function renderSummary(input: SummaryMessageInput, { charts, tables }: BlockSupport): OutgoingMessage {
  const { figures: result } = input.result;
  const words = formatSummary(input.result, input.withPeople);
  const text = summaryText(input);
  const head = headBlocks(words, input);
  const foot = [...commandBlocks(words, input), ...buttonRow(input.buttons)];
  if (words.nothing) return { text, blocks: [...head, ...nothingBlocks(words.nothing), ...foot] };

  const many = result.counted > 1;
  const parts: Part[] = [
    { blocks: [...head, ...figureBlocks(words)] },
    { blocks: many ? findingBlocks(words) : [], dropped: 'third' },
    { blocks: many && charts && result.chart ? [chartBlock(result.chart)] : [], dropped: 'first' },
    { blocks: [], table: many && result.breakdown?.kind === 'groups' ? result.breakdown : undefined },
    { blocks: peopleBlocks(words), dropped: 'second' },
    { blocks: noteBlocks(words), dropped: 'last' },
    { blocks: foot },
  ];
  return { text, blocks: withinLimit(parts, tables ? nativeTable : plainTable) };
}

/** Blocks of the message, and when they are dropped from a message that is too long. */
interface Part {
  readonly blocks: readonly AnyBlock[];
  readonly dropped?: 'first' | 'second' | 'third' | 'last';
  /** A table with as many rows as fit. */
  readonly table?: Breakdown | undefined;
}

/** Drops parts of a message that is too long. Figures come before charts and notes. */
function withinLimit(parts: readonly Part[], drawTable: typeof nativeTable): AnyBlock[] {
  let kept = parts;
  for (const step of ['first', 'second', 'third', 'last'] as const) {
    if (lengthOf(kept) <= limits.messageCharacters) break;
    kept = kept.filter(({ dropped }) => dropped !== step);
  }
  const taken = lengthOf(kept);
  return kept.flatMap(({ blocks, table }) => [...blocks, ...(table ? drawTable(table, taken) : [])]);
}

function lengthOf(parts: readonly Part[]): number {
  return JSON.stringify(parts.flatMap(({ blocks }) => blocks)).length;
}

/** A button under a summary: which one, and what its action carries. */
export interface SummaryButton {
  readonly kind: 'csv' | 'change' | 'save' | 'schedule' | 'share' | 'meanings' | 'again';
  /** At most 2,000 characters. */
  readonly value: string;
}

/** Everything that the message of a summary shows. */
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
  /** True if people may be named, as in direct messages. */
  readonly withPeople: boolean;
  /** In this order. */
  readonly buttons: readonly SummaryButton[];
}

const buttonLabels: Readonly<
  Record<SummaryButton['kind'], { readonly action: string; readonly text: string }>
> = {
  csv: { action: actions.csv, text: 'CSV' },
  change: { action: actions.change, text: 'Change' },
  save: { action: actions.save, text: 'Save' },
  schedule: { action: actions.schedule, text: 'Schedule' },
  share: { action: actions.share, text: 'Share to channel' },
  meanings: { action: actions.meanings, text: 'What do these mean?' },
  again: { action: actions.again, text: 'Run again' },
};

/** The buttons under a summary, each kind once. */
function buttonRow(wanted: readonly SummaryButton[]): AnyBlock[] {
  const once = wanted.filter(({ kind }, i) => wanted.findIndex((other) => other.kind === kind) === i);
  if (once.length === 0) return [];
  return [
    buttons(
      ...once.map(({ kind, value }) => button(buttonLabels[kind].action, buttonLabels[kind].text, value)),
    ),
  ];
}

/** Longer texts are cut, to leave room for the figures. */
const maxFiltersLength = 600;
const maxCommandLength = 1_200;
const maxNotesLength = 1_500;
const maxRemarkLength = 500;
const maxFindingLength = 600;

/** Title, range, filters and asker. */
function headBlocks(
  { title, when, filters }: FormattedSummary,
  { askedBy, isDigest, result: { scope } }: SummaryMessageInput,
): AnyBlock[] {
  const limit = formatLimit(scope, isDigest ? 'owner' : 'you');
  const who = isDigest ? 'Set up by' : 'Asked by';
  const mention = askedBy !== undefined && isUserId(askedBy) ? [mrkdwn(`${who} <@${askedBy}>`)] : [];
  const filtered = filters.length > 0 ? [plainText(filters.join(' · '), maxFiltersLength)] : [];
  return [
    header(title),
    context(plainText(when), ...(limit ? [plainText(limit)] : []), ...filtered, ...mention),
  ];
}

/** The values of the only row, if there is just one, then the key figures with their changes. */
function figureBlocks({ figures, onlyRow }: FormattedSummary): AnyBlock[] {
  // Labels, numbers and changes are our own texts, so they need no escaping.
  const fields = figures.map(({ label, value, change }) =>
    mrkdwn(`*${label}*\n${value}${change ? `\n_${change}_` : ''}`),
  );
  const row = onlyRow.map(({ label, text }) => plainText(`${label}\n${text}`));
  return [...fieldSections(row), ...fieldSections(fields)];
}

/** Rankings and distributions, one line each, and the numbers of a chart that no table shows. */
function findingBlocks({ findings, chartNumbers }: FormattedSummary): AnyBlock[] {
  const all = findings.map(({ title, line }) => [
    richText(`${title}: `, { bold: true }),
    richText(truncateText(line, maxFindingLength)),
  ]);
  return [
    ...(all.length > 0 ? [bulletList(...all)] : []),
    ...(chartNumbers ? [context(plainText(chartNumbers))] : []),
  ];
}

/** People who need attention. */
function peopleBlocks({ people }: FormattedSummary): AnyBlock[] {
  if (!people) return [];
  return [
    richTextLines([richText(people.title, { bold: true })]),
    bulletList(...people.lines.map((line) => [richText(line)])),
  ];
}

/** Says that nothing was found, with possible reasons. */
function nothingBlocks({ line, reasons }: NonNullable<FormattedSummary['nothing']>): AnyBlock[] {
  return [
    section(plainText(line)),
    ...(reasons.length > 0 ? [bulletList(...reasons.map((reason) => [richText(reason)]))] : []),
  ];
}

/** What the figures are compared with, and notes on them. */
function noteBlocks({ notes, compared }: FormattedSummary): AnyBlock[] {
  const lines = [...(compared ? [compared] : []), ...notes];
  return lines.length > 0 ? [context(plainText(lines.join(' '), maxNotesLength))] : [];
}

/** Remarks, the number of rows, and the command. */
function commandBlocks({ rows }: FormattedSummary, { remarks, command }: SummaryMessageInput): AnyBlock[] {
  return [
    ...remarks.map((remark) => context(plainText(displayText(remark, maxRemarkLength)))),
    richTextLines([
      ...(rows === undefined ? [] : [richText(`${rows} · `)]),
      richText(displayText(command, maxCommandLength), { code: true }),
    ]),
  ];
}
