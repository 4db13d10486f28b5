import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import type { Cadence, Schedule } from '../../src/schedule/cadence.js';
import { latestDueRun, nextRuns, scheduleFrom } from '../../src/schedule/next-runs.js';
import { isFull } from '../property-runs.js';
import { anyCadence } from '../requests/random-cadence.js';
import { changesOfOffset, comparedZones } from '../requests/reference-calendar.js';
import { accepted } from '../results.js';
import { LEAD, minutesShown, referenceRuns, type ShownMinutes } from './reference-runs.js';

const timeout = isFull ? 1_800_000 : 120_000;

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const FIRST_YEAR = 2019;
const LAST_YEAR = 2028;

const areas = [...new Set(comparedZones.map((zone) => zone.split('/')[0] ?? zone))];

/** The runs after the lead, as the product and as the clock of minutes has them. */
function bothWays(schedules: readonly Schedule[], minutes: ShownMinutes) {
  const from = minutes.from + LEAD * MINUTE;
  const until = minutes.from + (minutes.shown.length - 1) * MINUTE;
  return schedules.map((schedule) => ({
    runs: nextRuns(schedule, from - 1, 100_000, until),
    expected: referenceRuns(schedule, minutes),
    schedule,
  }));
}

/** Times of the day at which the clocks are set forward or back within some minutes, and others near them. */
function timesNearChange({ shown }: ShownMinutes): readonly string[] {
  const jump = shown.findIndex((minute, index) => index > 0 && minute - (shown[index - 1] ?? 0) !== 1);
  const around = [shown[Math.max(0, jump - 1)] ?? 0, shown[Math.max(0, jump)] ?? 0];
  const apart = [-61, -60, -30, -1, 0, 1, 15, 29, 30, 31, 45, 59, 60, 61];
  const near = around.flatMap((minute) => apart.map((by) => minute + by));
  return [...new Set(near)].map((minute) => new Date(minute * MINUTE).toISOString().slice(11, 16));
}

/** Cadences of every kind, most of them at the times in question. */
function cadencesAt(times: readonly string[], count: number, seed: number): readonly Cadence[] {
  const atThoseTimes = fc.tuple(anyCadence, fc.constantFrom(...times)).map(([cadence, time]): Cadence => {
    const [hour = '', minute = ''] = time.split(':');
    if ('time' in cadence) return { ...cadence, time };
    if (cadence.kind === 'hourly') return { ...cadence, minute: Number(minute) };
    const [, hours, ...days] = cadence.expression.split(' ');
    const some = hours === '*' ? '*' : `${hours},${Number(hour)}`;
    return { kind: 'cron', expression: [Number(minute), some, ...days].join(' ') };
  });
  const often = fc.constantFrom(...times).map((time): Cadence => ({ kind: 'daily', time }));
  return fc.sample(fc.oneof(atThoseTimes, often).filter(isSimpleCron), { numRuns: count, seed });
}

/** The cron of that clock knows no `#`, and no last Friday. */
function isSimpleCron(cadence: Cadence): boolean {
  return cadence.kind !== 'cron' || !/#|\dL|\/\d+,/i.test(cadence.expression);
}

describe('runs a day around every clock change agree with a clock that is read each minute', () => {
  it.each(areas)('%s', { timeout }, (area) => {
    for (const zone of comparedZones.filter((name) => name.split('/')[0] === area)) {
      const changes = changesOfOffset(zone, FIRST_YEAR, LAST_YEAR);
      const seed = 20261120 + comparedZones.indexOf(zone);
      const days = changes.length > 0 ? changes : [Date.UTC(2026, 2, 29) / 1000];
      const some = fc.sample(fc.constantFrom(...days), { numRuns: 1, seed });
      for (const day of (isFull ? days : some).map((change) => change * 1000)) {
        const minutes = minutesShown(zone, day - DAY - LEAD * MINUTE, day + 2 * DAY);
        const cadences = cadencesAt(timesNearChange(minutes), isFull ? 25 : 12, seed + day / DAY);
        const schedules = cadences.map((cadence) => scheduleFrom(cadence, zone, day - 8 * DAY));
        for (const { runs, expected, schedule } of bothWays(schedules, minutes)) {
          expect([schedule, ...runs]).toEqual([schedule, ...expected]);
        }
      }
    }
  });
});

describe('through whole years', () => {
  const years = isFull ? [2019, 2020, 2024, 2025, 2026, 2027] : [2026];
  const cases = ['America/New_York', 'Africa/Casablanca', 'Australia/Lord_Howe'].flatMap((zone) =>
    years.map((year) => ({ zone, year })),
  );
  const cadences = [
    'daily 02:30',
    'daily 00:00',
    'weekdays 01:45',
    'weekly sun 2:00',
    'every 2 weeks sun,wed 02:15',
    'every 7 weeks tue 9',
    'monthly 31 23:59',
    'monthly last sun 02:30',
    'monthly third sat 9',
    'quarterly 31 00:00',
    'hourly',
    'hourly :45',
    'cron "30 1-3 * * *"',
    'cron "15 * * * sun"',
    'cron "0 9 1,15 * fri"',
    'cron "20 8 L feb,mar *"',
  ].map((words) => accepted(parseCadence(words)).cadence);

  it.each(cases)('$zone $year', { timeout }, ({ zone, year }) => {
    const [from, until] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)];
    const minutes = minutesShown(zone, from - LEAD * MINUTE, until);
    const schedules = cadences.map((cadence) => scheduleFrom(cadence, zone, from));
    for (const { runs, expected, schedule } of bothWays(schedules, minutes)) {
      expect(expected.length).toBeGreaterThan(1);
      expect([schedule, ...runs]).toEqual([schedule, ...expected]);
      expect(latestDueRun(schedule, from - 1, until)).toEqual({
        latest: expected.at(-1),
        missed: expected.length - 1,
      });
    }
  });
});
