import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { reportNamed } from '../../src/catalogue/index.js';
import { isNotReached, plainNumber } from '../../src/figures/format/values.js';
import { fieldsToCount, startCounting } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { notReached } from '../../src/figures/summary/changes.js';
import { resolveRange } from '../../src/requests/date-range.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import type { Query, ReportSource } from '../../src/runner/ports.js';
import { runReport } from '../../src/runner/run-report.js';
import { propertyRuns } from '../property-runs.js';
import { plainRecord } from '../reporting-api/answer/plain-record.js';
import { isCompleted } from './naive/assignments.js';
import { uncompleted, wasDone } from './naive/earlier.js';
import { naiveFigures } from './naive/figures.js';
import { Row } from './naive/row.js';
import { answerTo, now } from './random-answers.js';

const day = 86_400_000;

function figuresOf(plan: FiguresPlan, records: readonly object[]) {
  const fields = fieldsToCount(plan);
  const reader = startCounting(plan, fields);
  for (const record of records) reader.add(plainRecord(fields, record));
  return reader.finish();
}

const flagsOf = {
  assignments: ['assignment_status', 'completed_date'],
  tracks: ['track_status', 'track_completed_date'],
} as const;

const plan = fc.record({
  report: fc.constantFrom('assignments', 'tracks', 'completions'),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland'),
  asOf: fc.integer({ min: now - 50 * day, max: now }),
  late: fc.boolean(),
  isNarrowed: fc.boolean(),
});

describe('completions counted as of an instant', () => {
  const answers = plan.chain(({ report, zone, asOf, late, isNarrowed }) => {
    const state = report === 'assignments' && late ? 'late' : 'completed';
    const whole: FiguresPlan = {
      report,
      states: isNarrowed && report !== 'completions' ? [state] : undefined,
      zone,
      asOf,
      people: false,
      smallestGroup: 1,
      figuresOnly: true,
      byAssignedDate: true,
      now,
      range: { from: now / 1000 - 60 * 86_400, until: now / 1000 - 50 * 86_400 },
    };
    return answerTo(whole).map((records) => ({ plan: whole, asOf, records }));
  });

  test('equal those of the same records at that instant', () => {
    fc.assert(
      fc.property(answers, ({ plan, asOf, records }) => {
        const flags = fieldsToCount(plan);
        const rows = records.map((record) => ({ record, row: new Row(flags, record) }));
        const then = rows.flatMap(({ record, row }) => {
          if (plan.report === 'completions') return wasDone(dateIn(row), asOf, plan.zone) ? [record] : [];
          const [status, date] = flagsOf[plan.report === 'tracks' ? 'tracks' : 'assignments'];
          if (wasDone(row.date(date), asOf, plan.zone)) return [record];
          const then = uncompleted(record, status, date);
          // Completed some time: nobody knows how long it was open, nor whether it was overdue.
          const isUndated = plan.report === 'assignments' && isCompleted(row) && !row.date(date);
          return [isUndated ? { ...then, assigned_date: null, due_date: null } : then];
        });
        const expected = naiveFigures(
          then.map((record) => new Row(flags, record)),
          { ...plan, now: asOf },
        );
        for (const { id, value, compared } of figuresOf(plan, records).figures)
          if (compared === 'equal-age' || compared === 'period-before')
            expect([id, value]).toEqual([id, expected[id]]);
      }),
      { numRuns: propertyRuns(600) },
    );
  });
});

const nested = ['completed_date', 'completed_at', 'completed_on', 'content_completed_on'];

/** The first readable date of a completion's content, else of its assignment. */
function dateIn(row: Row) {
  const dates = ['content', 'assignment'].flatMap((flag) => nested.map((name) => row.memberDate(flag, name)));
  return dates.find((date) => date !== undefined);
}

/** What somebody was assigned, and when it was completed, if it was; in milliseconds. */
interface Assigned {
  readonly assigned: number;
  readonly completed: number | undefined;
}

/** A service whose answers stand as they would at an instant: nothing after it has happened. */
function serviceAt(instant: number, all: readonly Assigned[], dated = () => true): ReportSource {
  return {
    async read({ range }: Query, { figures, fields }) {
      const { from = 0, until = 0 } = range ?? {};
      const rows = all.filter(({ assigned }) => assigned >= from * 1000 && assigned < until * 1000);
      const records = rows.flatMap(({ assigned, completed }, n) => {
        const isDone = completed !== undefined && completed <= instant;
        if (assigned > instant) return [];
        return [
          {
            assignment_status: isDone ? 'completed' : 'assigned',
            assigned_date: assigned,
            due_date: assigned + 14 * day,
            completed_date: isDone && dated() ? completed : null,
            manual_completed_by: n % 3 === 0 ? 'Somebody' : null,
          },
        ];
      });
      return {
        records: records.length,
        ...(figures ? { figures: readWith(figures, fields, records) } : {}),
      };
    },
  };
}

function readWith(plan: FiguresPlan, fields: readonly string[], records: readonly object[]) {
  const reader = startCounting(plan, fields);
  for (const record of records) reader.add(plainRecord(fields, record));
  return reader.finish();
}

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
/** Weeks around clock changes, leap days and the turn of the year. */
const requestedAt = fc.oneof(
  fc.integer({ min: Date.UTC(2024, 1, 26), max: Date.UTC(2024, 3, 10) }),
  fc.integer({ min: Date.UTC(2026, 9, 20), max: Date.UTC(2027, 0, 20) }),
);
const states = fc.constantFrom(undefined, ['completed'], ['late'], ['completed', 'late']);
const words = fc.constantFrom(
  ...['last-week', 'last-month', 'last-90-days', 'last-quarter', 'this-month', 'this-quarter', 'this-year'],
  ...['yesterday', 'today', 'last-3-weeks', 'running-month', 'running-year', 'since-month'],
);
const cohort = (around: number) =>
  fc
    .array(
      fc.record({
        ago: fc.integer({ min: 0, max: 400 * day }),
        took: fc.option(fc.integer({ min: 0, max: 120 * day })),
      }),
      { minLength: 20, maxLength: 120 },
    )
    .map((rows) =>
      rows.map(({ ago, took }): Assigned => {
        const assigned = around - ago;
        return { assigned, completed: took === null ? undefined : assigned + took };
      }),
    );

function typed(rangeWords: string, requestedAt: number, zone: string): string {
  const month = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit' })
    .format(requestedAt)
    .slice(0, 7);
  return (
    { 'running-month': month, 'running-year': month.slice(0, 4), 'since-month': `since:${month}` }[
      rangeWords
    ] ?? rangeWords
  );
}

function requestFor(range: string, states?: readonly string[]): ReportRequest {
  return { ...plainRequest('assignments'), range, states };
}

function optionsFor(zone: string, requestedAt: number) {
  return {
    asker: { id: 'U1', zone },
    requestedAt,
    scope: { ...unlimitedScope, namesPeople: false },
    urgency: 'person' as const,
    signal: new AbortController().signal,
  };
}

describe('cohorts by assigned date', () => {
  test('are compared with the earlier cohort as a run on that day showed it', async () => {
    const cases = fc
      .tuple(zone, requestedAt, words, states)
      .chain(([zone, requestedAt, rangeWords, states]) =>
        cohort(requestedAt).map((all) => ({ zone, requestedAt, rangeWords, states, all })),
      );
    await fc.assert(
      fc.asyncProperty(cases, async ({ zone, requestedAt, rangeWords, states, all }) => {
        const range = typed(rangeWords, requestedAt, zone);
        const resolved = resolveRange(range, reportNamed('assignments'), requestedAt, zone, 'monday');
        if (!resolved.ok) return;
        const parts = { source: serviceAt(requestedAt, all), weekStart: 'monday' as const };
        const { before } = await runReport(requestFor(range, states), optionsFor(zone, requestedAt), parts);
        if (typeof before !== 'object') throw new Error(`${range} had nothing before it: ${before}`);
        // The day on which the earlier period was as old as the requested one is now.
        const end = Math.min(resolved.value.until * 1000, Math.floor(requestedAt / 1000) * 1000);
        const thatDay = before.range.until * 1000 + requestedAt - end;
        const then = await runReport(
          requestFor(range, states),
          { ...optionsFor(zone, thatDay), range: before.range },
          { source: serviceAt(thatDay, all), weekStart: 'monday' },
        );
        const figures = then.figures?.figures.filter(({ compared }) => compared !== 'last-run') ?? [];
        const expected = figures.flatMap(({ id, value }) => {
          const number = isNotReached(value) ? notReached : plainNumber(value);
          if (number === undefined) return [];
          return value.kind === 'rate'
            ? [
                [id, number],
                [`${id}/of`, value.whole],
              ]
            : [[id, number]];
        });
        const records = then.figures?.records;
        expect([range, before.figures]).toEqual([range, { ...Object.fromEntries(expected), records }]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  const runAt = Date.parse('2026-11-20T10:00:00Z');
  /** So many in the week before last week, all completed the day after. */
  const completedRows = (count: number) =>
    Array.from({ length: count }, (): Assigned => {
      const assigned = Date.parse('2026-11-04T10:00:00Z');
      return { assigned, completed: assigned + day };
    });

  test.each([
    [100, 1, 'object'],
    [100, 2, 'string'],
    [99, 1, 'string'],
  ])('of %i completed rows, %i without a date: %s', async (count, undated, kind) => {
    let left = undated;
    const source = serviceAt(runAt, completedRows(count), () => left-- <= 0);
    const { before } = await runReport(requestFor('last-week'), optionsFor('UTC', runAt), {
      // The answer itself has no rows, so that only the period before is without dates.
      source,
      weekStart: 'monday',
    });
    expect(before).toEqual(kind === 'string' ? 'undated' : expect.any(Object));
  });
});

describe('which figures carry a change', () => {
  const compared = (
    report: FiguresPlan['report'],
    more: Partial<Pick<FiguresPlan, 'byAssignedDate' | 'view' | 'states'>> = {},
  ) => {
    const state = { report, people: false, smallestGroup: 1, now, zone: 'UTC' };
    const plan: FiguresPlan = { ...state, ...more };
    return Object.fromEntries(figuresOf(plan, []).figures.map(({ id, compared }) => [id, compared]));
  };

  test('tracks: the number of rows alone, and what has dates by assigned date', () => {
    const state = { 'in-progress': 'last-run', stalled: 'last-run' };
    expect(compared('tracks')).toEqual({
      ...{
        enrolments: 'period-before',
        started: 'nothing',
        completed: 'nothing',
        'completion-rate': 'nothing',
      },
      ...{ 'average-progress': 'nothing', ...state },
    });
    expect(compared('tracks', { byAssignedDate: true })).toEqual({
      ...{ enrolments: 'period-before', started: 'nothing', completed: 'equal-age' },
      ...{ 'completion-rate': 'equal-age', 'average-progress': 'nothing', ...state },
    });
  });

  test.each([
    ['assessments', {}],
    ['assignments', { view: 'overdue' }],
    ['assignments', { view: 'due' }],
    ['assignments', { states: ['overdue'] }],
    ['assignments', { states: ['due-soon'] }],
    ['assignments', { states: ['not-started'] }],
    ['assignments', { states: ['in-progress'] }],
    ['assignments', { states: ['not-completed'] }],
    ['assignments', { states: ['not-started', 'completed'] }],
    ['tracks', { states: ['stalled'], byAssignedDate: true }],
    ['tracks', { states: ['not-completed', 'completed'] }],
    ['assessments', { states: ['failed'] }],
    ['workshops', { states: ['free-seats'] }],
    ['workshops', { states: ['full', 'waitlist'] }],
  ] as const)('what describes a state now goes against the last run: %s %o', (report, more) => {
    expect(new Set(Object.values(compared(report, more)))).toEqual(new Set(['last-run']));
  });

  test('what is completed goes by its dates, where the range is about the assigned date', () => {
    for (const states of [['completed'], ['late'], ['completed', 'late']])
      expect(new Set(Object.values(compared('assignments', { states })))).toEqual(
        new Set(['period-before', 'equal-age']),
      );
    expect(compared('tracks', { states: ['completed'] })).toEqual({
      enrolments: 'nothing',
      people: 'nothing',
    });
    expect(compared('tracks', { states: ['completed'], byAssignedDate: true })).toEqual({
      enrolments: 'equal-age',
      people: 'equal-age',
    });
  });

  test('activity and full workshops belong to their period', () => {
    for (const states of [['active'], ['inactive'], ['active', 'inactive']])
      expect(new Set(Object.values(compared('engagement', { states })))).toEqual(new Set(['period-before']));
    const { waiting, 'seats-booked': booked, ...others } = compared('workshops', { states: ['full'] });
    expect([waiting, booked]).toEqual(['last-run', 'last-run']);
    expect(new Set(Object.values(others))).toEqual(new Set(['period-before']));
  });
});
