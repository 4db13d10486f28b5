import type { AnyBlock } from '@slack/types';
import { summaryInWords } from '../../../figures/words/summary-in-words.js';
import type { OutgoingMessage } from '../../outgoing-message.js';
import { chartBlock } from '../parts/chart.js';
import { buttonRow } from './button-row.js';
import {
  figureBlocks,
  findingBlocks,
  footBlocks,
  headBlocks,
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
    { text: summaryText(input, { alone: true }) },
  ];
}

function drawn(input: SummaryMessageInput, { charts, tables }: Drawing): OutgoingMessage {
  const words = summaryInWords(input.facts);
  const { chart, breakdown, counted } = input.facts.figures;
  const text = summaryText(input, { alone: false });
  const head = headBlocks(words, input);
  const foot = [...footBlocks(words, input), ...buttonRow(input.buttons)];
  if (words.nothing) return { text, blocks: [...head, ...nothingBlocks(words.nothing), ...foot] };

  const many = counted > 1;
  const body: AnyBlock[] = [
    ...figureBlocks(words, input.facts.figures.onlyRow),
    ...findingBlocks(words),
    ...(many && charts && chart ? [chartBlock(chart)] : []),
  ];
  const people = input.withPeople ? peopleBlocks(input.facts.figures.people) : [];
  const rest = [...people, ...foot];
  const table =
    many && breakdown?.kind === 'groups'
      ? (tables ? nativeTable : plainTable)(breakdown, lengthOf([...head, ...body, ...rest]))
      : [];
  return { text, blocks: [...head, ...body, ...table, ...rest] };
}

function lengthOf(blocks: readonly AnyBlock[]): number {
  return JSON.stringify(blocks).length;
}
