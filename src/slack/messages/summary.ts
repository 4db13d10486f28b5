import type { AnyBlock } from '@slack/types';
import { summaryInWords } from '../../figures/format/summary.js';
import type { Breakdown } from '../../figures/result.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { buttonRow } from './button-row.js';
import { chartBlock } from './chart.js';
import { limits } from './limits.js';
import {
  commandBlocks,
  figureBlocks,
  findingBlocks,
  headBlocks,
  noteBlocks,
  nothingBlocks,
  peopleBlocks,
} from './summary-blocks.js';
import type { SummaryMessageInput } from './summary-input.js';
import { nativeTable, plainTable } from './summary-table.js';
import { summaryText } from './summary-text.js';

/** How much of a message is drawn by Slack's newer blocks. */
interface Drawing {
  readonly charts: boolean;
  readonly tables: boolean;
}

/** The message of a summary, with its chart and its table. */
export function summaryMessage(input: SummaryMessageInput): OutgoingMessage {
  return drawn(input, { charts: true, tables: true });
}

/**
 * The same message from the fullest to the plainest: without charts, then without tables, then as text. Whoever posts
 * it takes the next one when Slack refuses the blocks, so that a summary always arrives.
 */
export function summaryVariants(
  input: SummaryMessageInput,
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  return [
    summaryMessage(input),
    drawn(input, { charts: false, tables: true }),
    drawn(input, { charts: false, tables: false }),
    { text: summaryText(input) },
  ];
}

function drawn(input: SummaryMessageInput, { charts, tables }: Drawing): OutgoingMessage {
  const { figures: result } = input.facts;
  const words = summaryInWords(input.facts, input.withPeople);
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

/** A stretch of the message, and when it goes if the message should be too long. */
interface Part {
  readonly blocks: readonly AnyBlock[];
  readonly dropped?: 'first' | 'second' | 'third' | 'last';
  /** A table that stands here, of as many rows as there is room for. */
  readonly table?: Breakdown | undefined;
}

/** All parts, but for those that would make the message too long: what people asked for comes before what adorns it. */
function withinLimit(parts: readonly Part[], drawTable: typeof nativeTable): AnyBlock[] {
  let kept = parts;
  for (const turn of ['first', 'second', 'third', 'last'] as const) {
    if (lengthOf(kept) <= limits.messageCharacters) break;
    kept = kept.filter(({ dropped }) => dropped !== turn);
  }
  const taken = lengthOf(kept);
  return kept.flatMap(({ blocks, table }) => [...blocks, ...(table ? drawTable(table, taken) : [])]);
}

function lengthOf(parts: readonly Part[]): number {
  return JSON.stringify(parts.flatMap(({ blocks }) => blocks)).length;
}
