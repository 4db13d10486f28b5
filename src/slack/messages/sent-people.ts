import type { DataTableBlock } from '@slack/types';
import { peopleSetOf } from '../../access/people-set.js';
import type { NewSentRows } from '../../access/record.js';
import type { ListedRows } from '../../figures/reports/rows.js';
import type { BreakdownRow, FiguresResult } from '../../figures/result.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
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

/**
 * The people whom a summary or its details list, or the person of their only row, and the groups that are one person each.
 *
 * @param groups the groups that are shown
 */
export function peopleInWords(
  { figures, isDirect }: { readonly figures: FiguresResult; readonly isDirect: boolean },
  { people }: Pick<FormattedSummary, 'people'>,
  groups: readonly BreakdownRow[],
): SentPeople {
  const { onlyRow, onlyPerson } = figures;
  const listed = figures.people?.listed.slice(0, people?.lines.length ?? 0) ?? [];
  const named = onlyRow && onlyPerson ? [onlyPerson] : listed;
  const all = isDirect ? [...named, ...groups] : groups;
  return { what: 'people', people: peopleSetOf(all.flatMap(({ numbers = [] }) => numbers)) };
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
