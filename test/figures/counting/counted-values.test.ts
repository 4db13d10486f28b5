import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CountedValues } from '../../../src/figures/counting/counted-values.js';

describe('the median of counted values', () => {
  test('is exact in every set of rows, below zero too', () => {
    const values = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: -50, max: 50 })), { maxLength: 60 });
    fc.assert(
      fc.property(values, (all) => {
        const counted = CountedValues.withLimit(1_000);
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
    const counted = CountedValues.withLimit(3);
    for (const value of [1, 2, 3, 3, 3]) counted.add(0, value);
    expect(counted.full).toBe(false);
    counted.add(0, 4);
    expect(counted.full).toBe(true);
    expect(counted.medians([[0]])).toEqual([{ value: null, over: 0 }]);
  });
});
