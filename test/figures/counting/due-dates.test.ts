import { describe, expect, test } from 'vitest';
import { DueDates, isDueIn, wholeDay } from '../../../src/figures/counting/dates.js';
import { resolveRange } from '../../../src/requests/date-range.js';
import { plainRequest, reportForRequest } from '../../../src/requests/request.js';
import { accepted } from '../../results.js';

/** 23:30 on Friday the 20th in New York, 04:30 on Saturday the 21st in UTC. */
const now = Date.parse('2026-11-21T04:30:00Z');
const dates = new DueDates(now, 'America/New_York');

function on(day: string): number {
  return wholeDay(Date.parse(day));
}

function at(moment: string): number {
  return Date.parse(moment);
}

describe('a due date', () => {
  test.each([
    ['a day alone is not past while it lasts in the zone', on('2026-11-20'), false],
    ['the day before is past', on('2026-11-19'), true],
    ['a moment ago is past', at('2026-11-21T04:29:59Z'), true],
    ['now is not past', at('2026-11-21T04:30:00Z'), false],
  ])('%s', (_, due, past) => expect(dates.isPast(due)).toBe(past));

  test.each([
    ['today', on('2026-11-20'), true],
    ['six days on, whose day ends within seven days', on('2026-11-26'), true],
    ['seven days on, whose day ends later', on('2026-11-27'), false],
    ['past', on('2026-11-19'), false],
    ['the last moment of the seven days', at('2026-11-28T04:29:59.999Z'), true],
    ['seven days to the moment', at('2026-11-28T04:30:00Z'), false],
  ])('is soon: %s', (_, due, soon) => expect(dates.isWithin(due, 7)).toBe(soon));

  test.each([
    ['a day alone that is today', on('2026-11-20'), true],
    ['a day alone that is tomorrow', on('2026-11-21'), false],
    ['the last moment of 24 hours', at('2026-11-22T04:29:59.999Z'), true],
    ['24 hours to the moment', at('2026-11-22T04:30:00Z'), false],
  ])('is due within a day: %s', (_, due, soon) => expect(dates.isWithin(due, 1)).toBe(soon));

  test.each([
    ['a day alone that is today', on('2026-11-20'), 0],
    ['a moment of tomorrow in the zone', at('2026-11-21T05:00:00Z'), 1],
    ['a moment of today in the zone', at('2026-11-21T04:59:59Z'), 0],
    ['a day alone that is past', on('2026-11-18'), -2],
  ])('is so many calendar days away: %s', (_, due, days) => expect(dates.daysUntil(due)).toBe(days));

  // From 23:30 on the 20th to the end of the 22nd in New York.
  const isInRange = isDueIn({
    from: now / 1000,
    until: Date.parse('2026-11-23T05:00:00Z') / 1000,
    firstDay: '2026-11-20',
    lastDay: '2026-11-22',
  });
  test.each([
    ['the first day alone, though it began before', on('2026-11-20'), true],
    ['the last day alone', on('2026-11-22'), true],
    ['the day alone before', on('2026-11-19'), false],
    ['the day alone after, whose UTC midnight lies inside', on('2026-11-23'), false],
    ['a moment before the range on its first day', at('2026-11-21T04:29:59Z'), false],
    ['its first moment', at('2026-11-21T04:30:00Z'), true],
    ['its last moment', at('2026-11-23T04:59:59Z'), true],
    ['the moment at which it ends', at('2026-11-23T05:00:00Z'), false],
  ])('is in a range: %s', (_, due, isIn) => expect(isInRange(due)).toBe(isIn));

  test.each([
    ['the same moment', at('2026-11-01T10:00:00Z'), at('2026-11-01T10:00:00Z'), true],
    ['a moment later', at('2026-11-01T10:00:01Z'), at('2026-11-01T10:00:00Z'), false],
    ['in the evening of the day alone, in the zone', at('2026-11-02T04:00:00Z'), on('2026-11-01'), true],
    ['after that day, in the zone', at('2026-11-02T05:00:00Z'), on('2026-11-01'), false],
    ['on the day alone on which it was due', on('2026-11-01'), at('2026-11-01T12:00:00Z'), true],
  ])('is met: %s', (_, done, due, met) => expect(dates.isInTime(done, due)).toBe(met));
});

describe('a day alone never shifts with the zone', () => {
  const report = reportForRequest({ ...plainRequest('assignments'), view: 'due' });
  // Clocks change at 00:00 in São Paulo, which skips a midnight, and by half an hour on Lord Howe Island.
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
  ];
  const days = [
    ['2026-10-19', '2026-10-25'],
    ['2026-03-23', '2026-03-29'],
    ['2018-10-29', '2018-11-04'],
    ['2026-12-28', '2027-01-03'],
  ] as const;

  test.each(days.flatMap(([first, last]) => zones.map((zone) => [first, last, zone] as const)))(
    'from %s to %s in %s',
    (first, last, zone) => {
      const noon = Date.parse(`${last}T12:00:00Z`);
      const range = accepted(resolveRange(`${first}..${last}`, report, noon, zone, 'monday'));
      const isDueInRange = isDueIn(range);
      const around = Array.from({ length: 11 }, (_, n) => Date.parse(first) + (n - 2) * 86_400_000);
      const held = around.filter((instant) => isDueInRange(wholeDay(instant)));
      expect(held.map((instant) => new Date(instant).toISOString().slice(0, 10))).toEqual(
        around.slice(2, 9).map((instant) => new Date(instant).toISOString().slice(0, 10)),
      );
      // It is overdue from the moment on at which the range of its day ends, by days of the calendar.
      const end = range.until * 1000;
      const day = on(last);
      expect(new DueDates(end - 1000, zone).isPast(day)).toBe(false);
      expect(new DueDates(end, zone).isPast(day)).toBe(true);
      expect(new DueDates(end, zone).momentOf(day)).toBe(end);
      expect(new DueDates(end, zone).daysSince(day)).toBe(1);
      expect(new DueDates(end, zone).daysSince(on(first))).toBe(7);
    },
  );
});

describe('days', () => {
  test.each([
    ['whole days, rounded down', at('2026-11-01T10:00:00Z'), at('2026-11-03T09:59:00Z'), 1],
    ['by the calendar where one is a day alone', on('2026-11-01'), at('2026-11-03T12:00:00Z'), 2],
    ['below zero when it was completed first', at('2026-11-02T00:00:00Z'), at('2026-11-01T23:00:00Z'), -1],
  ])('between: %s', (_, from, to, days) => expect(dates.daysBetween(from, to)).toBe(days));

  test('since a day alone, and since a moment', () => {
    expect(dates.daysSince(on('2026-11-18'))).toBe(2);
    expect(dates.daysSince(at('2026-11-18T04:31:00Z'))).toBe(2);
    expect(dates.daysSince(at('2026-11-21T04:00:00Z'))).toBe(0);
  });

  test.each([
    ['its own moment', at('2026-11-20T09:00:00Z'), '2026-11-20T09:00:00Z'],
    ['the end of its day in the zone', on('2026-11-20'), '2026-11-21T05:00:00Z'],
    ['the end of a day of 23 hours', on('2026-03-08'), '2026-03-09T04:00:00Z'],
  ])('is due by %s', (_, due, moment) => expect(dates.momentOf(due)).toBe(Date.parse(moment)));
});
