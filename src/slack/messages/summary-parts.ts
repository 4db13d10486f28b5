import type { AnyBlock } from '@slack/types';
import type { FormattedFigure, FormattedSummary } from '../../figures/format/summary.js';
import { alignedTable, type FormattedTable, formatTable } from '../../figures/format/table.js';
import { truncateText } from '../../figures/format/text.js';
import { withoutLargeCounts } from '../../figures/format/values.js';
import type { Breakdown, FiguresResult } from '../../figures/result.js';
import { compact } from '../../requests/compact.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import {
  bold,
  bulletList,
  context,
  dataTable,
  fieldSections,
  limits,
  mrkdwn,
  plainText,
  preformatted,
  richText,
  richTextLines,
  tableCell,
} from './blocks.js';

/** Which of Slack's newer blocks a message uses. */
export interface BlockSupport {
  readonly charts: boolean;
  readonly tables: boolean;
}

export type MessageVariants = readonly [OutgoingMessage, ...OutgoingMessage[]];

/**
 * The same message with fewer and fewer blocks: without charts, then without tables, then as text alone. If Slack
 * refuses the blocks, the caller posts the next variant, so that a message always arrives. The blocks of all but the
 * first are laid out when they are read, because few messages need them.
 */
export function messageVariants(
  text: string,
  draw: (support: BlockSupport) => readonly AnyBlock[],
): MessageVariants {
  const plainer = (support: BlockSupport) => ({
    text,
    get blocks() {
      return draw(support);
    },
  });
  return [
    { text, blocks: draw({ charts: true, tables: true }) },
    plainer({ charts: false, tables: true }),
    plainer({ charts: false, tables: false }),
    { text },
  ];
}

/** Blocks of a message, and when they are dropped from a message that is too long. */
export interface Part {
  readonly blocks: readonly AnyBlock[];
  /** The lowest goes first; absent: it is never dropped. */
  readonly dropOrder?: number;
  readonly table?: DrawTable | undefined;
}

/** Draws a table with as many rows as fit beside blocks of that many characters. */
export type DrawTable = (taken: number) => readonly AnyBlock[];

/** Puts parts together, without those that make the message too long. Tables share the room that is left. */
export function withinLimit(parts: readonly Part[]): AnyBlock[] {
  const order = [...new Set(parts.flatMap(({ dropOrder = [] }) => dropOrder))].sort((a, b) => a - b);
  let kept = parts;
  for (const step of order) {
    if (lengthOf(kept) <= limits.messageCharacters) break;
    kept = kept.filter(({ dropOrder }) => dropOrder !== step);
  }
  let taken = lengthOf(kept);
  let tables = kept.filter(({ table }) => table).length;
  return kept.flatMap(({ blocks, table }) => {
    if (!table) return [...blocks];
    const room = Math.floor((limits.messageCharacters - taken) / tables);
    const drawn = table(limits.messageCharacters - room);
    tables -= 1;
    taken += JSON.stringify(drawn).length;
    return [...blocks, ...drawn];
  });
}

function lengthOf(parts: readonly Part[]): number {
  return JSON.stringify(parts.flatMap(({ blocks }) => blocks)).length;
}

/** The table of a result; absent where one row needs none. */
export function tableOf({ breakdown, counted }: FiguresResult): Breakdown | undefined {
  return counted > 1 && breakdown?.kind === 'groups' ? breakdown : undefined;
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

/** All figures, a label above each. Changes say what they are from. */
export function figureBlocks(figures: readonly FormattedFigure[]): AnyBlock[] {
  return fieldSections(
    figures.map(({ label, value, change }) =>
      mrkdwn(`*${label}*\n${value}${change ? `  _${change.long}_` : ''}`),
    ),
  );
}

/** Longer texts are cut, to leave room for the figures. */
const maxLineLength = 600;
const maxNotesLength = 1_500;

/** Spreads and rankings, one line each. */
export function lineBlocks({ lines }: Pick<FormattedSummary, 'lines'>): AnyBlock[] {
  if (lines.length === 0) return [];
  return [
    bulletList(
      ...lines.map(({ title, line }) => [bold(`${title}: `), richText(truncateText(line, maxLineLength))]),
    ),
  ];
}

export function peopleBlocks({ people }: Pick<FormattedSummary, 'people'>): AnyBlock[] {
  if (!people) return [];
  const { elements } = bulletList(...people.lines.map((line) => [richText(line)]));
  const title = richTextLines([bold(people.title)]);
  return [{ ...title, elements: [...title.elements, ...elements] }];
}

export function noteBlocks(notes: readonly string[]): AnyBlock[] {
  return notes.length > 0 ? [context(plainText(notes.join(' '), maxNotesLength))] : [];
}

/** A text table has no pages, so more rows would hide the rest of the message. */
export const maxPlainRows = 15;

/** Slack's native table with as many rows as fit, and one line for the rest; as text if not `isNative`. */
export function breakdownTable(breakdown: Breakdown, isNative: boolean, pageSize?: number): DrawTable {
  const most = Math.min(isNative ? limits.table.rows : maxPlainRows, breakdown.rows.length);
  return (taken) =>
    fitRows(most, taken, (count) => {
      const table = formatTable(breakdown, count);
      const drawn = isNative
        ? dataTable(captionOf(breakdown), table.heading, cellsOf(table), pageSize)
        : preformatted(alignedTable(table));
      return compact(drawn, table.rest && context(table.rest));
    });
}

const cellsOf = ({ rows }: FormattedTable) => rows.map((cells) => cells.map(tableCell));

/** Finds the most rows that fit beside `taken` characters, by binary search. Nothing if not even one fits. */
export function fitRows(
  most: number,
  taken: number,
  draw: (count: number) => readonly AnyBlock[],
): readonly AnyBlock[] {
  let drawn: readonly AnyBlock[] = [];
  let [low, high] = [1, most];
  while (low <= high) {
    const count = (low + high) >> 1;
    const blocks = draw(count);
    if (fits(blocks, taken)) {
      drawn = blocks;
      low = count + 1;
    } else high = count - 1;
  }
  return drawn;
}

/** True if blocks fit beside others of `taken` characters. */
export function fits(blocks: readonly AnyBlock[], taken: number): boolean {
  // Two more for the commas between the blocks.
  return JSON.stringify(blocks).length + taken + 2 <= limits.messageCharacters;
}

function captionOf({ label }: Breakdown): string {
  return `Figures by ${label.toLowerCase()}`;
}

/** The lines of a text, without those that do not fit. */
export function joinWithinLimit(all: readonly string[], maxLength: number = limits.textCharacters): string {
  let text = '';
  for (const line of all) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (longer.length <= maxLength) text = longer;
  }
  return text;
}
