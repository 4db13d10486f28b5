import { expect, it } from 'vitest';
import { watchClock } from '../../src/scheduler/clock-changes.js';

it.each([
  ['goes on', [0, 1000, 500_000], false],
  ['is set right by two seconds', [10_000, 8000], false],
  ['goes back', [10_000, 7999], true],
  ['is ahead for a moment', [10_000, 900_000, 11_000], true],
  ['goes back little by little', [10_000, 9000, 8500, 7900], true],
  ['goes back, and forward again', [10_000, 1000, 12_000], true],
])('a clock that %s', (_, times, back) => {
  const left = [...times];
  const watch = watchClock(() => left.shift() ?? Number.NaN);
  for (const time of times) expect(watch.now()).toBe(time);
  expect(watch.wentBack()).toBe(back);
  expect(watch.wentBack()).toBe(false);
});
