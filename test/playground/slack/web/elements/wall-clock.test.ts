import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aheadInWords,
  nextMondayMorning,
  secondsOf,
  wallClock,
} from '../../../../../playground/slack/web/text/dates.js';

describe('wall clocks', () => {
  it.each([
    ['Europe/Berlin', '2026-11-20T09:00'],
    ['America/New_York', '2026-07-04T00:30'],
    ['Asia/Kolkata', '2026-01-01T23:59'],
  ])('leads from %s to the moment and back', (zone, text) => {
    expect(wallClock(secondsOf(text, zone), zone)).toBe(text);
  });

  it('knows the offset of the day', () => {
    expect(secondsOf('2026-11-20T09:00', 'Europe/Berlin') * 1000).toBe(Date.UTC(2026, 10, 20, 8));
    expect(secondsOf('2026-07-20T09:00', 'Europe/Berlin') * 1000).toBe(Date.UTC(2026, 6, 20, 7));
  });
});

describe('next Monday at nine', () => {
  it.each([
    ['on a Friday', '2026-11-20T10:00', '2026-11-23T09:00'],
    ['early on a Monday', '2026-11-23T08:59', '2026-11-23T09:00'],
    ['at nine on a Monday', '2026-11-23T09:00', '2026-11-30T09:00'],
    ['over the end of summer time', '2026-10-24T12:00', '2026-10-26T09:00'],
  ])('%s', (_, now, expected) => {
    const zone = 'Europe/Berlin';
    expect(wallClock(nextMondayMorning(secondsOf(now, zone) * 1000, zone) / 1000, zone)).toBe(expected);
  });

  it('is always ahead, and never more than a week', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'UTC',
      'Pacific/Auckland',
    );
    fc.assert(
      fc.property(fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }), zones, (now, zone) => {
        const next = nextMondayMorning(now, zone);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThanOrEqual(7 * 86_400_000 + 3_600_000);
      }),
    );
  });

  it('says how far a clock was moved', () => {
    expect(aheadInWords(2 * 86_400_000 + 22 * 3_600_000 + 60_000)).toBe('2 d 22 h ahead');
    expect(aheadInWords(-90 * 60_000)).toBe('1 h 30 min behind');
    expect(aheadInWords(3000)).toBe('a moment ahead');
  });
});
