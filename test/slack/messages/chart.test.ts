import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateBlocks } from '../../../playground/slack/server/validator/validate.js';
import { chartBlock, distinctLabels } from '../../../src/slack/messages/chart.js';
import { propertyRuns } from '../../property-runs.js';

describe('labels of a chart', () => {
  test('are cut to 20 characters, and numbered if two are then equal', () => {
    expect(
      distinctLabels([
        'Field Operations North',
        'Field Operations North-East',
        'Sales',
        'Field Operations No…',
      ]),
    ).toEqual(['Field Operations… 1', 'Field Operations… 2', 'Sales', 'Field Operations… 3']);
  });

  test('are always unique', () => {
    const label = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('a', 'a 1', 'a 2', '', 'x'.repeat(30)),
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 20 }), (labels) => {
        const distinct = distinctLabels(labels);
        expect(new Set(distinct).size).toBe(labels.length);
        for (const one of distinct) expect(one.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});

test('a chart is valid', () => {
  const block = chartBlock({
    title: 'A title that is far too long for the fifty characters that there are',
    shape: 'line',
    categories: ['x'.repeat(40), 'x'.repeat(41), 'y'],
    series: [
      { name: 'Offered', values: [1, 2, 3] },
      { name: 'Offered', values: [1, 0, 3.5] },
    ],
    inTable: false,
  });
  expect(validateBlocks([block])).toEqual([]);
});
