import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { allReports, reportNamed } from '../../src/catalogue/index.js';
import { reportFiguresOf } from '../../src/figures/reports/count-report.js';
import { findings } from '../../src/figures/reports/findings.js';
import { formatTargetOf } from '../../src/figures/summary/target.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { answerQuery, resolveRanges } from '../../src/runner/queries.js';
import { propertyRuns } from '../property-runs.js';
import { figuresOf } from './fixed-answers.js';
import { dayIn } from './naive/row.js';

const day = 86_400_000;
const week = 7 * day;

interface Learner {
  readonly person: number;
  readonly isDone: boolean;
  /** Milliseconds before now; absent: no date. */
  readonly doneAgo?: number | undefined;
  readonly isDayOnly: boolean;
}

const anyLearner: fc.Arbitrary<Learner> = fc.record({
  person: fc.integer({ min: 1, max: 45 }),
  isDone: fc.boolean(),
  doneAgo: fc.option(
    fc.oneof(
      fc.integer({ min: -2 * day, max: 60 * day }),
      fc.constantFrom(0, 28 * day, 28 * day + 1, 28 * day - 1, 27 * day),
    ),
    { nil: undefined },
  ),
  isDayOnly: fc.boolean(),
});

interface Case {
  readonly report: 'assignments' | 'tracks';
  readonly learners: readonly Learner[];
  readonly percent: number;
  readonly now: number;
  readonly by: string | undefined;
  readonly range: string | undefined;
  readonly zone: string;
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  report: fc.constantFrom('assignments' as const, 'tracks' as const),
  learners: fc.array(anyLearner, { maxLength: 80 }),
  percent: fc.integer({ min: 2, max: 200 }).map((halves) => halves / 2),
  now: fc.integer({ min: Date.parse('2026-06-10T00:00:00Z'), max: Date.parse('2026-11-28T23:59:00Z') }),
  by: fc.constantFrom('2026-12-31', '2026-Q4', '2026-11', '2027', '2026-08-15', undefined),
  range: fc.constantFrom('2026', 'since:2026-01', '2026-06-01..2026-12-31', 'last-90-days', undefined),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'),
});

function recordOf({ person, isDone, doneAgo, isDayOnly }: Learner, { now, report, zone }: Case) {
  const at = doneAgo === undefined ? undefined : now - doneAgo;
  const date = at === undefined ? undefined : isDayOnly ? dayIn(zone, { ms: at, wholeDay: false }) : at;
  const [status, completed] =
    report === 'tracks' ? ['track_status', 'track_completed_date'] : ['assignment_status', 'completed_date'];
  return {
    userid: `u${person}`,
    email: `u${person}@example.test`,
    [status as string]: isDone ? 'Completed' : 'In progress',
    ...(isDone && date !== undefined && { [completed as string]: date }),
  };
}

/** The request as the runner counts it, and what the answer says of the target. */
function said(one: Case) {
  const target = { percent: one.percent, ...(one.by !== undefined && { by: one.by }) };
  const request: ReportRequest = {
    ...plainRequest(one.report),
    target,
    ...(one.range !== undefined && { range: one.range }),
  };
  const asker = { id: 'U1', zone: one.zone };
  const options = {
    asker,
    requestedAt: one.now,
    scope: unlimitedScope,
    urgency: 'person' as const,
    signal: AbortSignal.abort(),
  };
  const ranges = resolveRanges(request, options, 'monday');
  const { figures: plan } = answerQuery(request, ranges, options).plan;
  if (!plan) throw new Error('An answer needs figures');
  const figures = figuresOf(
    plan,
    one.learners.map((learner) => recordOf(learner, one)),
  );
  const report = reportNamed(one.report);
  const before = 'none' as const;
  return formatTargetOf({
    report,
    request,
    asker,
    requestedAt: one.now,
    range: ranges.shown,
    figures,
    before,
  });
}

/** The same, from whole lists, with dates as texts. */
function naive(one: Case) {
  const { learners, percent, now, by, range, zone } = one;
  if (learners.length === 0) return undefined;
  const done = learners.filter(({ isDone }) => isDone);
  const points = (100 * done.length) / learners.length - percent;
  const lastDays: Readonly<Record<string, string>> = {
    '2026-Q4': '2026-12-31',
    '2026-11': '2026-11-30',
    '2027': '2027-12-31',
  };
  const lastDay = lastDays[by ?? ''] ?? by;
  const today = dayIn(zone, { ms: now, wholeDay: false });
  const hasPassed = lastDay !== undefined && lastDay < today;
  const isReached = points >= -1e-9;
  const isDated = range !== undefined && range !== 'last-90-days';
  if (!isDated || lastDay === undefined || hasPassed || isReached) return { points, hasPassed, isReached };
  const firstDay = range.startsWith('2026-06') ? '2026-06-01' : '2026-01-01';
  // The first hour of a day by trying each quarter of an hour.
  const startOf = (wanted: string) => {
    let at = Date.parse(`${wanted}T00:00:00Z`) - day;
    while (dayIn(zone, { ms: at, wholeDay: false }) < wanted) at += 900_000;
    return at;
  };
  const began = startOf(firstDay);
  const weeks = Math.min(4, (Math.floor(now / 1000) * 1000 - began) / week);
  const since = Math.max(now - 4 * week, began);
  const end = startOf(dayIn('UTC', { ms: Date.parse(`${lastDay}T12:00:00Z`) + day, wholeDay: true }));
  const recent = done.filter(({ doneAgo, isDayOnly }) => {
    if (doneAgo === undefined) return false;
    const at = now - doneAgo;
    if (!isDayOnly) return at >= Math.floor(since / 1000) * 1000 && at < (Math.floor(now / 1000) + 1) * 1000;
    const on = dayIn(zone, { ms: at, wholeDay: false });
    const first = weeks < 4 ? firstDay : dayIn(zone, { ms: since + day, wholeDay: false });
    return on >= first && on <= today;
  }).length;
  const missing = Math.ceil((percent * learners.length) / 100 - 1e-9) - done.length;
  const left = (end - now) / week;
  const tooLittle =
    weeks < 3 || new Set(learners.map(({ person }) => person)).size < 20
      ? ('too little' as const)
      : undefined;
  return {
    points,
    hasPassed,
    isReached,
    needed: missing / left,
    kept: recent / weeks,
    tooLittle,
    lead: Math.min(100, (100 * (done.length + (recent / weeks) * left)) / learners.length),
    undated: done.filter(({ doneAgo }) => doneAgo === undefined).length,
  };
}

const numberAfter = (text: string, before: RegExp) => {
  const found = new RegExp(`${before.source}(under 0\\.1|[\\d,.]*\\d)`).exec(text)?.[1];
  return found?.startsWith('under') ? 0.05 : Number(found?.replaceAll(',', ''));
};

/** Shown with a decimal below ten, else whole. */
function near(shown: number, exact: number) {
  expect(Math.abs(shown - exact)).toBeLessThanOrEqual(exact < 10 ? 0.1 : 1);
}

describe('what an answer says of a target', () => {
  test('agrees with a second computation over any rows, also where dates are missing', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const [found, expected] = [said(one), naive(one)];
        expect(found === undefined).toBe(expected === undefined);
        if (!found || !expected) return;
        const { points, hasPassed, isReached, needed } = expected;
        expect(/that day has passed/.test(found.distance)).toBe(hasPassed);
        expect(/reached/.test(found.distance)).toBe(isReached);
        if (Math.abs(points) > 1e-9) near(numberAfter(found.distance, /(?:: |, )/), Math.abs(points));
        expect(found.pace === undefined).toBe(needed === undefined);
        if (found.pace === undefined || needed === undefined) return;
        const shown = numberAfter(found.pace, /needs /);
        near(shown, needed);
        // Rounded up, so that it is enough.
        expect(shown).toBeGreaterThanOrEqual(needed - 1e-6);
        expect(/Too little/.test(found.pace)).toBe(expected.tooLittle !== undefined);
        if (expected.tooLittle) return;
        near(numberAfter(found.pace, /had /), expected.kept);
        const lead = numberAfter(found.pace, /leads to (?:over |under )?/);
        expect(Math.abs(lead - expected.lead)).toBeLessThanOrEqual(1);
        expect(found.notes.join()).toContain(expected.undated > 0 ? 'no date' : '');
        expect(found.notes).toHaveLength(expected.undated > 0 ? 1 : 0);
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('is about the first figure that the finding has, a rate of all rows', () => {
    for (const { name, mainRate } of allReports) {
      const [first] = findings[name].figures;
      expect([name, mainRate]).toEqual([name, name === 'completions' ? undefined : first?.id]);
      if (mainRate === undefined) continue;
      const plan = { report: name, people: false, now: 0, smallestGroup: 1, zone: 'UTC' };
      expect(
        reportFiguresOf(plan)
          .rules(plan)
          .map(({ id }) => id),
      ).toContain(mainRate);
    }
  });

  test.each([
    [78, '2026-12-31', 'Target 95% by 31 Dec 2026: 17 points to go'],
    [95, '2026-12-31', 'Target 95% by 31 Dec 2026: reached'],
    [97, '2026-12-31', 'Target 95% by 31 Dec 2026: reached, 2 points above'],
    [97, undefined, 'Target 95%: reached, 2 points above'],
    [94, '2026-05', 'Target 95% by 31 May 2026: that day has passed, 1 point short'],
    [96, '2026-05', 'Target 95% by 31 May 2026: that day has passed, and it is reached, 1 point above'],
  ])('%i of 100 by %s', (completed, by, distance) => {
    const learners = Array.from({ length: 100 }, (_, index) => ({
      person: index,
      isDone: index < completed,
      doneAgo: (index % 40) * day + 1000,
      isDayOnly: false,
    }));
    const now = Date.parse('2026-11-19T11:00:00Z');
    const found = said({ report: 'assignments', learners, percent: 95, now, by, range: '2026', zone: 'UTC' });
    expect(found?.distance).toBe(distance);
    if (completed === 78)
      expect(found?.pace).toBe(
        'It needs 2.8 completions a week until then, and had 14 a week in the last four weeks, which leads to 100%, enough for the target.',
      );
  });
});
