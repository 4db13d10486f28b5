import { expect, it } from 'vitest';
import { formatNote } from '../../../src/figures/summary/notes.js';
import { formatSummary } from '../../../src/figures/summary/summary.js';
import { plainRequest } from '../../../src/requests/request.js';
import { resultOf } from '../fixed-answers.js';

it.each([
  ['assigned date', 'an assigned date'],
  ['updated date', 'an updated date'],
  ['org level', 'an org level'],
  ['due date', 'a due date'],
  ['user ID', 'a user ID'],
  ['User ID', 'a User ID'],
])('%s: had %s', (field, text) => {
  expect(formatNote({ kind: 'unreadable', field, rows: 1, of: 3 })).toBe(
    `1 of 3 rows had ${text} that could not be read.`,
  );
});

it('says what was left out because it would be about too few people', () => {
  expect(formatNote({ kind: 'small-groups', leftOut: 'figures', people: 5 })).toBe(
    'Figures about fewer than 5 people are left out.',
  );
  expect(formatNote({ kind: 'small-groups', leftOut: 'breakdown', people: 5 })).toBe(
    'The breakdown is left out: it would show groups of fewer than 5 people.',
  );
});

it('says how many rows a condition could not judge, also where one row or none is left', () => {
  const note = { kind: 'condition', field: 'Views', rows: 5 } as const;
  const said = '5 rows without a readable value of “Views” are left out.';
  const summaryOf = (records: readonly object[]) => {
    const result = resultOf(plainRequest('engagement'), records);
    const figures = { ...result.figures, notes: [note] };
    return formatSummary({ ...result, figures }, { withPeople: false });
  };
  expect(summaryOf([{ userid: 'a', views: 6 }]).readingNotes).toEqual([said]);
  expect(summaryOf([]).nothing?.reasons).toContain(said);
});
