import { describe, expect, test } from 'vitest';
import { changes, sayChange } from '../../../src/figures/changes.js';
import type { Figure, FigureValue } from '../../../src/figures/result.js';

function figure(value: FigureValue, ofNow = false): { figures: readonly Figure[] } {
  return { figures: [{ id: 'one', label: 'One', value, ofNow }] };
}

function changeFrom(before: FigureValue, now: FigureValue): string | undefined {
  const change = changes(figure(now), figure(before)).get('one');
  return change && sayChange(change);
}

const count = (many: number): FigureValue => ({ kind: 'count', count: many });
const rate = (part: number, whole: number): FigureValue => ({ kind: 'rate', part, whole });
const average = (sum: number, over: number): FigureValue => ({ kind: 'average', sum, over, unit: 'rating' });

describe('a change in words', () => {
  test.each([
    [count(340), count(381), 'up 12% from 340'],
    [count(340), count(323), 'down 5% from 340'],
    [count(5), count(5), 'no change'],
    [count(0), count(7), 'up from 0'],
    [count(7), count(0), 'down 100% from 7'],
    [rate(75, 100), rate(78, 100), 'up 3 points from 75%'],
    [rate(75, 100), rate(76, 100), 'up 1 point from 75%'],
    [rate(1, 3), rate(0, 3), 'down 33.3 points from 33.3%'],
    [average(8, 2), average(9, 2), 'up from 4'],
    [
      { kind: 'per-day', count: 1, days: 365 },
      { kind: 'per-day', count: 2, days: 365 },
      'up 100% from 0.0027',
    ],
    [
      { kind: 'duration', seconds: 3_600_000 },
      { kind: 'duration', seconds: 4_500_000 },
      'up 25% from 1,000 hours',
    ],
    [
      { kind: 'median', value: 3, over: 9, unit: 'days' },
      { kind: 'median', value: 2.5, over: 9, unit: 'days' },
      'down from 3 days',
    ],
  ] as const)('%j to %j: %s', (before, now, words) => expect(changeFrom(before, now)).toBe(words));
});

describe('no change is shown', () => {
  test.each([
    ['for a rate of nothing', rate(0, 0), rate(1, 2)],
    ['for an average of nothing', average(0, 0), average(4, 1)],
    [
      'where people were too many to count',
      { kind: 'people', count: 10, moreThan: true },
      { kind: 'people', count: 9, moreThan: false },
    ],
    ['for what is not known', { kind: 'unknown' }, { kind: 'unknown' }],
    ['between values of two kinds', count(1), rate(1, 2)],
  ] as const)('%s', (_, before, now) => expect(changeFrom(before, now)).toBeUndefined());

  test('for what describes a state now', () => {
    expect(changes(figure(count(2), true), figure(count(1), true)).size).toBe(0);
  });

  test('for a figure that was not there before', () => {
    expect(changes(figure(count(2)), { figures: [] }).size).toBe(0);
  });
});
