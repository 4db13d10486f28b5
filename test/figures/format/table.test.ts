import { describe, expect, test } from 'vitest';
import { alignedTable, formatTable } from '../../../src/figures/format/table.js';
import type { Breakdown } from '../../../src/figures/result.js';

const breakdown: Breakdown = {
  kind: 'groups',
  by: 'departments',
  label: 'Departments',
  isRequested: false,
  severalCount: 'in-each',
  columns: [
    { id: 'active', label: 'Active' },
    { id: 'share', label: 'Share' },
    { id: 'rating', label: 'Rating' },
    { id: 'people', label: 'People' },
  ],
  rows: ['Sales', '営業部', null, 'Ops'].map((label, n) => ({
    label,
    values: [
      { kind: 'count', count: 1000 - n },
      { kind: 'rate', part: n, whole: 10 },
      { kind: 'average', sum: 9 * n, over: 2 * n, unit: 'rating' },
      { kind: 'people', count: n, moreThan: false },
    ],
  })),
  tails: [9, 8, 7, 6, 5].map((groups) => ({
    groups,
    values: [
      { kind: 'count', count: 10 * groups },
      { kind: 'rate', part: 5, whole: 40 },
      { kind: 'average', sum: 0, over: 0, unit: 'rating' },
      groups === 7 ? { kind: 'people', count: 41, moreThan: false } : { kind: 'unknown' },
    ],
  })),
};

describe('a table', () => {
  test('has the first rows, and one line for the others', () => {
    const { rows, rest } = formatTable(breakdown, 2);
    expect(rows.map(([name]) => name?.text)).toEqual(['Sales', '営業部']);
    expect(rest).toBe('The other 7 together: Active 70, Share 13% (5 of 40), Rating –, People 41.');
  });

  test('has no such line if every row fits', () => {
    expect(formatTable(breakdown, 4).rest).toBe(
      'The other 5 together: Active 50, Share 13% (5 of 40), Rating –.',
    );
    const [one] = breakdown.tails;
    const whole = {
      ...breakdown,
      tails: [4, 3, 2, 1].map((groups) => ({ values: one?.values ?? [], groups })),
    };
    expect(formatTable(whole, 4).rest).toBeUndefined();
    expect(formatTable(whole, 3).rest).toMatch(/^One more: Active 90,/);
  });

  test('has aligned columns, also with wide letters', () => {
    expect(alignedTable(formatTable(breakdown, 3))).toBe(
      [
        'Departments  Active          Share   Rating  People',
        'Sales         1,000   0% (0 of 10)        –       0',
        '営業部          999  10% (1 of 10)  4.5 (2)       1',
        'Not given       998  20% (2 of 10)  4.5 (4)       2',
      ].join('\n'),
    );
  });
});
