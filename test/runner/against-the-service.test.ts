import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningReportingService } from '../../playground/reporting-service/reporting-service.js';
import { unlimitedScope } from '../../src/access/scope.js';
import { allReports, type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { isNotReached, plainNumber } from '../../src/figures/format/values.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { notReached } from '../../src/figures/summary/changes.js';
import type { ReportingApi } from '../../src/reporting-api/client.js';
import type { ReportRequest } from '../../src/requests/request.js';
import { type ReportResult, runReport } from '../../src/runner/run-report.js';
import { uncompleted, wasDone } from '../figures/naive/earlier.js';
import { naiveFigures } from '../figures/naive/figures.js';
import { Row } from '../figures/naive/row.js';
import { countedRows } from '../figures/naive/states.js';
import { ask, everyFlag, friday, startService } from '../playground/reporting-service/service.js';
import { apiOf } from '../reporting-api/api-of.js';
import { requestOf } from '../requests/request-of.js';

/* Whole runs against the reference service, computed a second time from everything that the service has. */

const zone = 'America/New_York';
let service: RunningReportingService;
let api: ReportingApi;

beforeAll(async () => {
  service = await startService({ learners: 150 });
  api = apiOf(service);
});
afterAll(async () => {
  await api.close();
  await service.stop();
});

function run(request: ReportRequest): Promise<ReportResult> {
  const options = {
    asker: { id: 'U1', zone },
    requestedAt: friday * 1000,
    rowLimit: 10_000,
    scope: unlimitedScope,
    urgency: 'person' as const,
    signal: new AbortController().signal,
  };
  return runReport(request, options, { source: api.source, weekStart: 'monday' });
}

const openStates = ['overdue', 'due-soon', 'not-started', 'in-progress', 'not-completed'];

function isOpen({ report, view, states = [] }: ReportRequest): boolean {
  return (
    view !== undefined || (report === 'assignments' && states.some((state) => openStates.includes(state)))
  );
}

/** The assigned dates that a command about open assignments looks at; undefined: those of its range. */
function windowOf(words: string, request: ReportRequest) {
  const newYear = (year: number) => Date.parse(`${year}-01-01T05:00:00Z`) / 1000;
  if (words.includes('assigned:2026')) return { from: newYear(2026), until: newYear(2027) };
  const isWindow = isOpen(request) && (request.view !== undefined || request.range === undefined);
  return isWindow ? { from: newYear(2025), until: friday } : undefined;
}

/** Every record of a range, with every field. */
async function recordsIn(request: ReportRequest, range: { from: number; until: number } | undefined) {
  const target = { assignments: 'assigned_date', completions: 'completed_date' } as Record<string, string>;
  const body = {
    ...everyFlag(request.report),
    ...(request.report in target && { range_target: request.dateField ?? target[request.report] }),
    ...(request.dateField && { range_target: request.dateField }),
    ...(isOpen(request) && { user_filter: { suspended: 'false' } }),
  };
  return ask(service, request.report, { ...range, body });
}

const flagsOf = (report: ReportName) => reportNamed(report).fields.map(({ flag }) => flag);

function planOf({ report, view, states, range: typed }: ReportRequest, { range }: ReportResult): FiguresPlan {
  return {
    report,
    view,
    states,
    dueRange: view === 'due' || (view === 'overdue' && typed !== undefined) ? range : undefined,
    people: false,
    now: friday * 1000,
    smallestGroup: 1,
    zone,
    range,
  };
}

/** The dates that tell when a row was completed. */
const doneFlags: Partial<Record<ReportName, readonly [status: string, date: string]>> = {
  assignments: ['assignment_status', 'completed_date'],
  tracks: ['track_status', 'track_completed_date'],
};

function numbersOf(figures: ReturnType<typeof naiveFigures>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([id, value]) => {
      const number = isNotReached(value) ? notReached : plainNumber(value);
      return number === undefined ? [] : [[id, number]];
    }),
  );
}

const rangeFor: Partial<Record<ReportName, string>> = {
  assignments: 'this-quarter',
  tracks: 'last-90-days on:assigned_date',
  engagement: 'last-month',
  workshops: 'this-year',
};

const commands = [
  'assignments',
  'assignments last-quarter',
  'assignments this-month',
  'assignments last-month on:due_date',
  'tracks last-month',
  'tracks last-90-days on:assigned_date',
  'completions last-month',
  'assessments',
  'engagement this-week',
  'workshops',
  'overdue',
  'overdue assigned:2026',
  'overdue last-month',
  'overdue this-week',
  'overdue 2026-Q2 assigned:2026',
  'due',
  'due last-week assigned:2026',
  'assignments only:not-completed assigned:2026',
  'due next-month',
  'due this-month',
  'assignments only:not-completed',
  'tracks last-90-days only:stalled',
  ...allReports.flatMap(({ name, states }) =>
    states.map((state) => [name, rangeFor[name], `only:${state.name}`].filter(Boolean).join(' ')),
  ),
];

describe('a run against the reference service', () => {
  it.each(commands)('counts and lists what the records say: %s', async (words) => {
    const request = requestOf(words);
    const result = await run(request);
    const records = await recordsIn(request, windowOf(words, request) ?? result.range);
    const plan = planOf(request, result);
    const rows = records.map((record) => new Row(flagsOf(request.report), record));

    const figures = Object.fromEntries(result.figures?.figures.map(({ id, value }) => [id, value]) ?? []);
    expect(figures).toEqual(naiveFigures(rows, plan));
    const counted = countedRows(rows, plan);
    expect(result.records).toBe(records.length);
    expect(result.rowCount).toBe(counted.length);
    expect(result.rows?.total).toBe(counted.length);
    const column = (label: string) => result.rows?.columns.findIndex((one) => one.label === label) ?? -1;
    const flag = request.report === 'workshops' ? 'workshop_title' : 'email';
    const label = reportNamed(request.report).fields.find((field) => field.flag === flag)?.label ?? '';
    expect(result.rows?.listed.map(({ cells }) => cells[column(label)]?.text).sort()).toEqual(
      counted.map((row) => row.text(flag) ?? '').sort(),
    );

    if (typeof result.before === 'string') return;
    const { asOf, range: earlier } = result.before;
    const [status, date] = doneFlags[request.report] ?? [];
    const before = (await recordsIn(request, earlier)).map((record) => {
      if (asOf === undefined || !status || !date) return record;
      const row = new Row(flagsOf(request.report), record);
      return wasDone(row.date(date), asOf, zone) ? record : uncompleted(record, status, date);
    });
    const then = naiveFigures(
      before.map((record) => new Row(flagsOf(request.report), record)),
      { ...plan, range: earlier, now: asOf ?? plan.now },
    );
    const compared = result.figures?.figures.filter(
      (figure) => figure.compared === 'equal-age' || figure.compared === 'period-before',
    );
    const expected = Object.entries(numbersOf(then)).filter(([id]) => compared?.some((one) => one.id === id));
    // Beside them, it has what shares are of, and how many records there were.
    const ids = result.figures?.figures.map(({ id }) => id) ?? [];
    const earlierFigures = Object.entries(result.before.figures).filter(([id]) => ids.includes(id));
    expect(Object.fromEntries(earlierFigures)).toEqual(Object.fromEntries(expected));
  });

  it('has something to count for every state', async () => {
    const states = commands.filter((words) => words.includes('only:'));
    const counts = await Promise.all(
      states.map(async (words) => [words, (await run(requestOf(words))).rowCount]),
    );
    expect(counts.filter(([, count]) => count === 0)).toEqual([]);
  });
});
