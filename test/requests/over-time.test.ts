import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportNamed } from '../../src/catalogue/index.js';
import { isLeapDay, resolveRange, unitRanges, yearBefore } from '../../src/requests/date-range.js';
import { maxUnits, minUnits, overUnits, parseOver, rangeOfUnits } from '../../src/requests/over-time.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { refusalOf } from '../results.js';

const engagement = reportNamed('engagement');

/** A Friday, 11:09:30 in Berlin. */
const friday = Date.parse('2026-11-20T10:09:30.750Z');

function resolve(words: string, now = friday, zone = 'Europe/Berlin') {
  const resolved = resolveRange(words, engagement, now, zone, 'monday');
  if (!resolved.ok) throw new Error(`${words}: ${resolved.refusal.reason}`);
  return resolved.value;
}

describe('over:', () => {
  it.each([
    ['2d', { unit: 'day', count: 2 }],
    ['12W', { unit: 'week', count: 12 }],
    ['20m', { unit: 'month', count: 20 }],
    ['8q', { unit: 'quarter', count: 8 }],
  ])('takes %s', (typed, over) => expect(parseOver(typed)).toEqual({ ok: true, value: over }));

  it.each([
    ['1w', 'count', '2w'],
    ['21w', 'count', '20w'],
    ['0d', 'count', '2d'],
    ['99999999w', 'count', '20w'],
    ['12', 'not-units', '12w'],
    ['12 weeks', 'not-units', '12w'],
    ['last-6-months', 'not-units', '6m'],
    ['3y', 'not-units', '12q'],
    ['2y', 'not-units', '8q'],
    ['w', 'not-units', undefined],
    ['-3w', 'not-units', undefined],
    ['1.5w', 'not-units', undefined],
    ['12x', 'not-units', undefined],
    ['12w13w', 'not-units', undefined],
  ])('refuses %s', (typed, reason, near) =>
    expect(parseOver(typed)).toEqual({ ok: false, refusal: { reason, near } }),
  );
});

describe('beside over:', () => {
  it.each([
    ['engagement over:12w last-week', 'Keep one of them', 'engagement over:12w'],
    ['engagement since:2026-03 over:12w', 'Keep one of them', 'engagement over:12w'],
    ['engagement over:12w by:teams', 'no breakdown', 'engagement over:12w'],
    ['completions rows over:6m', 'no rows', 'completions over:6m'],
    ['assignments over:12w fields:email', 'no columns of rows', 'assignments over:12w'],
    ['assignments over:12w target:95%', 'no target', 'assignments over:12w'],
    ['engagement over:21w', 'takes 2 to 20 units', 'engagement over:20w'],
    ['engagement over:12w over:6w', 'takes one value', undefined],
    ['overdue over:12w', 'has no past', 'overdue'],
    ['engagement figure:sessions', 'Add over:', 'engagement'],
    ['engagement against:last-month', 'against:', 'engagement against:last-year'],
    ['engagement over:', 'over:', undefined],
  ])('%s is refused with the way out', (words, said, corrected) => {
    const problem = refusalOf(parseCommand(words, { savedNames: [] }));
    expect(problemMessageText(problem)).toContain(said);
    if (corrected === undefined) return;
    expect(problem.corrected).toBe(corrected);
    expect(parseCommand(corrected, { savedNames: [] }).ok).toBe(true);
  });
});

describe('units', () => {
  const daysOf = (words: string, unit: (typeof overUnits)[number], now?: number, zone?: string) =>
    unitRanges(resolve(words, now, zone), unit).map(({ range }) => range.words);

  it('are the last ended ones', () => {
    expect(daysOf('last-3-weeks', 'week')).toEqual([
      '2026-10-26..2026-11-01',
      '2026-11-02..2026-11-08',
      '2026-11-09..2026-11-15',
    ]);
    expect(daysOf('last-2-quarters', 'quarter')).toEqual([
      '2026-04-01..2026-06-30',
      '2026-07-01..2026-09-30',
    ]);
  });

  it('of a cohort have been over for one whole unit', () => {
    expect(rangeOfUnits({ unit: 'week', count: 12 }, false)).toBe('last-12-weeks');
    expect(daysOf(rangeOfUnits({ unit: 'week', count: 2 }, true), 'week')).toEqual([
      '2026-10-26..2026-11-01',
      '2026-11-02..2026-11-08',
    ]);
    expect(daysOf(rangeOfUnits({ unit: 'month', count: 2 }, true), 'month')).toEqual([
      '2026-08-01..2026-08-31',
      '2026-09-01..2026-09-30',
    ]);
  });

  it('keep the hours that clocks give and take', () => {
    const hours = unitRanges(resolve('last-5-weeks'), 'week').map(
      ({ range }) => (range.until - range.from) / 3600,
    );
    expect(hours).toEqual([168, 169, 168, 168, 168]);
  });

  it('have no day that the zone skipped', () => {
    const now = Date.parse('2012-01-02T12:00:00Z');
    expect(daysOf('last-4-days', 'day', now, 'Pacific/Apia')).toEqual([
      '2011-12-31',
      '2012-01-01',
      '2012-01-02',
    ]);
  });

  it('are adjacent, whole, and as many as asked for, in any zone and at any time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...overUnits),
        fc.integer({ min: minUnits, max: maxUnits }),
        fc.integer({ min: Date.parse('2015-01-01'), max: Date.parse('2040-01-01') }),
        fc.constantFrom('Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'),
        fc.boolean(),
        (unit, count, now, zone, isCohort) => {
          const whole = resolve(rangeOfUnits({ unit, count }, isCohort), now, zone);
          const units = unitRanges(whole, unit);
          expect(units).toHaveLength(count);
          expect(units[0]?.range.from).toBe(whole.from);
          expect(units.at(-1)?.range.until).toBe(whole.until);
          for (const [index, { range, nextEnds }] of units.entries()) {
            const next = units[index + 1];
            if (next) expect([next.range.from, next.range.until]).toEqual([range.until, nextEnds]);
            // What is asked for by its own words is the same unit.
            expect(resolve(range.words, now, zone)).toMatchObject({ from: range.from, until: range.until });
          }
          const newest = units.at(-1);
          expect((isCohort ? newest?.nextEnds : newest?.range.until) ?? 0).toBeLessThanOrEqual(now / 1000);
        },
      ),
    );
  });
});

describe('the same unit a year before', () => {
  const daysBefore = (words: string, now = friday) =>
    yearBefore(resolve(words, now), { requestedAt: now, weekStart: 'monday', hasFuture: false })?.words;

  it.each([
    ['yesterday', '2025-11-20'],
    ['2026-11-19', '2025-11-20'],
    ['last-week', '2025-11-10..2025-11-16'],
    ['2026-03', '2025-03-01..2025-03-31'],
    ['last-quarter', '2025-07-01..2025-09-30'],
    ['2025', '2024-01-01..2024-12-31'],
    ['2024-02', '2023-02-01..2023-02-28'],
    ['last-2-weeks', '2025-11-03..2025-11-16'],
    ['last-3-months', '2025-08-02..2025-11-01'],
    ['2026-03-01..2026-03-31', '2025-03-02..2025-04-01'],
    ['this-week', '2025-11-17..2025-11-21'],
    ['this-month', '2025-11-01..2025-11-20'],
    ['since:2026-11-10', '2025-11-11..2025-11-21'],
    ['1970-03', undefined],
  ])('of %s is %s', (words, before) => expect(daysBefore(words)).toBe(before));

  it('cuts a running unit at the same elapsed time', () => {
    const range = resolve('this-month');
    const before = yearBefore(range, { requestedAt: friday, weekStart: 'monday', hasFuture: false });
    expect((before?.until ?? 0) - (before?.from ?? 0)).toBe(range.until - range.from);
    // The last day of February 2028 has none before it to be cut at.
    const leap = Date.parse('2028-02-29T20:00:00Z');
    expect(daysBefore('this-month', leap)).toBe('2027-02-01..2027-02-28');
  });

  it('is none for 29 February', () => {
    expect(isLeapDay(resolve('2024-02-29'))).toBe(true);
    expect(isLeapDay(resolve('2024-02-28'))).toBe(false);
    expect(isLeapDay(resolve('2024-02'))).toBe(false);
  });
});
