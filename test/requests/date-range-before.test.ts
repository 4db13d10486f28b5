import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import { daysSoFar, previousPeriod, resolveRange } from '../../src/requests/date-range.js';
import { accepted } from '../results.js';

const friday = '2026-11-20T10:09:30.750Z';

function periodOf(words: string, { now = friday, zone = 'Europe/Berlin', workshops = false } = {}) {
  const report = reportNamed(workshops ? 'workshops' : 'engagement');
  const range = accepted(resolveRange(words, report, Date.parse(now), zone, 'monday'));
  const period = previousPeriod(range, {
    requestedAt: Date.parse(now),
    weekStart: 'monday',
    hasFuture: workshops,
  });
  if (!period) return undefined;
  const instant = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return `${instant(period.from)} ${instant(period.until)} ${period.words}`;
}

describe('the same calendar unit one step back', () => {
  it.each([
    ['last-week', '2026-11-01T23:00:00Z 2026-11-08T23:00:00Z 2026-11-02..2026-11-08'],
    ['last-month', '2026-08-31T22:00:00Z 2026-09-30T22:00:00Z 2026-09-01..2026-09-30'],
    ['2026-03', '2026-01-31T23:00:00Z 2026-02-28T23:00:00Z 2026-02-01..2026-02-28'],
    ['last-quarter', '2026-03-31T22:00:00Z 2026-06-30T22:00:00Z 2026-04-01..2026-06-30'],
    ['2026-Q1', '2025-09-30T22:00:00Z 2025-12-31T23:00:00Z 2025-10-01..2025-12-31'],
    ['2025', '2023-12-31T23:00:00Z 2024-12-31T23:00:00Z 2024-01-01..2024-12-31'],
    ['last-1-year', '2023-12-31T23:00:00Z 2024-12-31T23:00:00Z 2024-01-01..2024-12-31'],
  ])('%s: %s', (words, period) => expect(periodOf(words)).toBe(period));

  it.each([
    ['this-week', '2026-11-08T23:00:00Z 2026-11-15T23:00:00Z 2026-11-09..2026-11-15'],
    ['this-month', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z 2026-10-01..2026-10-31'],
    ['2026-11', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z 2026-10-01..2026-10-31'],
    ['2026-11-01..2026-11-30', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z 2026-10-01..2026-10-31'],
  ])('%s of workshops: %s', (words, period) => expect(periodOf(words, { workshops: true })).toBe(period));

  it('is whole for a whole unit, also where that one is shorter by an hour', () => {
    expect(periodOf('this-week', { workshops: true, now: '2026-03-25T12:00:00Z' })).toBe(
      '2026-03-15T23:00:00Z 2026-03-22T23:00:00Z 2026-03-16..2026-03-22',
    );
  });
});

describe('the same weekday a week before for a single day', () => {
  it.each([
    ['yesterday', '2026-11-11T23:00:00Z 2026-11-12T23:00:00Z 2026-11-12'],
    ['last-1-day', '2026-11-11T23:00:00Z 2026-11-12T23:00:00Z 2026-11-12'],
    ['2026-11-19', '2026-11-11T23:00:00Z 2026-11-12T23:00:00Z 2026-11-12'],
    ['2026-11-19..2026-11-19', '2026-11-11T23:00:00Z 2026-11-12T23:00:00Z 2026-11-12'],
    ['2026-03-01', '2026-02-21T23:00:00Z 2026-02-22T23:00:00Z 2026-02-22'],
    // Days of 23 and of 25 hours, and those a week after them.
    ['2026-03-29', '2026-03-21T23:00:00Z 2026-03-22T23:00:00Z 2026-03-22'],
    ['2026-04-05', '2026-03-28T23:00:00Z 2026-03-29T22:00:00Z 2026-03-29'],
    ['2026-10-25', '2026-10-17T22:00:00Z 2026-10-18T22:00:00Z 2026-10-18'],
    ['2026-11-01', '2026-10-24T22:00:00Z 2026-10-25T23:00:00Z 2026-10-25'],
  ])('%s: %s', (words, period) => expect(periodOf(words)).toBe(period));

  it.each([
    ['2026-10-25T12:00:00Z', '2026-10-17T22:00:00Z 2026-10-18T12:00:00Z 2026-10-18'],
    // After 24 of its 25 hours, and on a day that is an hour longer than that before.
    ['2026-10-25T22:30:00Z', '2026-10-17T22:00:00Z 2026-10-18T22:00:00Z 2026-10-18'],
    ['2026-04-05T21:30:00Z', '2026-03-28T23:00:00Z 2026-03-29T22:00:00Z 2026-03-29'],
    ['2026-11-01T22:30:00Z', '2026-10-24T22:00:00Z 2026-10-25T21:30:00Z 2026-10-25'],
  ])('today at %s, cut after as long, at most at its end: %s', (now, period) => {
    const day = now.slice(0, 10);
    for (const words of ['today', day, `since:${day}`]) expect(periodOf(words, { now })).toBe(period);
  });

  it('of workshops, whose day is whole', () => {
    expect(periodOf('today', { workshops: true })).toBe(
      '2026-11-12T23:00:00Z 2026-11-13T23:00:00Z 2026-11-13',
    );
  });
});

describe('cut at the same elapsed time for what ends now', () => {
  it.each([
    ['today', '2026-11-12T23:00:00Z 2026-11-13T10:09:30Z 2026-11-13'],
    ['this-week', '2026-11-08T23:00:00Z 2026-11-13T10:09:30Z 2026-11-09..2026-11-13'],
    ['this-month', '2026-09-30T22:00:00Z 2026-10-20T09:09:30Z 2026-10-01..2026-10-20'],
    ['this-quarter', '2026-06-30T22:00:00Z 2026-08-20T10:09:30Z 2026-07-01..2026-08-20'],
    ['this-year', '2024-12-31T23:00:00Z 2025-11-20T10:09:30Z 2025-01-01..2025-11-20'],
  ])('%s: %s', (words, period) => expect(periodOf(words)).toBe(period));

  it.each([
    ['today', ['2026-11-20', 'since:2026-11-20', '2026-11-20..2026-11-20']],
    ['this-week', ['since:2026-11-16', '2026-11-16..2026-11-22']],
    [
      'this-month',
      ['2026-11', 'since:2026-11', 'since:2026-11-01', '2026-11-01..2026-11-30', '2026-11..2026-11'],
    ],
    [
      'this-quarter',
      ['2026-Q4', 'since:2026-Q4', 'since:2026-10-01', '2026-10..2026-12', '2026-10-01..2026-12'],
    ],
    ['this-year', ['2026', 'since:2026', 'since:2026-01', '2026-Q1..2026-Q4', '2026-01-01..2026-12-31']],
  ])('%s, however it was typed', (words, others) => {
    for (const other of others) expect([other, periodOf(other)]).toEqual([other, periodOf(words)]);
  });

  it.each([
    [
      'this-month',
      '2026-03-31T10:00:00Z',
      '2026-02-01T00:00:00Z 2026-03-01T00:00:00Z 2026-02-01..2026-02-28',
    ],
    ['this-year', '2024-12-31T10:00:00Z', '2023-01-01T00:00:00Z 2024-01-01T00:00:00Z 2023-01-01..2023-12-31'],
    [
      'this-quarter',
      '2026-06-30T23:00:00Z',
      '2026-01-01T00:00:00Z 2026-04-01T00:00:00Z 2026-01-01..2026-03-31',
    ],
    ['2028-03', '2028-03-31T10:00:00Z', '2028-02-01T00:00:00Z 2028-03-01T00:00:00Z 2028-02-01..2028-02-29'],
  ])('%s at %s, clamped to the shorter unit: %s', (words, now, period) => {
    expect(periodOf(words, { now, zone: 'UTC' })).toBe(period);
  });
});

describe('at the very second at which a smaller unit ends', () => {
  it.each([
    ['since:1984-12-31', '1985-01-01T00:00:00Z', '1984-12-24T00:00:00Z 1984-12-25T00:00:00Z 1984-12-24'],
    [
      'since:2026-01',
      '2026-02-01T00:00:00Z',
      '2025-10-01T00:00:00Z 2025-11-01T00:00:00Z 2025-10-01..2025-10-31',
    ],
  ])('%s at %s is the unit that still runs, and has the one before: %s', (words, now, period) => {
    expect(periodOf(words, { now, zone: 'UTC' })).toBe(period);
  });

  it('is that smaller unit where no other one runs', () => {
    expect(periodOf('since:2026-11', { now: '2026-12-01T00:00:00Z', zone: 'UTC' })).toBe(
      '2026-10-01T00:00:00Z 2026-11-01T00:00:00Z 2026-10-01..2026-10-31',
    );
  });
});

describe('as many days directly before', () => {
  it.each([
    ['last-30-days', '2026-09-20T22:00:00Z 2026-10-20T22:00:00Z 2026-09-21..2026-10-20'],
    ['last-4-weeks', '2026-09-20T22:00:00Z 2026-10-18T22:00:00Z 2026-09-21..2026-10-18'],
    ['last-2-months', '2026-07-01T22:00:00Z 2026-08-31T22:00:00Z 2026-07-02..2026-08-31'],
    ['2026-03-01..2026-03-31', '2026-01-28T23:00:00Z 2026-02-28T23:00:00Z 2026-01-29..2026-02-28'],
    ['2026-01..2026-02', '2025-11-02T23:00:00Z 2025-12-31T23:00:00Z 2025-11-03..2025-12-31'],
    ['since:2026-11-17', '2026-11-13T11:50:30Z 2026-11-16T23:00:00Z 2026-11-13..2026-11-16'],
    // It is still running: what is ahead has not happened.
    ['2026-11-17..2026-12-31', '2026-11-13T11:50:30Z 2026-11-16T23:00:00Z 2026-11-13..2026-11-16'],
  ])('%s: %s', (words, period) => expect(periodOf(words)).toBe(period));

  it('never more days than have begun, on a day of 25 hours', () => {
    expect(periodOf('since:2026-10-20', { now: '2026-10-25T22:30:00Z' })).toBe(
      '2026-10-13T22:00:00Z 2026-10-19T22:00:00Z 2026-10-14..2026-10-19',
    );
  });
});

describe('the days of a range that have begun', () => {
  const begun = (words: string, now = friday) => {
    const range = resolveRange(words, reportNamed('engagement'), Date.parse(now), 'Europe/Berlin', 'monday');
    return daysSoFar(accepted(range), Math.floor(Date.parse(now) / 1000));
  };

  it.each([
    ['this-month', 20],
    ['2026-11', 20],
    ['since:2026-11-01', 20],
    ['2026-11-01..2026-12-31', 20],
    ['2026-10', 31],
    ['last-week', 7],
    ['today', 1],
  ])('%s: %i', (words, days) => expect(begun(words)).toBe(days));

  it('are none at the very first second', () => {
    expect(begun('2026-11', '2026-10-31T23:00:00Z')).toBe(0);
    expect(begun('2026-11', '2026-10-31T23:00:01Z')).toBe(1);
  });
});

describe('nothing before', () => {
  it.each(['tomorrow', 'next-week', 'next-month', 'next-7-days', '2027', '2026-11-21'])(
    'for %s, which begins in the future',
    (words) => expect(periodOf(words, { workshops: true })).toBeUndefined(),
  );

  it('when it would start before 1970', () => {
    expect(periodOf('1970', { zone: 'UTC' })).toBeUndefined();
    expect(periodOf('1970-01-07', { zone: 'UTC' })).toBeUndefined();
    expect(periodOf('1970-01-08', { zone: 'UTC' })).toContain('1970-01-01T00:00:00Z');
    expect(periodOf('1970-01-05..2026-01-01', { zone: 'UTC' })).toBeUndefined();
  });

  it('when the zone skipped it', () => {
    expect(periodOf('2012-01-06', { zone: 'Pacific/Apia' })).toBeUndefined();
  });
});
