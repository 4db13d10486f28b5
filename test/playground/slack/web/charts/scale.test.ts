import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CartesianChart } from '../../../../../playground/slack/web/blocks/page-block.js';
import {
  formatTick,
  formatValue,
  layOut,
  roundAxis,
  scaleToPixels,
  slicePath,
} from '../../../../../playground/slack/web/charts/scale.js';

describe('the axis of a chart', () => {
  it.each([
    [
      [3, 97],
      [0, 25, 50, 75, 100],
    ],
    [
      [0.2, 0.9],
      [0, 0.25, 0.5, 0.75, 1],
    ],
    [[0], [0, 1]],
    [[9], [0, 5, 10]],
    [[9.5], [0, 2.5, 5, 7.5, 10]],
    [
      [-40, 60],
      [-50, -25, 0, 25, 50, 75],
    ],
  ])('has round ticks for %j', (values, ticks) => {
    expect(roundAxis(values).ticks).toEqual(ticks);
  });

  it('contains zero and every value', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const axis = roundAxis(values);
        expect(axis.low).toBeLessThanOrEqual(Math.min(0, ...values) + 1e-9);
        expect(axis.high).toBeGreaterThanOrEqual(Math.max(0, ...values) * (1 - 1e-12) - 1e-9);
        expect(axis.ticks.length).toBeLessThan(12);
        for (const one of values) {
          const y = scaleToPixels(one, axis, 200, 0);
          expect(y).toBeGreaterThanOrEqual(-0.001);
          expect(y).toBeLessThanOrEqual(200.001);
        }
      }),
    );
  });

  it('formats numbers', () => {
    expect([formatValue(1234.567), formatTick(25_000), formatTick(950)]).toEqual(['1,234.57', '25K', '950']);
  });
});

describe('the layout of a chart', () => {
  const chart = (categories: string[]): CartesianChart => ({
    type: 'bar',
    series: [{ name: 'Overdue', data: categories.map((label, index) => ({ label, value: index + 1 })) }],
    axis_config: { categories },
  });

  it('puts labels on one or two lines, and slants them if they do not fit', () => {
    expect(layOut(chart(['Sales', 'Legal']), 520)).toMatchObject({
      slanted: false,
      lines: [['Sales'], ['Legal']],
    });
    const six = ['Sales', 'Field Operations', 'Engineering', 'People', 'Finance', 'Legal'];
    expect(layOut(chart(six), 520)).toMatchObject({ slanted: false });
    expect(layOut(chart(six), 520).lines[1]).toEqual(['Field', 'Operations']);
    const many = Array.from({ length: 20 }, (_, index) => `Assessment number ${index}`);
    const slanted = layOut(chart(many), 520);
    expect(slanted.slanted).toBe(true);
    expect(slanted.lines[0]).toEqual(['Assessment number 0']);
  });
});

describe('a slice of a pie', () => {
  it('is a ring for the whole, and a wedge otherwise', () => {
    expect(slicePath(0, 1, 84, 48)).toMatch(/^M 0 -84 A .* M 0 -48 A /);
    expect(slicePath(0, 0.25, 84, 48)).toBe('M 0 -84 A 84 84 0 0 1 84 0 L 48 0 A 48 48 0 0 0 0 -48 Z');
    expect(slicePath(0, 0.75, 84, 48)).toContain('A 84 84 0 1 1');
  });
});
