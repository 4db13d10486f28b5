import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZoneDays } from '../../../src/figures/counting/dates.js';
import { propertyRuns } from '../../property-runs.js';
import { dayIn } from '../naive/row.js';

test('the day of an instant is that of the calendar, over all zones and changes of the clocks', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const instants = fc.array(fc.integer({ min: Date.parse('1971-01-01'), max: Date.parse('2060-01-01') }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (zone, all) => {
      const days = new ZoneDays(zone);
      for (const ms of all) {
        const day = new Date(days.dayOf(ms) * 86_400_000).toISOString().slice(0, 10);
        expect(day).toBe(dayIn(zone, { ms, wholeDay: false }));
      }
    }),
    { numRuns: propertyRuns(150) },
  );
});

test('on a day on which the clocks change, both halves are right', () => {
  const days = new ZoneDays('Europe/Berlin');
  const first = days.dayOf(Date.parse('2026-03-29T00:59:59Z'));
  expect(days.dayOf(Date.parse('2026-03-29T21:59:59Z'))).toBe(first);
  expect(days.dayOf(Date.parse('2026-03-29T22:00:00Z'))).toBe(first + 1);
  expect(days.dayOf(Date.parse('2026-03-28T22:59:59Z'))).toBe(first - 1);
});
