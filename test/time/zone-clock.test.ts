import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOfWallTime, offsetAt, offsetPeriodAt } from '../../src/time/calendar.js';
import { propertyRuns } from '../property-runs.js';

const zones = Intl.supportedValuesOf('timeZone');
const anywhere = fc.record({
  zone: fc.constantFrom(...zones),
  instant: fc.integer({ min: 0, max: Date.UTC(2037, 11, 31) / 1000 }),
});

describe('the steady time of any instant in any zone', () => {
  it('has the offset that the platform knows, to its last second', () => {
    fc.assert(
      fc.property(anywhere, ({ zone, instant }) => {
        const { from, until, offset } = offsetPeriodAt(instant, zone);
        expect(from).toBeLessThanOrEqual(instant);
        expect(until).toBeGreaterThan(instant);
        for (const inside of [from, instant, until - 1]) expect(offsetAt(inside, zone)).toBe(offset);
        expect(offsetPeriodAt(from, zone)).toBe(offsetPeriodAt(until - 1, zone));
        expect(offsetPeriodAt(until, zone).from).toBe(until);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('begins and ends where clocks are changed', () => {
    const summer = offsetPeriodAt(Date.parse('2026-03-29T01:00Z') / 1000, 'Europe/Berlin');
    expect(summer).toMatchObject({ from: Date.parse('2026-03-29T01:00Z') / 1000, offset: 7200 });
    expect(offsetPeriodAt(summer.from - 1, 'Europe/Berlin')).toMatchObject({
      until: summer.from,
      offset: 3600,
    });
  });
});

it('clocks that show a time at some instant have come to it then, or earlier when it comes twice', () => {
  fc.assert(
    fc.property(anywhere, ({ zone, instant }) => {
      const wall = instant + offsetAt(instant, zone);
      const first = instantOfWallTime(wall, zone);
      expect(first).toBeLessThanOrEqual(instant);
      expect(first + offsetAt(first, zone)).toBe(wall);
      expect(first - 1 + offsetAt(first - 1, zone)).toBeLessThan(wall);
    }),
    { numRuns: propertyRuns(500) },
  );
});
