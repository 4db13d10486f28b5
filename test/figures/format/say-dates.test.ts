import { expect, test } from 'vitest';
import { sayDay, sayDayAndMonth, sayMoment, sayMonth } from '../../../src/figures/format/dates.js';

const midnight = Date.parse('2026-09-04T22:00:00Z');

test('days and moments are those of the zone', () => {
  expect(sayDay(midnight, 'Europe/Berlin')).toBe('Sat 5 Sep 2026');
  expect(sayDay(midnight, 'UTC')).toBe('Fri 4 Sep 2026');
  expect(sayMoment(midnight, 'Europe/Berlin')).toBe('Sat 5 Sep, 00:00');
  expect(sayMoment(midnight, 'America/New_York')).toBe('Fri 4 Sep, 18:00');
});

test('a day of a chart', () => {
  expect(sayDayAndMonth(midnight / 86_400_000)).toBe('4 Sep');
  expect(sayMonth(midnight / 86_400_000)).toBe('Sep 2026');
});
