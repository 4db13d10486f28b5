import type { AnyBlock, DataTableBlock } from '@slack/types';
import { peopleSetOf } from '../../access/people-set.js';
import type { NewSentRows } from '../../access/record.js';
import type { ListedRows } from '../../figures/reports/rows.js';
import type { BreakdownRow, FiguresResult } from '../../figures/result.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
import type { FormattedSummary } from '../../figures/summary/summary.js';
import type { MessageVariants, OutgoingMessage } from '../delivery/post-message.js';
import { bold, bulletList, context, limits, plainText, richTextLines } from './blocks.js';

/** Which of Slack's newer blocks a message uses. */
export interface BlockSupport {
  readonly charts: boolean;
  readonly tables: boolean;
}

/**
 * The same message with fewer and fewer blocks: without charts, then without tables, then as text alone. If Slack
 * refuses the blocks, the caller posts the next variant, so that a message always arrives. The blocks of all but the
 * first are laid out when they are read, because few messages need them.
 */
export function messageVariants(
  text: string,
  draw: (support: BlockSupport) => readonly AnyBlock[],
): MessageVariants {
  const plainer = (tables: boolean) => ({
    text,
    get blocks() {
      return draw({ charts: false, tables });
    },
  });
  return [{ text, blocks: draw({ charts: true, tables: true }) }, plainer(true), plainer(false), { text }];
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
  let kept = parts;
  let taken = lengthOf(kept);
  while (taken > limits.messageCharacters) {
    const step = Math.min(...kept.flatMap(({ dropOrder = [] }) => dropOrder));
    if (step === Number.POSITIVE_INFINITY) break;
    kept = kept.filter(({ dropOrder }) => dropOrder !== step);
    taken = lengthOf(kept);
  }
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

function lengthOf(parts: readonly Part[]) {
  return JSON.stringify(parts.flatMap(({ blocks }) => blocks)).length;
}

/** Longer texts are cut, to leave room for the figures. */
const maxNotesLength = 1_500;

export function peopleBlocks({ people }: Pick<FormattedSummary, 'people'>): AnyBlock[] {
  if (!people) return [];
  const { elements } = bulletList(...people.lines);
  const title = richTextLines([bold(people.title)]);
  return [{ ...title, elements: [...title.elements, ...elements] }];
}

export function noteBlocks(notes: readonly string[]): AnyBlock[] {
  return notes.length > 0 ? [context(plainText(notes.join(' '), maxNotesLength))] : [];
}

/** A text table has no pages, so more rows would hide the rest of the message. */
export const maxPlainRows = 15;

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

/** The lines of a text, without those that do not fit. */
export function joinWithinLimit(all: readonly string[], maxLength: number = limits.textCharacters): string {
  let text = '';
  for (const line of all) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (longer.length <= maxLength) text = longer;
  }
  return text;
}

/** What of a message is about single people. */
export type SentPeople = Pick<NewSentRows, 'what' | 'people'>;

/** The people of the rows that a message shows. A plainer variant shows no others. */
export function peopleOfRows({ listed }: ListedRows, variants: MessageVariants): SentPeople {
  const most = Math.max(...variants.map(rowsIn));
  return {
    what: 'rows',
    people: peopleSetOf(listed.slice(0, most).flatMap(({ numbers = [] }) => numbers)),
  };
}

/**
 * The people whom a summary or its details list, or the person of their only row, and the groups that are one person each.
 * Undefined where that is nobody.
 *
 * @param groups the groups that are shown
 */
export function peopleInWords(
  { figures, isDirect }: { readonly figures: FiguresResult; readonly isDirect: boolean },
  { people }: Pick<FormattedSummary, 'people'>,
  groups: readonly BreakdownRow[],
): SentPeople | undefined {
  const { onlyRow, onlyPerson } = figures;
  const listed = figures.people?.listed.slice(0, people?.lines.length ?? 0) ?? [];
  const named = onlyRow && onlyPerson ? [onlyPerson] : listed;
  const all = isDirect ? [...named, ...groups] : groups;
  const shown = all.flatMap(({ numbers = [] }) => numbers);
  return shown.length > 0 ? { what: 'people', people: peopleSetOf(shown) } : undefined;
}

/** The people in the tables of a scorecard's details, with the report of the first such table. Lines list nobody. */
export function peopleInTables(
  results: readonly ResultWithFigures[],
  variants: MessageVariants,
): (SentPeople & Pick<NewSentRows, 'report'>) | undefined {
  const all = results.map(({ report, figures }) => ({
    report: report.name,
    numbers: groupsInTable(figures, variants).flatMap(({ numbers = [] }) => numbers),
  }));
  const first = all.find(({ numbers }) => numbers.length > 0);
  const people = peopleSetOf(all.flatMap(({ numbers }) => numbers));
  return first && { what: 'people', report: first.report, people };
}

/** The groups in the table of a message: as many as fit. */
export function groupsInTable(figures: FiguresResult, variants: MessageVariants): readonly BreakdownRow[] {
  return groupsIn(figures).slice(0, Math.max(...variants.map(rowsIn)));
}

/** One row needs no table. */
export function groupsIn({ counted, breakdown }: FiguresResult): readonly BreakdownRow[] {
  return counted > 1 && breakdown?.kind === 'groups' ? breakdown.rows : [];
}

/** How many rows the table of a message has. Text that stands for a table has no more. */
function rowsIn({ blocks = [] }: OutgoingMessage): number {
  const tables = blocks.filter((block): block is DataTableBlock => block.type === 'data_table');
  return Math.max(0, ...tables.map(({ rows }) => rows.length - 1));
}
