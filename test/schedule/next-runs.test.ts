import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import type { Schedule } from '../../src/schedule/cadence.js';
import { isDailyAtMost, latestDueRun, nextRuns, scheduleFrom } from '../../src/schedule/next-runs.js';
import { zoneNames } from '../../src/schedule/time-zones.js';
import { propertyRuns } from '../property-runs.js';
import { anyCadence } from '../requests/random-cadence.js';
import { accepted } from '../results.js';

/** A schedule that begins at an instant, `2026-03-27T12:00Z`. */
function schedule(words: string, zone: string, begins: string): Schedule {
  return scheduleFrom(accepted(parseCadence(words)).cadence, zone, Date.parse(begins));
}

/** Instants as their zone's clocks show them with their distance from UTC, `Sun 2026-03-29 03:00 +02:00`. */
function onClocks(runs: readonly number[], zone: string): readonly string[] {
  const day = new Intl.DateTimeFormat('en-US', { timeZone: zone, weekday: 'short' });
  const offset = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  return runs.map((run) =>
    [day.format(run), clock.format(run), offset.format(run).split('GMT')[1] || '+00:00'].join(' '),
  );
}

describe('the next runs', () => {
  it.each([
    [
      'a time in a gap runs when the gap ends',
      'daily 02:30',
      'Europe/Berlin',
      '2026-03-28T00:00Z',
      ['Sat 2026-03-28 02:30 +01:00', 'Sun 2026-03-29 03:00 +02:00', 'Mon 2026-03-30 02:30 +02:00'],
    ],
    [
      'a time that comes twice runs at its first',
      'daily 02:30',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['Sun 2026-10-25 02:30 +02:00', 'Mon 2026-10-26 02:30 +01:00'],
    ],
    [
      'two runs at one instant are one',
      'cron "0 2,3 * * *"',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['Sun 2026-03-29 03:00 +02:00', 'Mon 2026-03-30 02:00 +02:00', 'Mon 2026-03-30 03:00 +02:00'],
    ],
    [
      'midnight in a gap',
      'daily 00:00',
      'America/Santiago',
      '2026-09-05T12:00Z',
      ['Sun 2026-09-06 01:00 -03:00', 'Mon 2026-09-07 00:00 -03:00'],
    ],
    [
      'midnight that comes twice',
      'daily 0',
      'America/Havana',
      '2026-10-31T12:00Z',
      ['Sun 2026-11-01 00:00 -04:00', 'Mon 2026-11-02 00:00 -05:00'],
    ],
    [
      'a day that the zone skipped',
      'weekly fri 09:00',
      'Pacific/Apia',
      '2011-12-24T00:00Z',
      ['Sat 2011-12-31 00:00 +14:00', 'Fri 2012-01-06 09:00 +14:00'],
    ],
    [
      'every real hour, through a gap',
      'hourly',
      'Europe/Berlin',
      '2026-03-29T00:00Z',
      ['Sun 2026-03-29 03:00 +02:00', 'Sun 2026-03-29 04:00 +02:00'],
    ],
    [
      'every real hour, also the one that comes twice',
      'hourly :15',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      ['Sun 2026-10-25 02:15 +02:00', 'Sun 2026-10-25 02:15 +01:00', 'Sun 2026-10-25 03:15 +01:00'],
    ],
    [
      'every real hour, where clocks are half an hour off',
      'hourly',
      'Asia/Kolkata',
      '2026-01-01T00:00Z',
      ['Thu 2026-01-01 06:00 +05:30', 'Thu 2026-01-01 07:00 +05:30'],
    ],
    [
      'never less than an hour apart, where clocks go back by half an hour',
      'hourly :45',
      'Australia/Lord_Howe',
      '2026-04-04T14:00Z',
      ['Sun 2026-04-05 01:45 +11:00', 'Sun 2026-04-05 02:45 +10:30', 'Sun 2026-04-05 03:45 +10:30'],
    ],
    [
      'on the minute again, where clocks go forward by half an hour',
      'hourly',
      'Australia/Lord_Howe',
      '2026-10-03T14:00Z',
      ['Sun 2026-10-04 01:00 +10:30', 'Sun 2026-10-04 03:00 +11:00', 'Sun 2026-10-04 04:00 +11:00'],
    ],
    [
      'cron that has every hour is hourly',
      'cron "30 * * * *"',
      'Europe/Berlin',
      '2026-10-24T23:45Z',
      ['Sun 2026-10-25 02:30 +02:00', 'Sun 2026-10-25 02:30 +01:00', 'Sun 2026-10-25 03:30 +01:00'],
    ],
    [
      'cron that has every hour of some days',
      'cron "30 * * * 1-5"',
      'Europe/Berlin',
      '2026-03-27T21:40Z',
      ['Fri 2026-03-27 23:30 +01:00', 'Mon 2026-03-30 00:30 +02:00', 'Mon 2026-03-30 01:30 +02:00'],
    ],
    [
      'weekdays',
      'weekdays 8:30',
      'Asia/Tokyo',
      '2026-11-19T00:00Z',
      ['Fri 2026-11-20 08:30 +09:00', 'Mon 2026-11-23 08:30 +09:00'],
    ],
    [
      'every two weeks, through a change of the clocks',
      'every 2 weeks fri 16:00',
      'America/New_York',
      '2026-10-20T00:00Z',
      ['Fri 2026-10-23 16:00 -04:00', 'Fri 2026-11-06 16:00 -05:00', 'Fri 2026-11-20 16:00 -05:00'],
    ],
    [
      'every two weeks, today at the earliest',
      'every 2 weeks fri 16:00',
      'UTC',
      '2026-11-20T15:59Z',
      ['Fri 2026-11-20 16:00 +00:00', 'Fri 2026-12-04 16:00 +00:00'],
    ],
    [
      'every two weeks, not today when it is over',
      'every 2 weeks fri 16:00',
      'UTC',
      '2026-11-20T16:00Z',
      ['Fri 2026-11-27 16:00 +00:00', 'Fri 2026-12-11 16:00 +00:00'],
    ],
    [
      'every three weeks on two days: a week is the seven days from the first run',
      'every 3 weeks mon,thu 9',
      'UTC',
      '2026-11-18T00:00Z',
      [
        'Thu 2026-11-19 09:00 +00:00',
        'Mon 2026-11-23 09:00 +00:00',
        'Thu 2026-12-10 09:00 +00:00',
        'Mon 2026-12-14 09:00 +00:00',
      ],
    ],
    [
      'the 31st of a shorter month is its last day',
      'monthly 31 9',
      'UTC',
      '2028-01-31T09:00Z',
      ['Tue 2028-02-29 09:00 +00:00', 'Fri 2028-03-31 09:00 +00:00', 'Sun 2028-04-30 09:00 +00:00'],
    ],
    [
      'the 30th of February as well',
      'monthly 30 9',
      'UTC',
      '2026-01-31T09:00Z',
      ['Sat 2026-02-28 09:00 +00:00', 'Mon 2026-03-30 09:00 +00:00'],
    ],
    [
      'the last day',
      'monthly last 16:00',
      'UTC',
      '2026-11-20T00:00Z',
      ['Mon 2026-11-30 16:00 +00:00', 'Thu 2026-12-31 16:00 +00:00', 'Sun 2027-01-31 16:00 +00:00'],
    ],
    [
      'the last Friday',
      'monthly last fri 15:00',
      'UTC',
      '2026-11-20T00:00Z',
      ['Fri 2026-11-27 15:00 +00:00', 'Fri 2026-12-25 15:00 +00:00', 'Fri 2027-01-29 15:00 +00:00'],
    ],
    [
      'the first and second of its name',
      'monthly second tue 9',
      'UTC',
      '2026-11-20T00:00Z',
      ['Tue 2026-12-08 09:00 +00:00', 'Tue 2027-01-12 09:00 +00:00'],
    ],
    [
      'quarters',
      'quarterly 31 9',
      'UTC',
      '2026-11-20T00:00Z',
      ['Sun 2027-01-31 09:00 +00:00', 'Fri 2027-04-30 09:00 +00:00', 'Sat 2027-07-31 09:00 +00:00'],
    ],
    [
      'cron',
      'cron "0 9 * * 1-5"',
      'Europe/London',
      '2026-03-27T10:00Z',
      ['Mon 2026-03-30 09:00 +01:00', 'Tue 2026-03-31 09:00 +01:00'],
    ],
    [
      'cron on days of the month or of the week',
      'cron "0 9 13 * fri"',
      'UTC',
      '2026-11-07T00:00Z',
      ['Fri 2026-11-13 09:00 +00:00', 'Fri 2026-11-20 09:00 +00:00'],
    ],
    [
      'cron that comes once in many years',
      'cron "0 0 29 2 *"',
      'UTC',
      '2096-03-01T00:00Z',
      ['Fri 2104-02-29 00:00 +00:00', 'Wed 2108-02-29 00:00 +00:00'],
    ],
  ])('%s: %s in %s', (_case, words, zone, begins, expected) => {
    const runs = nextRuns(schedule(words, zone, begins), Date.parse(begins), expected.length);
    expect(onClocks(runs, zone)).toEqual(expected);
  });

  it('are none for a count of 0', () => {
    expect(nextRuns(schedule('daily 9', 'UTC', '2026-01-01T00:00Z'), 0, 0)).toEqual([]);
  });

  it('are after an instant, to the millisecond', () => {
    const daily = schedule('daily 9', 'UTC', '2026-01-01T00:00Z');
    const nine = Date.parse('2026-01-05T09:00Z');
    expect(nextRuns(daily, nine - 1, 1)).toEqual([nine]);
    expect(nextRuns(daily, nine, 1)).toEqual([nine + 86_400_000]);
    expect(nextRuns(daily, nine - 1, 9, nine)).toEqual([nine]);
    expect(nextRuns(daily, nine, 9, nine + 86_399_999)).toEqual([]);
  });

  it('of every two weeks do not come before the first', () => {
    const everyTwo = schedule('every 2 weeks fri 9', 'UTC', '2026-11-20T10:00Z');
    expect(everyTwo.firstDay).toBe('2026-11-27');
    expect(nextRuns(everyTwo, Date.parse('2020-01-01T00:00Z'), 1)).toEqual([Date.parse('2026-11-27T09:00Z')]);
  });
});

describe('what was missed', () => {
  it('is the latest, and how many came before it', () => {
    const daily = schedule('daily 9', 'UTC', '2026-01-01T00:00Z');
    const [monday, thursday] = [Date.parse('2026-01-05T09:00Z'), Date.parse('2026-01-08T09:00Z')];
    expect(latestDueRun(daily, monday, thursday)).toEqual({ latest: thursday, missed: 2 });
    expect(latestDueRun(daily, monday, thursday - 1)).toEqual({ latest: thursday - 86_400_000, missed: 1 });
    expect(latestDueRun(daily, monday, monday + 86_399_999)).toEqual({ missed: 0 });
    expect(latestDueRun(daily, thursday, monday)).toEqual({ missed: 0 });
  });

  it('is found over years', () => {
    const hourly = schedule('hourly', 'Europe/Berlin', '2020-01-01T00:00Z');
    const [from, until] = [Date.parse('2020-01-01T00:00Z'), Date.parse('2030-01-01T00:00Z')];
    expect(latestDueRun(hourly, from, until)).toEqual({
      latest: until,
      missed: (until - from) / 3_600_000 - 1,
    });
  });
});

const anySchedule = fc
  .record({
    cadence: anyCadence,
    zone: fc.constantFrom(...zoneNames),
    begins: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2035, 0, 1) }),
  })
  .map(({ cadence, zone, begins }) => ({ begins, schedule: scheduleFrom(cadence, zone, begins) }));

describe('the runs of any schedule', () => {
  it('come one after the other, the same ones wherever one begins to look', () => {
    fc.assert(
      fc.property(anySchedule, fc.nat(), fc.nat(), ({ begins, schedule }, some, other) => {
        const runs = nextRuns(schedule, begins, 12);
        expect(runs).toHaveLength(12);
        expect([...new Set(runs)].sort((a, b) => a - b)).toEqual(runs);
        expect(runs[0]).toBeGreaterThan(begins);
        const from = some % 11;
        const [run = 0, next = 0] = runs.slice(from);
        expect(nextRuns(schedule, run, 11 - from)).toEqual(runs.slice(from + 1));
        expect(nextRuns(schedule, run - 1, 12 - from)).toEqual(runs.slice(from));
        expect(nextRuns(schedule, run + (other % (next - run)), 11 - from)).toEqual(runs.slice(from + 1));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('are due once, however time is cut', () => {
    fc.assert(
      fc.property(
        anySchedule,
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        ({ begins, schedule }, cut, most) => {
          const runs = nextRuns(schedule, begins, 12);
          const until = runs.at(-1) ?? begins;
          const middle = begins + (cut % (until - begins));
          const due = [...nextRuns(schedule, begins, 99, middle), ...nextRuns(schedule, middle, 99, until)];
          expect(due).toEqual(runs);
          expect(nextRuns(schedule, begins, most, until)).toEqual(runs.slice(0, most));
          expect(latestDueRun(schedule, begins, until)).toEqual({ latest: until, missed: 11 });
        },
      ),
      { numRuns: propertyRuns(300) },
    );
  });

  it('are at least an hour apart, unless one that fell into a gap runs when the gap ends', () => {
    fc.assert(
      fc.property(anySchedule, ({ begins, schedule }) => {
        const runs = nextRuns(schedule, begins, 30);
        for (const [index, run] of runs.entries()) {
          const before = runs[index - 1];
          if (before === undefined || run - before >= 3_600_000) continue;
          expect(schedule.cadence.kind).toBe('cron');
          // 02:01 and the end of a gap from 03:00 to 04:00 are as near as that end and 04:01.
          expect([before, run].filter((one) => clocksChangeAt(one, schedule.zone))).not.toEqual([]);
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  it('do not depend on earlier calls', () => {
    const often = schedule('cron "0 9 * * 1-5"', 'UTC', '2026-01-01T00:00Z');
    const [late, early] = [Date.parse('2030-01-01T00:00Z'), Date.parse('2026-01-01T00:00Z')];
    const first = nextRuns(often, early, 5);
    nextRuns(often, late, 5);
    expect(nextRuns(often, early, 5)).toEqual(first);
  });

  it('cannot be found for a cron expression that never passed the parser', () => {
    const wrong: Schedule = {
      cadence: { kind: 'cron', expression: '* * * * *' },
      zone: 'UTC',
      firstDay: '2026-01-01',
    };
    expect(() => nextRuns(wrong, 0, 1)).toThrow(/too-often/);
  });
});

function clocksChangeAt(instant: number, zone: string): boolean {
  const [before, now] = onClocks([instant - 60_000, instant], zone).map((shown) => shown.slice(-6));
  return before !== now;
}

describe('a cadence is daily at most', () => {
  it.each([
    ['daily 9', true],
    ['weekly mon,thu 9', true],
    ['cron "0 9 * * 1-5"', true],
    ['cron "0 9,17 * * *"', false],
    ['cron "0 9,17 1 * *"', false],
    ['cron "0 */12 * * *"', false],
    ['hourly', false],
    ['cron "30 * 1 1 *"', false],
  ])('%s: %s', (words, is) => {
    expect(isDailyAtMost(accepted(parseCadence(words)).cadence)).toBe(is);
  });

  it('where no day of its next runs has two, whatever it is', () => {
    const begins = Date.parse('2026-01-01T00:30Z');
    fc.assert(
      fc.property(anyCadence, (cadence) => {
        const runs = nextRuns(scheduleFrom(cadence, 'UTC', begins), begins, 40);
        const days = new Set(runs.map((run) => new Date(run).toISOString().slice(0, 10)));
        if (isDailyAtMost(cadence)) expect(days.size).toBe(runs.length);
        else expect(days.size).toBeLessThan(runs.length);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});
