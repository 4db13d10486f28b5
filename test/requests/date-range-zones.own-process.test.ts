import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import { previousPeriod, resolveRange } from '../../src/requests/date-range.js';
import type { ResolvedRange } from '../../src/requests/request.js';
import {
  addUnits,
  type CalendarUnit,
  calendarDay,
  dayAt,
  formatIsoDay,
  startOfDay,
  type WeekStart,
} from '../../src/time/calendar.js';
import { propertyRuns } from '../property-runs.js';
import { changesOfOffset, clockOf, comparedZones, firstSecondOf } from './reference-calendar.js';

const zones = Intl.supportedValuesOf('timeZone');
const DAY = 86_400;

function dayNumbered(number: number) {
  const date = new Date(number * DAY * 1000);
  const day = calendarDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  if (!day) throw new Error(`No day ${number}`);
  return day;
}

const areas = [...new Set(comparedZones.map((zone) => zone.split('/')[0] ?? zone))];

describe('the first instant of a day is when a zone’s clocks first show its date', () => {
  it.each(areas)('%s', (area) => {
    for (const zone of comparedZones.filter((name) => name.startsWith(area))) {
      const clock = clockOf(zone);
      const changes = changesOfOffset(zone, 1970, 2037);
      const some = fc.sample(fc.constantFrom(...changes, 8000 * DAY), { numRuns: 4, seed: 20261120 });
      for (const change of [...changes.slice(-2), ...some]) {
        const before = Math.floor(change / DAY) - 1;
        const days = [0, 1, 2, 3].map((later) => dayNumbered(before + later));
        expect([zone, ...days.map((day) => startOfDay(day, zone))]).toEqual([
          zone,
          ...days.map((day) => firstSecondOf(formatIsoDay(day), clock)),
        ]);
      }
    }
  });
});

const anywhere = fc.record({
  zone: fc.constantFrom(...zones),
  now: fc.integer({ min: Date.UTC(1985, 0, 1), max: Date.UTC(2037, 11, 31) }),
  weekStart: fc.constantFrom<WeekStart>('monday', 'sunday'),
});

function ranges({ zone, now, weekStart }: { zone: string; now: number; weekStart: WeekStart }) {
  return (words: string, report: 'engagement' | 'workshops' = 'workshops'): ResolvedRange | undefined => {
    const range = resolveRange(words, reportNamed(report), now, zone, weekStart);
    return range.ok ? range.value : undefined;
  };
}

describe('at any time in any zone', () => {
  it.each(['week', 'month', 'quarter', 'year'])('the last %s ends where this one begins', (unit) => {
    fc.assert(
      fc.property(anywhere, (where) => {
        const range = ranges(where);
        expect(range(`last-${unit}`)?.until).toBe(range(`this-${unit}`)?.from);
        expect(range(`last-2-${unit}s`)?.until).toBe(range(`this-${unit}`)?.from);
      }),
    );
  });

  it('every range has a second in it, and its days are those of its ends', () => {
    const words = fc.constantFrom(
      'today',
      'yesterday',
      'this-week',
      'last-week',
      'last-9d',
      '2024-02',
      '2011-12',
    );
    fc.assert(
      fc.property(anywhere, words, (where, said) => {
        const range = ranges(where)(said, 'engagement');
        if (!range) return;
        expect(range.from).toBeLessThan(range.until);
        expect(range.firstDay <= range.lastDay).toBe(true);
        expect(formatIsoDay(dayAt(range.from, where.zone))).toBe(range.firstDay);
      }),
    );
  });

  it('last-N-days are the N calendar days before today, and equal to those days as a span', () => {
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 1, max: 400 }), (where, count) => {
        const today = dayAt(Math.floor(where.now / 1000), where.zone);
        const range = ranges(where)(`last-${count}-days`);
        if (!range) return;
        expect(range.from).toBe(startOfDay(addUnits(today, 'day', -count), where.zone));
        expect(range.until).toBe(startOfDay(today, where.zone));
        const first = formatIsoDay(addUnits(today, 'day', -count));
        const last = formatIsoDay(addUnits(today, 'day', -1));
        expect(ranges(where)(`${first}..${last}`)).toMatchObject({ from: range.from, until: range.until });
      }),
    );
  });

  it('days follow each other without a gap and without an overlap', () => {
    fc.assert(
      fc.property(anywhere, ({ zone, now }) => {
        const day = dayAt(Math.floor(now / 1000), zone);
        const starts = [0, 1, 2, 3].map((count) => startOfDay(addUnits(day, 'day', count), zone));
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
        const last = startOfDay(addUnits(day, 'day', 4), zone) - 1;
        expect(formatIsoDay(dayAt(last, zone)) <= formatIsoDay(addUnits(day, 'day', 3))).toBe(true);
      }),
    );
  });

  it('next-N-days begin where tomorrow does, after now', () => {
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 2, max: 400 }), (where, count) => {
        const range = ranges(where);
        const tomorrow = range('tomorrow');
        if (!tomorrow) return;
        expect(range(`next-${count}-days`)?.from).toBe(tomorrow.from);
        expect(tomorrow.from * 1000).toBeGreaterThan(where.now);
      }),
    );
  });

  it('the months of a year are the year', () => {
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 1971, max: 2036 }), (where, year) => {
        const months = Array.from({ length: 12 }, (_, index) =>
          ranges(where)(`${year}-${String(index + 1).padStart(2, '0')}`),
        );
        const whole = ranges(where)(String(year));
        expect(months[0]?.from).toBe(whole?.from);
        expect(months[11]?.until).toBe(whole?.until);
        for (const [index, month] of months.slice(1).entries())
          expect(month?.from).toBe(months[index]?.until);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('the period before is not empty, ends where the range begins or earlier, and is never longer by more than a unit', () => {
    const words = fc.constantFrom(
      ...[
        'today',
        'yesterday',
        'this-week',
        'last-week',
        'this-month',
        'last-month',
        'this-quarter',
        'this-year',
      ],
      ...['last-30d', 'last-4w', 'last-3m', '1999-Q3', '2001', 'since:1984-06-01', '1984-01..1984-05'],
    );
    fc.assert(
      fc.property(anywhere, words, (where, said) => {
        const range = ranges(where)(said, 'engagement');
        const before =
          range &&
          previousPeriod(range, { requestedAt: where.now, weekStart: where.weekStart, hasFuture: false });
        if (!range || !before) return;
        expect(before.from).toBeLessThan(before.until);
        expect(before.until).toBeLessThanOrEqual(range.from);
        const longer = before.until - before.from - (range.until - range.from);
        expect(longer).toBeLessThanOrEqual(4 * DAY);
      }),
    );
  });
});

/** The first day of the unit that holds a day, `2026-11-20`, and of those beside it, by nothing but UTC. */
function naiveStart(day: string, unit: CalendarUnit, weekStart: WeekStart, step = 0): string {
  const date = new Date(`${day}T00:00:00Z`);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const intoWeek = (date.getUTCDay() + (weekStart === 'sunday' ? 0 : 6)) % 7;
  const start = {
    day: () => Date.UTC(year, month, date.getUTCDate() + step),
    week: () => Date.UTC(year, month, date.getUTCDate() - intoWeek + 7 * step),
    month: () => Date.UTC(year, month + step, 1),
    quarter: () => Date.UTC(year, month - (month % 3) + 3 * step, 1),
    year: () => Date.UTC(year + step, 0, 1),
  }[unit]();
  return new Date(start).toISOString().slice(0, 10);
}

describe('a running unit, however it is typed', () => {
  const units: readonly CalendarUnit[] = ['day', 'week', 'month', 'quarter', 'year'];
  const unit = fc.constantFrom(...units);

  it('has the unit before it, or the weekday, cut at the same elapsed time or at its end', () => {
    fc.assert(
      fc.property(anywhere, unit, fc.nat(4), (where, named, form) => {
        const { zone, now, weekStart } = where;
        const clock = clockOf(zone);
        const second = Math.floor(now / 1000);
        const today = clock(second);
        const start = naiveStart(today, named, weekStart);
        const last = new Date(Date.parse(naiveStart(today, named, weekStart, 1)) - DAY * 1000);
        const shorts: Partial<Record<CalendarUnit, string>> = {
          month: start.slice(0, 7),
          quarter: `${start.slice(0, 4)}-q${Math.ceil(Number(start.slice(5, 7)) / 3)}`,
          year: start.slice(0, 4),
        };
        const short = shorts[named] ?? start;
        const said =
          [
            named === 'day' ? 'today' : `this-${named}`,
            named === 'week' ? `since:${start}` : short,
            `since:${short}`,
            `since:${start}`,
            `${start}..${last.toISOString().slice(0, 10)}`,
          ][form] ?? '';
        // From one day on, several units may run: the smallest is meant then.
        const smaller = units.slice(0, units.indexOf(named));
        const isAmbiguous =
          said === `since:${start}` && smaller.some((other) => naiveStart(today, other, weekStart) === start);
        const range = ranges(where)(said, 'engagement');
        // At its first second, nothing of it has passed.
        if (!range || isAmbiguous || range.from === second) return;
        const before = previousPeriod(range, { requestedAt: now, weekStart, hasFuture: false });
        // A day is compared with the same weekday, a longer unit with the one before it.
        const [steps, next] = named === 'day' ? [-7, -6] : [-1, 0];
        const [from, end, own] = [steps, next, 0].map((step) =>
          firstSecondOf(naiveStart(today, named, weekStart, step), clock),
        );
        if (from === undefined || end === undefined || own === undefined || from < 0 || from === end) return;
        expect([said, before?.from, before?.until]).toEqual([said, from, Math.min(from + second - own, end)]);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('whatever the zone of the machine', () => {
  const ownZone = process.env.TZ;
  afterEach(() => {
    if (ownZone === undefined) delete process.env.TZ;
    else process.env.TZ = ownZone;
  });

  it.each(['America/Sao_Paulo', 'Africa/Cairo', 'Pacific/Apia', 'America/St_Johns'])('%s', (machine) => {
    process.env.TZ = machine;
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(machine);
    const now = Date.parse('2018-11-04T12:00:00Z');
    expect(
      ranges({ zone: 'America/Sao_Paulo', now, weekStart: 'sunday' })('this-week', 'engagement'),
    ).toMatchObject({
      from: Date.parse('2018-11-04T03:00:00Z') / 1000,
      firstDay: '2018-11-04',
    });
    expect(ranges({ zone: 'Europe/Berlin', now, weekStart: 'monday' })('last-2-years')).toMatchObject({
      from: Date.parse('2015-12-31T23:00:00Z') / 1000,
      until: Date.parse('2017-12-31T23:00:00Z') / 1000,
    });
  });
});
