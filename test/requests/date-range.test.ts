import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import { resolveRange } from '../../src/requests/date-range.js';
import { parseRangeWords } from '../../src/requests/range-words.js';
import { plainRequest, reportForRequest } from '../../src/requests/request.js';
import type { WeekStart } from '../../src/time/calendar.js';

const engagement = reportNamed('engagement');
const workshops = reportNamed('workshops');

/** A Friday, 11:09:30 in Berlin. */
const friday = Date.parse('2026-11-20T10:09:30.750Z');

function resolve(
  words: string,
  { report = engagement, now = friday, zone = 'Europe/Berlin', weekStart = 'monday' as WeekStart } = {},
) {
  const resolved = resolveRange(words, report, now, zone, weekStart);
  if (!resolved.ok) return resolved.refusal.reason;
  const range = resolved.value;
  const instant = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
  return `${instant(range.from)} ${instant(range.until)} ${range.firstDay} ${range.lastDay}`;
}

describe('what ends before now', () => {
  it.each([
    ['yesterday', '2026-11-18T23:00:00Z 2026-11-19T23:00:00Z 2026-11-19 2026-11-19'],
    ['last-week', '2026-11-08T23:00:00Z 2026-11-15T23:00:00Z 2026-11-09 2026-11-15'],
    ['last-1-week', '2026-11-08T23:00:00Z 2026-11-15T23:00:00Z 2026-11-09 2026-11-15'],
    ['last-2-weeks', '2026-11-01T23:00:00Z 2026-11-15T23:00:00Z 2026-11-02 2026-11-15'],
    ['last-month', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z 2026-10-01 2026-10-31'],
    ['last-3m', '2026-07-31T22:00:00Z 2026-10-31T23:00:00Z 2026-08-01 2026-10-31'],
    ['last-quarter', '2026-06-30T22:00:00Z 2026-09-30T22:00:00Z 2026-07-01 2026-09-30'],
    ['last-2-quarters', '2026-03-31T22:00:00Z 2026-09-30T22:00:00Z 2026-04-01 2026-09-30'],
    ['last-year', '2024-12-31T23:00:00Z 2025-12-31T23:00:00Z 2025-01-01 2025-12-31'],
    ['last-2-years', '2023-12-31T23:00:00Z 2025-12-31T23:00:00Z 2024-01-01 2025-12-31'],
    ['last-30-days', '2026-10-20T22:00:00Z 2026-11-19T23:00:00Z 2026-10-21 2026-11-19'],
    ['2026-03-05', '2026-03-04T23:00:00Z 2026-03-05T23:00:00Z 2026-03-05 2026-03-05'],
    ['2026-03', '2026-02-28T23:00:00Z 2026-03-31T22:00:00Z 2026-03-01 2026-03-31'],
    ['2026-Q1', '2025-12-31T23:00:00Z 2026-03-31T22:00:00Z 2026-01-01 2026-03-31'],
    ['2025', '2024-12-31T23:00:00Z 2025-12-31T23:00:00Z 2025-01-01 2025-12-31'],
    ['2026-03-01..2026-03-31', '2026-02-28T23:00:00Z 2026-03-31T22:00:00Z 2026-03-01 2026-03-31'],
    ['2025-Q4..2026-02', '2025-09-30T22:00:00Z 2026-02-28T23:00:00Z 2025-10-01 2026-02-28'],
  ])('%s is %s', (words, range) => expect(resolve(words)).toBe(range));
});

describe('what ends now, in whole seconds', () => {
  const now = '2026-11-20T10:09:30Z';
  it.each([
    ['today', `2026-11-19T23:00:00Z ${now} 2026-11-20 2026-11-20`],
    ['this-week', `2026-11-15T23:00:00Z ${now} 2026-11-16 2026-11-20`],
    ['this-month', `2026-10-31T23:00:00Z ${now} 2026-11-01 2026-11-20`],
    ['this-quarter', `2026-09-30T22:00:00Z ${now} 2026-10-01 2026-11-20`],
    ['this-year', `2025-12-31T23:00:00Z ${now} 2026-01-01 2026-11-20`],
    ['since:2026-03-05', `2026-03-04T23:00:00Z ${now} 2026-03-05 2026-11-20`],
    ['since:2026-Q3', `2026-06-30T22:00:00Z ${now} 2026-07-01 2026-11-20`],
    ['since:2025', `2024-12-31T23:00:00Z ${now} 2025-01-01 2026-11-20`],
  ])('%s is %s', (words, range) => expect(resolve(words)).toBe(range));
});

describe('the range of due dates', () => {
  const report = reportForRequest({ ...plainRequest('assignments'), view: 'due' });
  const now = '2026-11-20T10:09:30Z';
  it.each([
    ['7-days-from-now', `${now} 2026-11-26T23:00:00Z 2026-11-20 2026-11-26`],
    ['today', '2026-11-19T23:00:00Z 2026-11-20T23:00:00Z 2026-11-20 2026-11-20'],
    ['this-week', '2026-11-15T23:00:00Z 2026-11-22T23:00:00Z 2026-11-16 2026-11-22'],
    ['next-week', '2026-11-22T23:00:00Z 2026-11-29T23:00:00Z 2026-11-23 2026-11-29'],
    ['next-14-days', '2026-11-20T23:00:00Z 2026-12-04T23:00:00Z 2026-11-21 2026-12-04'],
    ['since:2026-11-02', `2026-11-01T23:00:00Z ${now} 2026-11-02 2026-11-20`],
    ['since:2027', 'since-ahead'],
  ])('%s is %s', (words, range) => expect(resolve(words, { report })).toBe(range));

  it('has its default in no other report', () => {
    expect(report.range?.defaultWords).toBe('7-days-from-now');
    expect(parseRangeWords('7-days-from-now').ok).toBe(false);
  });
});

describe('what is open', () => {
  const report = reportForRequest({ ...plainRequest('assignments'), view: 'overdue' });
  const windowAt = (now: string, zone: string) =>
    resolve('since-last-year', { report, now: Date.parse(now), zone }).split(' ')[0];

  it.each([
    // The same second is of two years. Clocks go back and forth in between, and nothing moves.
    ['2026-12-31T22:59:59Z', 'Europe/Berlin', '2024-12-31T23:00:00Z'],
    ['2026-12-31T23:00:00Z', 'Europe/Berlin', '2025-12-31T23:00:00Z'],
    ['2026-12-31T23:00:00Z', 'America/New_York', '2025-01-01T05:00:00Z'],
    ['2027-01-01T05:00:00Z', 'America/New_York', '2026-01-01T05:00:00Z'],
    ['2026-12-31T11:00:00Z', 'Pacific/Auckland', '2025-12-31T11:00:00Z'],
    ['2026-12-31T10:59:59Z', 'Pacific/Auckland', '2024-12-31T11:00:00Z'],
    ['2026-06-30T12:00:00Z', 'Europe/Berlin', '2024-12-31T23:00:00Z'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2024-12-31T23:00:00Z'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2024-12-31T23:00:00Z'],
  ])('at %s in %s was assigned since %s', (now, zone, from) => expect(windowAt(now, zone)).toBe(from));

  it('cannot be typed', () => {
    expect(parseRangeWords('since-last-year').ok).toBe(false);
  });
});

describe('assignments in an open state', () => {
  it.each([
    [['overdue'], 'since-last-year'],
    [['completed', 'due-soon'], 'since-last-year'],
    [['completed', 'late'], 'last-90-days'],
    [undefined, 'last-90-days'],
  ])('%j cover %s', (states, words) => {
    expect(reportForRequest({ ...plainRequest('assignments'), states }).range?.defaultWords).toBe(words);
  });

  it('have no future but by due date, and no other report covers a year', () => {
    const states = ['not-completed'];
    expect(reportForRequest({ ...plainRequest('assignments'), states }).range?.hasFuture).toBe(false);
    const byDueDate = { ...plainRequest('assignments'), states, dateField: 'due_date' };
    expect(reportForRequest(byDueDate).range?.hasFuture).toBe(true);
    expect(reportForRequest({ ...plainRequest('tracks'), states }).range?.defaultWords).toBe('last-week');
  });
});

describe('a report with a future', () => {
  it.each([
    ['today', '2026-11-19T23:00:00Z 2026-11-20T23:00:00Z 2026-11-20 2026-11-20'],
    ['tomorrow', '2026-11-20T23:00:00Z 2026-11-21T23:00:00Z 2026-11-21 2026-11-21'],
    ['this-week', '2026-11-15T23:00:00Z 2026-11-22T23:00:00Z 2026-11-16 2026-11-22'],
    ['this-month', '2026-10-31T23:00:00Z 2026-11-30T23:00:00Z 2026-11-01 2026-11-30'],
    ['this-quarter', '2026-09-30T22:00:00Z 2026-12-31T23:00:00Z 2026-10-01 2026-12-31'],
    ['this-year', '2025-12-31T23:00:00Z 2026-12-31T23:00:00Z 2026-01-01 2026-12-31'],
    ['next-week', '2026-11-22T23:00:00Z 2026-11-29T23:00:00Z 2026-11-23 2026-11-29'],
    ['next-month', '2026-11-30T23:00:00Z 2026-12-31T23:00:00Z 2026-12-01 2026-12-31'],
    ['next-1-days', '2026-11-20T23:00:00Z 2026-11-21T23:00:00Z 2026-11-21 2026-11-21'],
    ['next-7-days', '2026-11-20T23:00:00Z 2026-11-27T23:00:00Z 2026-11-21 2026-11-27'],
    ['2027-Q1', '2026-12-31T23:00:00Z 2027-03-31T22:00:00Z 2027-01-01 2027-03-31'],
    ['9999', '9998-12-31T23:00:00Z 9999-12-31T23:00:00Z 9999-01-01 9999-12-31'],
    ['since:2026-11-01', '2026-10-31T23:00:00Z 2026-11-20T10:09:30Z 2026-11-01 2026-11-20'],
    ['since:2026-12-01', 'since-ahead'],
  ])('%s is %s', (words, range) => expect(resolve(words, { report: workshops })).toBe(range));
});

describe('weeks begin when the settings say', () => {
  it.each([
    ['this-week', '2026-11-15T05:00:00Z 2026-11-20T10:09:30Z 2026-11-15 2026-11-20'],
    ['last-week', '2026-11-08T05:00:00Z 2026-11-15T05:00:00Z 2026-11-08 2026-11-14'],
  ])('on a Sunday, %s is %s', (words, range) => {
    expect(resolve(words, { weekStart: 'sunday', zone: 'America/New_York' })).toBe(range);
  });

  it('on a Monday, the Sunday is the last day', () => {
    const sunday = Date.parse('2026-11-22T12:00:00Z');
    expect(resolve('this-week', { now: sunday, zone: 'UTC' })).toContain('2026-11-16T00:00:00Z');
    expect(resolve('this-week', { now: sunday, zone: 'UTC', weekStart: 'sunday' })).toContain(
      '2026-11-22T00:00:00Z',
    );
  });
});

describe('zones', () => {
  const march = Date.parse('2026-03-31T12:00:00Z');
  it.each([
    ['a day of 23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z 2026-03-29T22:00:00Z'],
    ['a day of 25 hours', 'America/New_York', '2025-11-02', '2025-11-02T04:00:00Z 2025-11-03T05:00:00Z'],
    ['a day of 23.5 hours', 'Australia/Lord_Howe', '2025-10-05', '2025-10-04T13:30:00Z 2025-10-05T13:00:00Z'],
    [
      'no midnight in São Paulo',
      'America/Sao_Paulo',
      '2018-11-04',
      '2018-11-04T03:00:00Z 2018-11-05T02:00:00Z',
    ],
    ['the day before it', 'America/Sao_Paulo', '2018-11-03', '2018-11-03T03:00:00Z 2018-11-04T03:00:00Z'],
    ['no midnight in Cairo', 'Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00Z 2024-04-26T21:00:00Z'],
    ['no midnight in Beirut', 'Asia/Beirut', '2025-03-30', '2025-03-29T22:00:00Z 2025-03-30T21:00:00Z'],
    [
      'a midnight that comes twice',
      'America/Havana',
      '2025-11-02',
      '2025-11-02T04:00:00Z 2025-11-03T05:00:00Z',
    ],
    ['an evening that comes twice', 'Asia/Beirut', '2025-10-25', '2025-10-24T21:00:00Z 2025-10-25T22:00:00Z'],
    [
      'the day before one that was skipped',
      'Pacific/Apia',
      '2011-12-29',
      '2011-12-29T10:00:00Z 2011-12-30T10:00:00Z',
    ],
    ['the day after it', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z 2011-12-31T10:00:00Z'],
    ['an offset with seconds', 'Africa/Monrovia', '1971-06-01', '1971-06-01T00:44:30Z 1971-06-02T00:44:30Z'],
    ['UTC', 'UTC', '2026-03-29', '2026-03-29T00:00:00Z 2026-03-30T00:00:00Z'],
  ])('%s', (_case, zone, day, range) => {
    expect(resolve(day, { zone, now: march })).toBe(`${range} ${day} ${day}`);
  });

  it('counts days of the calendar over a day that was skipped', () => {
    const now = Date.parse('2012-01-01T12:00:00+14:00');
    expect(resolve('last-3-days', { zone: 'Pacific/Apia', now })).toBe(
      '2011-12-29T10:00:00Z 2011-12-31T10:00:00Z 2011-12-29 2011-12-31',
    );
  });
});

describe('refused', () => {
  const at = (now: string) => ({ now: Date.parse(now), zone: 'UTC' });
  it.each([
    ['today at midnight', 'today', at('2026-11-20T00:00:00.999Z'), 'empty'],
    ['this-week at its first second', 'this-week', at('2026-11-16T00:00:00.999Z'), 'empty'],
    ['since: today at midnight', 'since:2026-11-20', at('2026-11-20T00:00:00Z'), 'empty'],
    ['a skipped day', '2011-12-30', { zone: 'Pacific/Apia' }, 'empty'],
    [
      'yesterday, when it was skipped',
      'yesterday',
      { zone: 'Pacific/Apia', now: Date.parse('2011-12-31T12:00:00+14:00') },
      'empty',
    ],
    ['the future', '2026-11-21', {}, 'future'],
    ['tomorrow', 'tomorrow', {}, 'future'],
    ['next-week', 'next-week', {}, 'future'],
    ['next-9-days', 'next-9-days', {}, 'future'],
    ['next year', '2027', {}, 'future'],
    ['since: the future', 'since:2026-12', {}, 'future'],
    ['the first day of 1970 east of UTC', '1970-01-01', {}, 'before-1970'],
    ['more days than since 1970', 'last-20778-days', at('2026-11-20T12:00:00Z'), 'before-1970'],
    ['more years than since 1970', 'last-99999-years', {}, 'before-1970'],
    ['an end before its start', '2026-03-31..2026-03-01', {}, 'backwards'],
    ['no such date', '2026-02-30', {}, 'no-such-date'],
    ['none of something', 'last-0-days', {}, 'count'],
    ['no range at all', 'fortnight', {}, 'not-a-range'],
    ['any range for assessments', 'last-week', { report: reportNamed('assessments') }, 'no-range'],
  ])('%s', (_case, words, options, reason) => expect(resolve(words, options)).toBe(reason));

  it.each([
    [
      'today a second later',
      'today',
      at('2026-11-20T00:00:01Z'),
      '2026-11-20T00:00:00Z 2026-11-20T00:00:01Z',
    ],
    ['the running month', '2026-11', {}, '2026-10-31T23:00:00Z 2026-11-30T23:00:00Z'],
    ['the running year', '2026', {}, '2025-12-31T23:00:00Z 2026-12-31T23:00:00Z'],
    [
      'a range that only ends in the future',
      '2026-11-20..2030',
      {},
      '2026-11-19T23:00:00Z 2030-12-31T23:00:00Z',
    ],
    [
      'the first day of 1970 in UTC',
      '1970-01-01',
      { zone: 'UTC' },
      '1970-01-01T00:00:00Z 1970-01-02T00:00:00Z',
    ],
    [
      'as many days as since 1970',
      'last-20777-days',
      at('2026-11-20T12:00:00Z'),
      '1970-01-01T00:00:00Z 2026-11-20T00:00:00Z',
    ],
  ])('but not %s', (_case, words, options, range) => expect(resolve(words, options)).toContain(range));
});
