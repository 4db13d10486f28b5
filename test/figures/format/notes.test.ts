import { expect, it } from 'vitest';
import { formatNote } from '../../../src/figures/summary/notes.js';

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
