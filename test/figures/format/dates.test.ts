import { expect, test } from 'vitest';
import {
  formatDay,
  formatDayAndMonth,
  formatMoment,
  formatMonth,
} from '../../../src/figures/format/values.js';

const midnight = Date.parse('2026-09-04T22:00:00Z');

test('days and moments are those of the zone', () => {
  expect(formatDay(midnight, 'Europe/Berlin')).toBe('Sat 5 Sep 2026');
  expect(formatDay(midnight, 'UTC')).toBe('Fri 4 Sep 2026');
  expect(formatMoment(midnight, 'Europe/Berlin')).toBe('Sat 5 Sep, 00:00');
  expect(formatMoment(midnight, 'America/New_York')).toBe('Fri 4 Sep, 18:00');
});

test('a day of a chart', () => {
  expect(formatDayAndMonth(midnight / 86_400_000)).toBe('4 Sep');
  expect(formatMonth(midnight / 86_400_000)).toBe('Sep 2026');
});
