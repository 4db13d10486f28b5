import { describe, expect, test } from 'vitest';
import { formatTable } from '../../src/figures/format/table.js';
import type { FiguresResult } from '../../src/figures/result.js';
import { formatVisual } from '../../src/figures/summary/summary.js';
import { plainRequest } from '../../src/requests/request.js';
import { figuresOf, planFor } from './fixed-answers.js';

const plan = planFor({ ...plainRequest('engagement'), by: 'hired_on' });

/** So many active people hired at each date. */
function hired(counts: Readonly<Record<string, number>>): readonly object[] {
  return Object.entries(counts).flatMap(([date, count], at) =>
    Array.from({ length: count }, (_, n) => ({
      userid: `${at}.${n}`,
      sessions: 1,
      hired_on: date === 'none' ? null : date,
    })),
  );
}

/** The first cells of the table: the same in an answer and in its details. */
function linesOf({ breakdown }: FiguresResult): readonly string[] {
  if (breakdown?.kind !== 'groups') throw new Error('There is no breakdown');
  return formatTable(breakdown, 100).rows.map(([name]) => name?.text ?? '');
}

describe('a breakdown by a date', () => {
  test('is by month within 18 months, in order of time and not of size', () => {
    const found = figuresOf(
      plan,
      hired({ '2026-11-20': 1, none: 9, '2025-06-01': 3, 'long ago': 4, '2026-01-31': 8, '2026-01-02': 1 }),
    );
    expect(linesOf(found)).toEqual(['Jun 2025', 'Jan 2026', 'Nov 2026', 'long ago', 'Not given']);
    const chart = formatVisual(found)?.chart;
    expect(chart?.shape).toBe('line');
    expect(chart?.categories).toEqual(['Jun 2025', 'Jan 2026', 'Nov 2026']);
  });

  test('is by year beyond', () => {
    const found = figuresOf(plan, hired({ '2026-11-20': 1, '2025-05-31': 3, '1987-02-01': 2 }));
    expect(linesOf(found)).toEqual(['1987', '2025', '2026']);
    expect(formatVisual(found)?.chart?.categories).toEqual(['1987', '2025', '2026']);
  });

  test('charts the latest where they are many', () => {
    const years = Array.from({ length: 30 }, (_, n) => String(1990 + n));
    const found = figuresOf(plan, hired(Object.fromEntries(years.map((year) => [`${year}-07-01`, 1]))));
    expect(linesOf(found)).toEqual(years);
    expect(formatVisual(found)?.chart?.categories).toEqual(years.slice(-20));
  });

  test('says nothing of a few people through its unit where small groups are protected', () => {
    const months = { '2026-09-01': 6, '2026-10-01': 7, '2026-11-01': 8 };
    const linesWith = (more: Readonly<Record<string, number>>) =>
      linesOf(figuresOf({ ...plan, smallestGroup: 5 }, hired({ ...months, ...more })));
    expect(linesWith({})).toEqual(['Sep 2026', 'Oct 2026', 'Nov 2026']);
    expect(linesWith({ '1987-02-01': 1, '1990-02-01': 3 })).toEqual([
      'Oct 2026',
      'Nov 2026',
      '3 smaller groups',
    ]);
    expect(linesWith({ '1987-02-01': 2, '1990-02-01': 3 })).toEqual(['2026', '2 smaller groups']);
  });
});
