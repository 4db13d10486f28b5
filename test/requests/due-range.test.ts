import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { resolveRange } from '../../src/requests/date-range.js';
import { findRefusedDueRange } from '../../src/requests/due-range.js';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { dueRangeRefusalText } from '../../src/requests/problem-messages.js';
import { nextRuns, scheduleFrom } from '../../src/schedule/next-runs.js';
import { propertyRuns } from '../property-runs.js';
import { accepted } from '../results.js';
import { anyCadence } from './random-cadence.js';

/** Friday noon in Berlin. */
const friday = Date.parse('2026-11-20T11:00Z');

function refused(words: string, cadence: string, zone = 'Europe/Berlin', report: ReportName = 'engagement') {
  const schedule = scheduleFrom(accepted(parseCadence(cadence)).cadence, zone, friday);
  const found = findRefusedDueRange({ report, range: words }, schedule, friday, 'monday');
  return found && `${found.refusal.reason} ${new Date(found.due).toISOString().slice(0, 16)}`;
}

it.each([
  [{ assigned: 'since:2026-12-24' }, 'future 2026-11-21T08:00'],
  [{ assigned: 'since:2026-10-24', range: 'next-week' }, undefined],
  [{}, undefined],
] as const)('a digest of what is due, %j', (more, expected) => {
  const schedule = scheduleFrom(accepted(parseCadence('daily 09:00')).cadence, 'Europe/Berlin', friday);
  const request = { report: 'assignments', view: 'due', ...more } as const;
  const found = findRefusedDueRange(request, schedule, friday, 'monday');
  const said = found && `${found.refusal.reason} ${new Date(found.due).toISOString().slice(0, 16)}`;
  expect(said).toBe(expected);
});

describe('a range that a due time does not have', () => {
  it.each([
    ['this-week', 'weekly mon 00:00', 'empty 2026-11-22T23:00'],
    ['this-week', 'daily 00:00', 'empty 2026-11-22T23:00'],
    ['today', 'daily 00:00', 'empty 2026-11-20T23:00'],
    ['today', 'hourly', 'empty 2026-11-20T23:00'],
    ['this-month', 'monthly 1 00:00', 'empty 2026-11-30T23:00'],
    ['this-month', 'hourly', 'empty 2026-11-30T23:00'],
    ['this-week', 'monthly 1 00:00', 'empty 2027-01-31T23:00'],
    ['this-year', 'hourly', 'empty 2026-12-31T23:00'],
    ['this-quarter', 'quarterly 1 00:00', 'empty 2026-12-31T23:00'],
    ['this-year', 'cron "0 0 1 1 *"', 'empty 2026-12-31T23:00'],
    ['since:2026-12-24', 'daily 09:00', 'future 2026-11-21T08:00'],
    ['2027-Q1', 'monthly 1 09:00', 'future 2026-12-01T08:00'],
    ['someday', 'daily 09:00', 'not-a-range 2026-11-21T08:00'],
  ])('%s, %s', (words, cadence, expected) => expect(refused(words, cadence)).toBe(expected));

  it.each([
    ['this-week', 'weekly mon 00:01'],
    ['this-week', 'weekly tue 00:00'],
    ['last-week', 'weekly mon 00:00'],
    ['today', 'hourly :15'],
    ['this-month', 'monthly 2 00:00'],
    ['since:2026-11-21', 'daily 09:00'],
    ['2026-Q4', 'daily 00:00'],
    // Far, and rare.
    ['this-year', 'cron "0 9 29 2 *"'],
  ])('%s, %s has its range each time', (words, cadence) => expect(refused(words, cadence)).toBeUndefined());

  it('is found if clocks skip midnight and the day begins later', () => {
    // Beirut’s clocks go from midnight to one o’clock on 28 March 2027, a Sunday.
    const spring = Date.parse('2027-03-26T11:00Z');
    const schedule = scheduleFrom({ kind: 'weekly', days: ['sun'], time: '00:30' }, 'Asia/Beirut', spring);
    const found = findRefusedDueRange({ report: 'engagement', range: 'today' }, schedule, spring, 'monday');
    expect(found).toEqual({
      due: Date.parse('2027-03-27T22:00Z'),
      refusal: { reason: 'empty', words: 'today' },
    });
  });

  it('does not exist for a report without a range, and depends on the first day of the week', () => {
    const sunday = scheduleFrom({ kind: 'weekly', days: ['sun'], time: '00:00' }, 'UTC', friday);
    const thisWeek = { report: 'engagement', range: 'this-week' } as const;
    expect(findRefusedDueRange(thisWeek, sunday, friday, 'sunday')?.refusal.reason).toBe('empty');
    expect(findRefusedDueRange(thisWeek, sunday, friday, 'monday')).toBeUndefined();
    expect(
      findRefusedDueRange({ report: 'assessments', range: 'today' }, sunday, friday, 'sunday'),
    ).toBeUndefined();
  });

  it('is one of the digest’s own runs; without one, its next runs have a range', () => {
    const zones = fc.constantFrom('Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'UTC');
    const ranges = fc.constantFrom('today', 'this-week', 'this-month', 'last-week', 'since:2026-12-01');
    fc.assert(
      fc.property(anyCadence, zones, ranges, (cadence, zone, range) => {
        const schedule = scheduleFrom(cadence, zone, friday);
        const found = findRefusedDueRange({ report: 'engagement', range }, schedule, friday, 'monday');
        const isRefusedAt = (due: number) =>
          !resolveRange(range, reportNamed('engagement'), due, zone, 'monday').ok;
        if (found) {
          expect(nextRuns(schedule, found.due - 1, 1)).toEqual([found.due]);
          expect(isRefusedAt(found.due)).toBe(true);
        } else if (
          cadence.kind !== 'cron' &&
          cadence.kind !== 'quarterly' &&
          cadence.kind !== 'every-weeks'
        ) {
          expect(nextRuns(schedule, friday, 20).filter(isRefusedAt)).toEqual([]);
        }
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe('the message about it', () => {
  const say = (reason: 'empty' | 'future' | 'count', words: string) =>
    dueRangeRefusalText({ reason, words }, 'engagement', 'Mon 23 Nov 2026, 00:00, Europe/Berlin');

  it.each([
    ['this-week', 'last-week'],
    ['today', 'yesterday'],
    ['this-month', 'last-month'],
  ])('%s: a later time, or %s', (words, instead) => {
    expect(say('empty', words)).toBe(
      `On Mon 23 Nov 2026, 00:00, Europe/Berlin, ${words} would be empty: nothing of it has passed by then. Choose a later time, or ${instead}.`,
    );
  });

  it('names a range that has begun, and leaves other reasons as they are', () => {
    expect(say('future', '2027-Q1')).toContain('would not have begun');
    expect(say('count', 'last-0-days')).toContain('from 1 to 99999');
  });
});
