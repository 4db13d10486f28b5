import type { DataTableBlock } from '@slack/types';
import { peopleSetOf } from '../../access/people-set.js';
import type { NewSentRows } from '../../access/record.js';
import type { ListedRows } from '../../figures/reports/rows.js';
import type { FiguresResult } from '../../figures/result.js';
import type { FormattedSummary } from '../../figures/summary/summary.js';
import type { MessageVariants, OutgoingMessage } from '../delivery/post-message.js';

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

/** The people whom a summary or its details list, or the person of their only row. */
export function peopleInWords(
  { people, onlyRow, onlyPerson }: Pick<FiguresResult, 'people' | 'onlyRow' | 'onlyPerson'>,
  words: Pick<FormattedSummary, 'people'>,
): SentPeople {
  const listed = people?.listed.slice(0, words.people?.lines.length ?? 0) ?? [];
  const all = onlyRow && onlyPerson ? [onlyPerson] : listed;
  return { what: 'people', people: peopleSetOf(all.flatMap(({ numbers = [] }) => numbers)) };
}

/** How many rows the table of a message has. Text that stands for a table has no more. */
function rowsIn({ blocks = [] }: OutgoingMessage): number {
  const tables = blocks.filter((block): block is DataTableBlock => block.type === 'data_table');
  return Math.max(0, ...tables.map(({ rows }) => rows.length - 1));
}
