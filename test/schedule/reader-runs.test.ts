import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cadence, Schedule } from '../../src/schedule/cadence.js';
import { isSameDay, lastReaderRun, nextReaderRuns, nextWave } from '../../src/schedule/reader-runs.js';
import { propertyRuns } from '../property-runs.js';

const at = (text: string) => Date.parse(text);
const schedule = (cadence: Cadence, zone = 'Europe/Berlin'): Schedule => ({
  cadence,
  zone,
  firstDay: '2026-11-02',
});
const monday: Cadence = { kind: 'weekly', days: ['mon'], time: '09:00' };

function inZone(instant: number, zone: string) {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value;
  return { weekday: part('weekday'), time: `${part('hour')}:${part('minute')}` };
}

describe('the times of readers', () => {
  it('are the hour of the digest in each zone', () => {
    const from = at('2026-11-20T00:00:00Z');
    expect(nextReaderRuns(schedule(monday), 'Asia/Tokyo', from, 1)).toEqual([at('2026-11-23T00:00:00Z')]);
    expect(nextReaderRuns(schedule(monday), 'Europe/Berlin', from, 1)).toEqual([at('2026-11-23T08:00:00Z')]);
    expect(nextReaderRuns(schedule(monday), 'America/New_York', from, 1)).toEqual([
      at('2026-11-23T14:00:00Z'),
    ]);
    expect(nextWave(schedule(monday), ['America/New_York', 'Asia/Tokyo'], from)).toBe(
      at('2026-11-23T00:00:00Z'),
    );
    expect(nextWave(schedule(monday), ['America/New_York', 'Asia/Tokyo'], at('2026-11-23T00:00:00Z'))).toBe(
      at('2026-11-23T14:00:00Z'),
    );
  });

  it('are on Monday where the schedule says a day of the weekend, once', () => {
    const daily: Cadence = { kind: 'daily', time: '09:00' };
    const runs = nextReaderRuns(schedule(daily), 'UTC', at('2026-11-20T08:00:00Z'), 3);
    expect(runs).toEqual([
      at('2026-11-20T09:00:00Z'),
      at('2026-11-23T09:00:00Z'),
      at('2026-11-24T09:00:00Z'),
    ]);
    const first: Cadence = { kind: 'monthly', day: 1, time: '09:00' };
    expect(nextReaderRuns(schedule(first), 'UTC', at('2026-10-20T00:00:00Z'), 2)).toEqual([
      at('2026-11-02T09:00:00Z'),
      at('2026-12-01T09:00:00Z'),
    ]);
  });

  it('are once a day where clocks change, when they have gone on or at the first of two equal times', () => {
    const runs = (time: string, zone: string, from: string, count: number) =>
      nextReaderRuns(schedule({ kind: 'daily', time }), zone, at(from), count);
    // In Cairo, clocks go from 00:00 to 01:00 on a Friday, and from 24:00 to 23:00 on a Thursday.
    expect(runs('00:30', 'Africa/Cairo', '2027-04-29T12:00:00Z', 2)).toEqual([
      at('2027-04-29T22:00:00Z'),
      at('2027-05-02T21:30:00Z'),
    ]);
    expect(runs('23:30', 'Africa/Cairo', '2027-10-28T12:00:00Z', 2)).toEqual([
      at('2027-10-28T20:30:00Z'),
      at('2027-10-29T21:30:00Z'),
    ]);
    // In Berlin they change on a Sunday, whose time comes on Monday: 02:30 is there then, and there once.
    expect(runs('02:30', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2)).toEqual([
      at('2027-03-29T00:30:00Z'),
      at('2027-03-30T00:30:00Z'),
    ]);
    expect(runs('02:30', 'Europe/Berlin', '2027-10-30T12:00:00Z', 2)).toEqual([
      at('2027-11-01T01:30:00Z'),
      at('2027-11-02T01:30:00Z'),
    ]);
  });

  const zones = [
    'UTC',
    'Asia/Tokyo',
    'Asia/Kathmandu',
    'America/New_York',
    'Pacific/Kiritimati',
    'Australia/Lord_Howe',
  ];
  const cadences: readonly Cadence[] = [
    monday,
    { kind: 'daily', time: '09:00' },
    { kind: 'weekdays', time: '17:30' },
    { kind: 'weekly', days: ['sat', 'sun'], time: '08:15' },
    { kind: 'every-weeks', weeks: 2, days: ['fri'], time: '09:00' },
    { kind: 'monthly', day: 31, time: '09:00' },
  ];
  it('are on weekdays at that time in every zone, ascending, and each is the last one until the next', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...cadences),
        fc.constantFrom(...zones),
        fc.integer({ min: at('2026-11-03T00:00:00Z'), max: at('2028-01-01T00:00:00Z') }),
        (cadence, zone, after) => {
          const plan = schedule(cadence);
          const runs = nextReaderRuns(plan, zone, after, 6);
          expect(runs).toHaveLength(6);
          expect([...runs].sort((a, b) => a - b)).toEqual(runs);
          expect(new Set(runs).size).toBe(6);
          for (const run of runs) {
            expect(run).toBeGreaterThan(after);
            const { weekday, time } = inZone(run, zone);
            expect(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']).toContain(weekday);
            expect(time).toBe('time' in cadence ? cadence.time : '');
          }
          const [first = 0, second = 0] = runs;
          expect(nextReaderRuns(plan, zone, first, 1)).toEqual([second]);
          expect(lastReaderRun(plan, zone, first - 1, first)).toBe(first);
          expect(lastReaderRun(plan, zone, first, second - 1)).toBeUndefined();
          expect(isSameDay(first, first, zone)).toBe(true);
          expect(isSameDay(first, first + 86_400_000, zone)).toBe(false);
        },
      ),
      { numRuns: propertyRuns(150) },
    );
  });
});
