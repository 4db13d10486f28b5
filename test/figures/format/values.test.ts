import { expect, test } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatPlural,
} from '../../../src/figures/format/values.js';

test.each([
  [0, '0'],
  [1234, '1,234'],
  [1234.56, '1,234.6'],
  [-3, '-3'],
  [2_000_000, '2,000,000'],
])('%d is formatted as %s', (count, words) => expect(formatCount(count)).toBe(words));

test.each([
  [0, '0 people'],
  [1, '1 person'],
  [2, '2 people'],
  [1500, '1,500 people'],
])('%d people', (count, words) => expect(formatPlural(count, ['person', 'people'])).toBe(words));

test.each([
  [0, 400, '0%'],
  [50, 400, '13%'],
  [7, 13, '54%'],
  [165, 400, '41%'],
  [1, 400, 'under 1%'],
  [399, 400, 'over 99%'],
  [3, 1000, '0.3%'],
  [997, 1000, '99.7%'],
  [198, 200, '99%'],
  [312, 400, '78%'],
  [400, 400, '100%'],
  [1, 100_000, 'under 0.1%'],
  [99_999, 100_000, 'over 99.9%'],
  [30, 20, '150%'],
])('%d of %d is %s', (part, of, words) => expect(formatPercent(part, of)).toBe(words));

test.each([
  [0, '0 hours'],
  [1, '1 second'],
  [45, '45 seconds'],
  [90, '2 minutes'],
  [3540, '59 minutes'],
  [3599, '1 hour'],
  [3600, '1 hour'],
  [5400, '1.5 hours'],
  [4_442_400, '1,234 hours'],
])('%d seconds are %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words));
