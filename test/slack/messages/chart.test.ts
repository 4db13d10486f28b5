import { expect, test } from 'vitest';
import { validateBlocks } from '../../../playground/slack/server/validator/validate.js';
import { chartBlock } from '../../../src/slack/messages/blocks.js';

test('its labels differ, whatever they begin with', () => {
  const block = chartBlock({
    title: 'Overdue by content',
    shape: 'bar',
    categories: ['Annual fire safety refresher 2025', 'Annual fire safety refresher 2026', 'First aid'],
    series: [{ name: 'Overdue', values: [3, 2, 1] }],
    inTable: true,
  });
  expect(JSON.stringify(block)).toContain('"categories":["…refresher 2025","…refresher 2026","First aid"]');
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
