import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountedValues, eventAfter, openAfter } from '../../../src/figures/counting/counted-values.js';
import { propertyRuns } from '../../property-runs.js';
import { medianTime } from '../naive/values.js';

describe('the median of counted values', () => {
  test('is exact in every set of rows, below zero too', () => {
    const values = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: -50, max: 50 })), { maxLength: 60 });
    fc.assert(
      fc.property(values, (all) => {
        const counted = new CountedValues(1_000);
        for (const [row, value] of all) counted.add(row, value);
        const sets = [[0], [1], [2, 3], [3], [], [0, 1, 2, 3]];
        for (const [set, median] of counted.medians(sets).entries()) {
          const own = all.filter(([of]) => sets[set]?.includes(of)).map(([, value]) => value);
          own.sort((a, b) => a - b);
          const [low, high] = [own[Math.ceil(own.length / 2) - 1], own[Math.floor(own.length / 2)]];
          const expected = low === undefined || high === undefined ? null : (low + high) / 2;
          expect(median).toEqual({ value: expected, over: own.length });
        }
      }),
    );
  });

  test('is missing above the limit of different values, and the list is full', () => {
    const counted = new CountedValues(3);
    for (const value of [1, 2, 3, 3, 3]) counted.add(0, value);
    expect(counted.full).toBe(false);
    counted.add(0, 4);
    expect(counted.full).toBe(true);
    expect(counted.medians([[0]])).toEqual([{ value: null, over: 0 }]);
  });
});

/** Times as textbooks write them: `6` for an event, `6+` for one that is still open. */
function medianOf(times: string) {
  const counted = new CountedValues(1_000, 'times');
  for (const time of times.split(' ').filter(Boolean)) {
    const after = Number.parseInt(time, 10);
    counted.add(0, time.endsWith('+') ? openAfter(after) : eventAfter(after));
  }
  return counted.medians([[0]])[0];
}

describe('the median of times by Kaplan and Meier', () => {
  test.each([
    // Freireich and others (1963): weeks of remission in acute leukaemia, treated and not treated.
    ['6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+', 23],
    ['1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23', 8],
    // Of an event and open ones at the same time, the event is first: 2 of 3 are left, and not none.
    ['5 5+ 5+', null],
    ['5+ 5 5+', null],
    ['3 5 5+ 5+', 5],
    ['5 5+', 5],
    // Exactly half are over.
    ['1 3', 1],
    ['1 2+ 2+ 2+', null],
    ['1+ 2+ 9', 9],
    ['0 0 7+', 0],
    ['4+', null],
    ['4', 4],
    ['', null],
  ])('%s: %s', (times, value) => {
    expect(medianOf(times)).toEqual({ value, over: times.split(' ').filter(Boolean).length });
  });

  test('is that of exact fractions, in every set of rows and in any order', () => {
    const time = fc.record({ days: fc.nat(12), isDone: fc.boolean(), row: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(time, { maxLength: 60 }), (all) => {
        const counted = new CountedValues(1_000, 'times');
        for (const { row, days, isDone } of all)
          counted.add(row, isDone ? eventAfter(days) : openAfter(days));
        const sets = [[0], [1], [1, 2], [0, 1, 2], []];
        for (const [i, { value, over }] of counted.medians(sets).entries())
          expect({ kind: 'median', value, over, unit: 'days' }).toEqual(
            medianTime(all.filter(({ row }) => sets[i]?.includes(row))),
          );
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('loses nothing to rounding where exactly half are over after many events', () => {
    const counted = new CountedValues(100_000, 'times');
    for (let day = 0; day < 40_000; day++) counted.add(0, eventAfter(day));
    expect(counted.medians([[0]])).toEqual([{ value: 19_999, over: 40_000 }]);
  });
});
