import { describe, expect, test } from 'vitest';
import { DayCounts } from '../../../src/figures/counting/day-counts.js';
import { scoreChart } from '../../../src/figures/reports/assessments.js';
import { fieldsToCount, startCounting } from '../../../src/figures/reports/count-report.js';
import { plainRecord } from '../../reporting-api/answer/plain-record.js';

const dayOf = (date: string) => Date.parse(date) / 86_400_000;

function counts(...days: readonly string[]): DayCounts {
  const found = new DayCounts();
  for (const day of days) found.add(dayOf(day));
  return found;
}

describe('what happened over time', () => {
  test('by day, with the empty days of the range', () => {
    const range = [dayOf('2026-11-09'), dayOf('2026-11-12')] as const;
    expect(
      counts('2026-11-10', '2026-11-10', '2026-11-12').chart('Completions', 'Completions', range),
    ).toMatchObject({
      title: 'Completions by day',
      categories: ['9 Nov', '10 Nov', '11 Nov', '12 Nov'],
      series: [{ values: [0, 2, 0, 1] }],
    });
  });

  test('by week from Monday, by month, by year, as the days need', () => {
    const titles = ['2026-12-15', '2027-03-01', '2027-11-01', '2036-01-01'].map(
      (last) => counts('2026-11-11', last).chart('Completions', 'Completions', undefined)?.title,
    );
    expect(titles).toEqual([
      'Completions by week',
      'Completions by week',
      'Completions by month',
      'Completions by year',
    ]);
    const weeks = counts('2026-11-11', '2026-12-15').chart('Completions', 'Completions', undefined);
    expect(weeks?.categories[0]).toBe('from 9 Nov');
    const range = [dayOf('2026-11-11'), dayOf('2026-12-15')] as const;
    const within = counts('2026-11-12', '2026-12-15').chart('Completions', 'Completions', range);
    expect(within?.categories.slice(0, 2)).toEqual(['from 11 Nov', 'from 16 Nov']);
  });

  test('every point is drawn once, and no more than fit', () => {
    for (const last of ['2026-11-12', '2026-12-25', '2027-03-20', '2028-06-01', '2045-01-01']) {
      const chart = counts('2026-11-11', last, last).chart('Completions', 'Completions', undefined);
      expect(chart?.series[0]?.values.reduce((sum, value) => sum + value, 0)).toBe(3);
      expect(chart?.categories.length).toBeLessThanOrEqual(20);
    }
  });

  test('nothing after now, where a range ends in the future', () => {
    const plan = {
      report: 'completions',
      people: false,
      now: Date.parse('2026-11-12T09:00:00Z'),
      smallestGroup: 1,
      zone: 'UTC',
      range: { from: Date.parse('2026-11-09') / 1000, until: Date.parse('2026-11-12T09:00:00Z') / 1000 },
    } as const;
    const fields = fieldsToCount(plan);
    const reader = startCounting(plan, fields);
    for (const completed_date of ['2026-11-10', '2026-11-11', '2026-11-20'])
      reader.add(plainRecord(fields, { content: { title: 'GDPR', completed_date } }));
    const { chart, notes } = reader.finish();
    expect(chart?.categories).toEqual(['9 Nov', '10 Nov', '11 Nov', '12 Nov']);
    expect(chart?.series[0]?.values).toEqual([0, 1, 1, 0]);
    expect(notes).toContainEqual({ kind: 'fact', fact: 'no-day-of-completion', rows: 1 });
  });

  test('nothing for one day alone, or for centuries', () => {
    expect(counts('2026-11-11').chart('Completions', 'Completions', undefined)).toBeUndefined();
    expect(counts('1800-01-01', '2026-11-11').chart('Completions', 'Completions', undefined)).toBeUndefined();
  });
});

describe('the spread of scores', () => {
  test('in twenties from 0 to 100, 100 in the last', () => {
    const chart = scoreChart(
      [
        [0, 1],
        [99, 2],
        [995, 3],
        [1000, 4],
      ],
      10,
    );
    expect(chart?.categories).toEqual(expect.arrayContaining(['0 to 19', '80 to 100']));
    expect(chart?.series[0]?.values).toEqual([3, 0, 0, 0, 7]);
  });

  test('in round steps where scores go beyond, and every score is in one', () => {
    for (const values of [
      [
        [-50, 1],
        [4000, 2],
      ],
      [
        [0, 1],
        [12_345, 2],
      ],
      [
        [10_000, 1],
        [10_010, 2],
      ],
    ] as const) {
      const chart = scoreChart(values, 10);
      expect(chart?.series[0]?.values.reduce((sum, value) => sum + value, 0)).toBe(3);
      expect(new Set(chart?.categories).size).toBe(5);
    }
  });

  test('nothing where all are the same', () => expect(scoreChart([[700, 5]], 10)).toBeUndefined());
});
