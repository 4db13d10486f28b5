import { describe, expect, test } from 'vitest';
import type { Comparison, Figure, FigureValue } from '../../../src/figures/result.js';
import {
  type Change,
  changesById,
  comparableNumbers,
  formatChange,
  notReached,
} from '../../../src/figures/summary/changes.js';
import { formatComparison } from '../../../src/figures/summary/notes.js';
import { formatSummary } from '../../../src/figures/summary/summary.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { resultOf, weekBefore } from '../fixed-answers.js';

function figure(value: FigureValue, compared: Comparison = 'period-before'): { figures: readonly Figure[] } {
  return { figures: [{ id: 'one', label: 'One', value, compared }] };
}

/** The value and its change, as in a summary. */
function said(before: FigureValue, now: FigureValue): string | undefined {
  const facts = resultOf(plainRequest('engagement'), []);
  const [{ value = '', change } = {}] = formatSummary(
    {
      ...facts,
      figures: { ...facts.figures, ...figure(now) },
      before: { figures: comparableNumbers(figure(before), ['period-before']), range: weekBefore },
    },
    { withPeople: false },
  ).figures;
  return change && plain(`${value}, ${change.long}`);
}

/** With blanks in place of no-break spaces. */
const plain = (text: string) => text.replaceAll('\u00a0', ' ');

const count = (many: number): FigureValue => ({ kind: 'count', count: many });
const rate = (part: number, whole: number): FigureValue => ({ kind: 'rate', part, whole });
const average = (sum: number, over: number): FigureValue => ({ kind: 'average', sum, over, unit: 'rating' });
const time = (hours: number): FigureValue => ({ kind: 'duration', seconds: 3600 * hours });
const days = (value: number): FigureValue => ({ kind: 'median', value, over: 9, unit: 'days' });
const open: FigureValue = { kind: 'median', value: null, over: 9, unit: 'days' };
const score = (value: number): FigureValue => ({ kind: 'median', value, over: 9, unit: 'points' });
const perDay = (many: number): FigureValue => ({ kind: 'per-day', count: many, days: 10 });

describe('a change in words, beside its value', () => {
  test.each([
    [count(340), count(381), '381, up 12% from 340'],
    [count(340), count(323), '323, down 5% from 340'],
    [count(5), count(5), '5, no change'],
    [count(70), count(0), '0, down 100% from 70'],
    [count(10), count(11), '11, up 10% from 10'],
    // A percentage of fewer than ten means little.
    [count(9), count(11), '11, up 2 from 9'],
    [count(1), count(900), '900, up 899 from 1'],
    [count(3), count(0), '0, down 3 from 3'],
    // Less than a percent of fewer than a thousand is said in numbers.
    [count(35), count(38), '38, up 9% from 35'],
    [count(300), count(301), '301, up 1 from 300'],
    [count(2000), count(2030), '2,030, up 1.5% from 2,000'],
    // More than tenfold is a multiple.
    [count(10), count(100), '100, up 900% from 10'],
    [count(10), count(101), '101, 10 times as many, from 10'],
    [count(76), count(4705), '4,705, 62 times as many, from 76'],
    [time(0.5), time(38.5), '38.5 hours, 77 times as much, from 30 minutes'],
    [count(0), count(7), '7, new'],
    [time(0), time(3), '3 hours, new'],
    [perDay(10), perDay(25), '2.5 (over 10 days), up 150% from 1'],
    [perDay(5), perDay(25), '2.5 (over 10 days), up 2.0 from 0.5'],
    [
      { kind: 'per-day', count: 1, days: 365 },
      { kind: 'per-day', count: 2, days: 365 },
      '0.0055 (over 365 days), up 0.0028 from 0.0027',
    ],
    [score(0.5), score(0.625), '0.625 (from 9 scores), up 0.125 from 0.500'],
    [rate(75, 100), rate(78, 100), '78% (78 of 100), up 3 points from 75% (75 of 100)'],
    [rate(75, 100), rate(76, 100), '76% (76 of 100), up 1 point from 75% (75 of 100)'],
    [rate(0, 100), rate(12, 100), '12% (12 of 100), up 12 points from 0% (0 of 100)'],
    // Tenths of a point only where one person can move them.
    [rate(340, 380), rate(341, 380), '90% (341 of 380), up 1 point from 89% (340 of 380)'],
    [rate(399, 400), rate(400, 400), '100% (400 of 400), up 1 point from over 99% (399 of 400)'],
    [rate(779, 1000), rate(780, 1000), '78% (780 of 1,000), up 0.1 points from 77.9% (779 of 1,000)'],
    [rate(78_001, 100_000), rate(78_004, 100_000), '78% (78,004 of 100,000), no change'],
    // Shares of few are compared by their counts.
    [rate(1, 4), rate(2, 5), '40% (2 of 5), after 1 of 4'],
    [rate(1, 3), rate(0, 300), '0% (0 of 300), after 1 of 3'],
    [rate(1, 2), rate(2, 4), '50% (2 of 4), no change'],
    [average(8, 2), average(17, 4), '4.3 (from 4 ratings), up 0.3 from 4.0'],
    [average(400, 100), average(425, 100), '4.25 (from 100 ratings), up 0.25 from 4.00'],
    [average(8, 2), average(9, 2), '4.5 (from 2 ratings), up 0.5 from 4.0'],
    [time(1000), time(1250), '1,250 hours, up 25% from 1,000 hours'],
    [time(7.5), time(9), '9.0 hours, up 20% from 7.5 hours'],
    [time(150), time(99.5), '99.5 hours, down 34% from 150.0 hours'],
    [days(3), days(2.5), '2.5 days (from 9 values), down 0.5 days from 3.0 days'],
    [days(1), days(4), '4 days (from 9 values), up 3 days from 1 day'],
    [days(3), open, 'not reached (from 9 values), after 3 days'],
    [open, days(1), '1 day (from 9 values), after not reached'],
    [open, open, 'not reached (from 9 values), no change'],
  ] as const)('%j to %j: %s', (before, now, words) => expect(said(before, now)).toBe(words));
});

describe('no change is shown', () => {
  test.each([
    ['for a rate of nothing', rate(0, 0), rate(1, 2)],
    ['for an average of nothing', average(0, 0), average(4, 1)],
    ['for a median of nothing', { kind: 'median', value: null, over: 0, unit: 'days' }, days(3)],
    [
      'where people were too many to count',
      { kind: 'people', count: 10, moreThan: true },
      { kind: 'people', count: 9, moreThan: false },
    ],
    ['for what is not known', { kind: 'unknown' }, { kind: 'unknown' }],
  ] as const)('%s', (_, before, now) => expect(said(before, now)).toBeUndefined());

  test('for a figure that was not there before', () => {
    expect(changesById(figure(count(2)), { periodBefore: {}, lastRun: {} }).size).toBe(0);
  });

  test('for a figure that is compared with nothing', () => {
    const earlier = { one: 1 };
    expect(changesById(figure(count(2), 'nothing'), { periodBefore: earlier, lastRun: earlier }).size).toBe(
      0,
    );
  });
});

test('a share without its earlier counts, as older versions kept it, changes by points', () => {
  const change = changesById(figure(rate(3, 10)), { periodBefore: { one: 25 } }).get('one') as Change;
  expect(plain(formatChange(change).long)).toBe('up 5 points from 25%');
});

describe('what a figure is compared with', () => {
  const earlier = { periodBefore: { one: 1 }, lastRun: { one: 2 } };

  test.each([
    ['period-before', 1],
    ['equal-age', 1],
    ['last-run', 2],
  ] as const)('%s: %i', (compared, before) => {
    expect(changesById(figure(count(5), compared), earlier).get('one')?.before.value).toBe(before);
  });

  test('keeps only the numbers of figures with that comparison', () => {
    expect(comparableNumbers(figure(rate(1, 4), 'last-run'), ['last-run'])).toEqual({ one: 25, 'one/of': 4 });
    expect(comparableNumbers(figure(rate(1, 4), 'equal-age'), ['last-run'])).toEqual({});
    expect(comparableNumbers(figure(rate(0, 0), 'last-run'), ['last-run'])).toEqual({});
    const stored = JSON.parse(JSON.stringify(comparableNumbers(figure(open, 'last-run'), ['last-run'])));
    expect(changesById(figure(days(3), 'last-run'), { lastRun: stored }).get('one')?.before.value).toBe(
      notReached,
    );
  });
});

function formatted(before: FigureValue, now: FigureValue) {
  const change = changesById(figure(now), {
    periodBefore: comparableNumbers(figure(before), ['period-before']),
  });
  return formatChange(change.get('one') as Change);
}

test.each([
  [count(340), count(381)],
  [count(9), count(11)],
  [count(12), count(372)],
  [rate(75, 100), rate(78, 100)],
  [time(7.5), time(9)],
  [time(1000), time(1001)],
  [time(0.5), time(38.5)],
  [days(3), days(2.5)],
  [days(3), open],
  [score(70), score(71)],
  [perDay(80), perDay(92)],
])('no line can end between a number and its sign or unit: %j to %j', (before, now) => {
  const { short, words, long } = formatted(before, now);
  for (const text of [short, words, long])
    expect(text).not.toMatch(/[▲▼+-] |\d (?:points?|days?|hours?|minutes?|seconds?|times)\b|under \d/);
  if (/[▲▼]/.test(short)) expect(short).not.toContain(' ');
});

describe('a change in fewer words', () => {
  const short = (before: FigureValue, now: FigureValue) => {
    const words = formatted(before, now);
    return plain(`${words.short} | ${words.words}`);
  };

  test.each([
    [count(340), count(381), '▲ 12% | up 12%'],
    [rate(30, 100), rate(279, 1000), '▼ 2 points | down 2 points from 30 of 100'],
    [rate(3, 10), rate(279, 1000), 'after 3 of 10 | after 3 of 10'],
    [count(4), count(6), '▲ 2 | up 2'],
    [count(12), count(372), '31 times as many | 31 times as many'],
    [count(0), count(6), 'new | new'],
    [count(6), count(6), 'no change | no change'],
    [count(100_000), count(100_001), '▲ 1 | up 1'],
    [time(1000), time(1001), '▲ under 1% | up under 1%'],
    [days(3), days(4), '▲ 1 day | up 1 day'],
    [time(7.5), time(9), '▲ 20% | up 20%'],
    [score(70), score(71), '▲ 1 | up 1'],
  ] as const)('%j to %j: %s', (before, now, words) => expect(short(before, now)).toBe(words));
});

describe('the text of a comparison', () => {
  const compared = (report: 'assignments' | 'assessments' | 'engagement' | 'workshops', more: object) => {
    const { short, long } = formatComparison({ ...resultOf(plainRequest(report), []), ...more });
    return [short, ...long].join(' | ');
  };
  const takenAt = Date.parse('2026-11-13T11:00:00Z');
  const lastRun = { figures: {}, takenAt, of: 'asker' };

  test('the period before', () => {
    expect(compared('engagement', { before: { figures: {}, range: weekBefore } })).toBe(
      'Compared with 2–8 Nov 2026 | Compared with 2–8 Nov 2026.',
    );
  });

  test('a single day with the same weekday a week before', () => {
    const on = (day: string) => {
      const from = Date.parse(`${day}T00:00:00Z`) / 1000;
      return { words: day, zone: 'UTC', from, until: from + 86_400, firstDay: day, lastDay: day };
    };
    const days = { range: on('2026-11-19'), before: { figures: {}, range: on('2026-11-12') } };
    expect(compared('engagement', days)).toMatch(/^Compared with Thu 12 Nov 2026, a week before \|/);
  });

  test('at the same age, and the last run beside it', () => {
    const before = { figures: {}, range: weekBefore, asOf: takenAt };
    expect(compared('assignments', { before })).toBe(
      'Compared with 2–8 Nov 2026 at the same age | Compared with 2–8 Nov 2026 at the same age, as it stood on Fri 13 Nov 2026, 12:00.',
    );
    expect(compared('assignments', { before, lastRun })).toContain(
      'Figures of now are compared with the last run on Fri 13 Nov 2026, 12:00.',
    );
    expect(compared('assignments', { before: 'undated' })).toContain('have no completed date');
  });

  test('when the period before was read, where it was not with the answer', () => {
    const readOn = (readAt: string) => ({ figures: {}, range: weekBefore, readAt: Date.parse(readAt) });
    const sameDay = readOn('2026-11-20T08:12:00Z');
    expect(compared('engagement', { before: sameDay })).toBe(
      'Compared with 2–8 Nov 2026, as of 09:12 | Compared with 2–8 Nov 2026, as of 09:12.',
    );
    expect(compared('workshops', { before: sameDay, lastRun })).toMatch(
      /^Compared with 2–8 Nov 2026, as of 09:12, and the last run on Fri 13 Nov 2026 \|/,
    );
    expect(compared('engagement', { before: readOn('2026-11-19T22:50:00Z') })).toMatch(
      /^Compared with 2–8 Nov 2026, as of Thu 19 Nov, 23:50 \|/,
    );
  });

  test('the last run alone, and nothing before it', () => {
    expect(compared('assessments', { lastRun })).toBe(
      'Compared with the last run on Fri 13 Nov 2026 | Compared with the last run on Fri 13 Nov 2026, 12:00.',
    );
    expect(compared('assessments', {})).toBe(' | Nothing to compare with yet: this is the first run here.');
  });

  describe('across a New Year', () => {
    // Overdue, and due next week.
    const dues = ['2026-11-01', '2026-11-02', '2026-11-24', '2026-11-25'];
    const records = dues.map((due_date) => ({ due_date }));
    const open = (more: Partial<ReportRequest>, ranAt: string) => {
      const result = resultOf({ ...plainRequest('assignments'), ...more }, records, { before: records });
      const lastRun = result.lastRun && { ...result.lastRun, takenAt: Date.parse(ranAt) };
      const { finding, notes, figures } = formatSummary(
        { ...result, requestedAt: Date.parse('2026-01-02T08:00:00Z'), lastRun },
        { withPeople: false },
      );
      return { finding, notes: notes.join(), hasChange: figures.some(({ change }) => change !== undefined) };
    };

    test.each<Partial<ReportRequest>>([
      { view: 'overdue' },
      { view: 'overdue', range: 'last-week' },
      { view: 'due', range: 'last-year' },
      { states: ['not-completed'] },
      { view: 'overdue', assigned: 'last-year' },
      { states: ['not-completed'], range: 'last-90-days' },
    ])('the window moves, so nothing changes: %j', (more) => {
      // In Berlin, where the asker is, it is New Year an hour earlier than in London.
      const { finding, notes, hasChange } = open(more, '2025-12-31T22:59:59Z');
      expect(finding).not.toContain('since');
      expect(hasChange).toBe(false);
      expect(notes).toContain('the last run was before New Year');
      expect(open(more, '2025-12-31T23:00:00Z').hasChange).toBe(true);
    });

    test('of all assignments, the figures of now alone carry no change', () => {
      const result = { ...resultOf(plainRequest('assignments'), records, { before: records }) };
      const lastRun = result.lastRun && { ...result.lastRun, takenAt: Date.parse('2025-12-31T12:00:00Z') };
      const { figures } = formatSummary(
        { ...result, requestedAt: Date.parse('2026-01-02T08:00:00Z'), lastRun },
        { withPeople: false },
      );
      const changed = figures.filter(({ change }) => change !== undefined).map(({ id }) => id);
      expect(changed).toContain('assignments');
      expect(changed).not.toContain('overdue');
      expect(changed).not.toContain('not-started');
    });

    test.each<Partial<ReportRequest>>([
      { view: 'overdue', assigned: '2025' },
      { view: 'due', assigned: '2025' },
      { states: ['not-completed'], range: '2025' },
    ])('a window that was typed does not move: %j', (more) => {
      expect(open(more, '2025-12-30T12:00:00Z').hasChange).toBe(true);
    });
  });

  test('nothing is said of a period before that is still being read', () => {
    expect(compared('engagement', { before: 'not-yet' })).toBe('');
    const result = { ...resultOf(plainRequest('engagement'), [{ sessions: 1 }]), before: 'not-yet' as const };
    const words = JSON.stringify(formatSummary(result, { withPeople: false }));
    expect(words).not.toMatch(/compared|changes/i);
  });

  test.each(['late', 'failed', 'too-few', 'undated'] as const)(
    'why there are no changes is said in a channel too: %s',
    (before) => {
      const result = { ...resultOf(plainRequest('engagement'), [{ sessions: 1 }, { sessions: 0 }]), before };
      expect(formatSummary(result, { withPeople: false }).readingNotes[0]).toMatch(/^No changes: /);
    },
  );
});
