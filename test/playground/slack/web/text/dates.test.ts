import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatClockOffset,
  formatSlackDate,
  isoDay,
  nextMondayMorning,
  secondsOf,
  wallClock,
} from '../../../../../playground/slack/web/text/dates.js';

const moment = Date.UTC(2026, 10, 20, 8, 5, 9) / 1000;
const berlin = { zone: 'Europe/Berlin', now: Date.UTC(2026, 10, 20, 12) };

describe("Slack's dates", () => {
  it.each([
    ['{date_num}', '2026-11-20'],
    ['{date_slash}', '11/20/2026'],
    ['{date}', 'November 20th, 2026'],
    ['{date_short}', 'Nov 20, 2026'],
    ['{date_long}', 'Friday, November 20th, 2026'],
    ['{date_short_pretty} at {time}', 'today at 9:05 AM'],
    ['{time_secs}', '9:05:09 AM'],
    ['{day_divider_pretty}', 'Today'],
    ['{ago}', '3 hours ago'],
    ['{unknown} stays', '{unknown} stays'],
  ])('writes %s', (format, expected) => {
    expect(formatSlackDate(moment, format, berlin)).toBe(expected);
  });

  it("follows the reader's time zone over midnight", () => {
    const late = Date.UTC(2026, 10, 19, 23, 30) / 1000;
    expect(isoDay(late * 1000, 'Europe/Berlin')).toBe('2026-11-20');
    expect(formatSlackDate(late, '{date_pretty}', berlin)).toBe('today');
    expect(formatSlackDate(late, '{date_pretty}', { ...berlin, zone: 'America/New_York' })).toBe('yesterday');
  });
});

describe('local times', () => {
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

  it('is always in the next seven days', () => {
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

  it('formats the offset of a moved clock', () => {
    expect(formatClockOffset(2 * 86_400_000 + 22 * 3_600_000 + 60_000)).toBe('2 d 22 h ahead');
    expect(formatClockOffset(-90 * 60_000)).toBe('1 h 30 min behind');
    expect(formatClockOffset(3000)).toBe('a moment ahead');
  });
});
