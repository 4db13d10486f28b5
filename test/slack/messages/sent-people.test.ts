import { expect, it } from 'vitest';
import { membersOf } from '../../../src/access/people-set.js';
import type { BreakdownRow, FiguresResult } from '../../../src/figures/result.js';
import type { ResultWithFigures } from '../../../src/figures/summary/request.js';
import type { MessageVariants } from '../../../src/slack/delivery/post-message.js';
import {
  groupsIn,
  groupsInTable,
  peopleInTables,
  peopleInWords,
  type SentPeople,
} from '../../../src/slack/messages/summary-parts.js';

const figures = {
  counted: 9,
  breakdown: {
    kind: 'groups',
    rows: [
      { label: 'ada@example.com', numbers: [1, 2] },
      { label: 'bob@example.com', numbers: [4] },
      { label: null },
      { label: 'Two people' },
      { label: 'eve@example.com', numbers: [9] },
    ],
  },
  people: {
    listed: [
      { name: 'Cy', numbers: [6] },
      { name: 'Dan', numbers: [8] },
    ],
  },
} as unknown as FiguresResult;
const onlyRow = { ...figures, counted: 1, onlyRow: [], onlyPerson: { numbers: [7] } } as FiguresResult;

const numbersIn = (sent: SentPeople | undefined) =>
  sent && [...Array(10).keys()].filter(membersOf(sent.people));
const twoNames = { people: { title: '', lines: ['Cy, 3 days'] } };

const variants = [
  { text: '', blocks: [{ type: 'data_table', rows: [[], [], []] }] },
] as unknown as MessageVariants;

it('has the people of the groups that a message shows', () => {
  const shown = (isDirect: boolean, groups: readonly BreakdownRow[]) =>
    numbersIn(peopleInWords({ figures, isDirect }, twoNames, groups));
  expect(shown(true, groupsIn(figures))).toEqual([1, 2, 4, 6, 9]);
  // Two rows fit.
  expect(shown(true, groupsInTable(figures, variants))).toEqual([1, 2, 4, 6]);
  expect(shown(false, groupsInTable(figures, variants))).toEqual([1, 2, 4]);
  // Where it names nobody, nothing is recorded.
  expect(shown(false, [])).toBeUndefined();
});

it('has the person of an only row, which has no table', () => {
  expect(numbersIn(peopleInWords({ figures: onlyRow, isDirect: true }, twoNames, groupsIn(onlyRow)))).toEqual(
    [7],
  );
  expect(
    numbersIn(peopleInWords({ figures: onlyRow, isDirect: false }, twoNames, groupsIn(onlyRow))),
  ).toBeUndefined();
});

it('has the people of the tables of a scorecard, with the first report that has one', () => {
  const line = (name: string, own: FiguresResult) =>
    ({ report: { name }, figures: own }) as unknown as ResultWithFigures;
  const lines = [line('tracks', onlyRow), line('engagement', figures), line('assignments', figures)];
  const sent = peopleInTables(lines, variants);
  expect(sent && [sent.report, ...(numbersIn(sent) ?? [])]).toEqual(['engagement', 1, 2, 4]);
  expect(peopleInTables(lines.slice(0, 1), variants)).toBeUndefined();
});
