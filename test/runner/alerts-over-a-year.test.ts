import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningReportingService } from '../../playground/reporting-service/reporting-service.js';
import { unlimitedScope } from '../../src/access/scope.js';
import { type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { type AlertReading, judgeAlert, newAlert } from '../../src/digests/alert.js';
import { isNotReached, plainNumber } from '../../src/figures/format/values.js';
import { hashKeyOf } from '../../src/figures/keyed-hash.js';
import type { FiguresPlan, FigureValue } from '../../src/figures/result.js';
import { notReached } from '../../src/figures/summary/changes.js';
import { figuresOfRequest, type NamedFigure } from '../../src/figures/summary/named-figures.js';
import type { ReportingApi } from '../../src/reporting-api/client.js';
import type { AlertCondition } from '../../src/requests/alert-condition.js';
import type { ReportRequest } from '../../src/requests/request.js';
import { type ReportResult, startReport } from '../../src/runner/run-report.js';
import { readingOf } from '../../src/slack/digests/alert-run.js';
import { firedAt, heldAt } from '../digests/naive-alert.js';
import { naiveFigures } from '../figures/naive/figures.js';
import { type NaivePeople, newRowsOf } from '../figures/naive/new-rows.js';
import { Row } from '../figures/naive/row.js';
import { countedRows } from '../figures/naive/states.js';
import { ask, day, everyFlag, friday, startService } from '../playground/reporting-service/service.js';
import { isFull } from '../property-runs.js';
import { apiOf } from '../reporting-api/api-of.js';
import { requestOf } from '../requests/request-of.js';

/* A year of the reference service, computed a second time from everything that it has. */

const zone = 'America/New_York';
const key = hashKeyOf('0123456789abcdef0123456789abcdef');
/** Weeks between two runs. */
const step = isFull ? 1 : 4;
let at = friday;
let service: RunningReportingService;
let api: ReportingApi;

beforeAll(async () => {
  service = await startService({ learners: 30, now: () => at * 1000 });
  // Ranges are split, so that answers come in parts.
  api = apiOf(service, { maxRangeDays: 25 });
});
afterAll(async () => {
  await api.close();
  await service.stop();
});

/** @param newRows absent: rows are not told apart */
async function run(
  request: ReportRequest,
  newRows?: { readonly known: Uint8Array | undefined },
): Promise<ReportResult> {
  const options = {
    asker: { id: 'U1', zone },
    requestedAt: at * 1000,
    rowLimit: 10_000,
    newRows: newRows && { key, ...newRows },
    scope: unlimitedScope,
    urgency: 'digest' as const,
    signal: new AbortController().signal,
  };
  const { result, before } = await startReport(request, options, { source: api.source, weekStart: 'monday' });
  before.stop();
  return result;
}

const targets: Partial<Record<ReportName, string>> = {
  assignments: 'assigned_date',
  completions: 'completed_date',
};

/** All rows, read without the client. */
async function rowsOf({ report, view }: ReportRequest, { range, assigned }: ReportResult) {
  const target = targets[report];
  const body = {
    ...everyFlag(report),
    ...(target && { range_target: target }),
    ...(view !== undefined && { user_filter: { suspended: 'false' } }),
  };
  const records = await ask(service, report, { ...(assigned ?? range), body });
  const flags = reportNamed(report).fields.map(({ flag }) => flag);
  return records.map((record) => new Row(flags, record));
}

function planOf({ report, view, states }: ReportRequest, { range }: ReportResult): FiguresPlan {
  const dueRange = view === 'due' ? range : undefined;
  return { report, view, states, dueRange, people: false, now: at * 1000, smallestGroup: 1, zone, range };
}

it.each([
  'overdue',
  'due',
  'assignments only:completed',
  'tracks last-90-days only:completed',
  'assessments',
  'assessments only:failed',
  'workshops',
])(
  'the new rows of %s are those that the run before did not have',
  async (words) => {
    const request = requestOf(words);
    const flag = request.report === 'workshops' ? 'workshop_title' : 'email';
    const label = reportNamed(request.report).fields.find((field) => field.flag === flag)?.label;
    let known: Uint8Array | undefined;
    let naive: NaivePeople | undefined;
    let runsWithNews = 0;
    for (let week = 52; week >= 0; week -= step) {
      at = friday - week * 7 * day;
      const result = await run(request, { known });
      const counted = countedRows(await rowsOf(request, result), planOf(request, result));
      const found = newRowsOf(request.report, counted, naive);
      expect(result.rowCount).toBe(counted.length);
      if (naive) {
        const firstOfEach = found.rows.map(
          ({ same, isNew }, row) => isNew && found.rows.findIndex((other) => other.same === same) === row,
        );
        const expected = counted.filter((_, row) => firstOfEach[row]).map((row) => row.text(flag) ?? '');
        const column = result.rows?.columns.findIndex((one) => one.label === label) ?? -1;
        expect(result.newRows?.count).toBe(expected.length);
        expect(result.rows?.listed.map(({ cells }) => cells[column]?.text).sort()).toEqual(expected.sort());
        if (expected.length > 0) runsWithNews++;
      }
      known = result.newRows?.rows;
      naive = found.people;
    }
    expect(runsWithNews).toBeGreaterThan(2);
  },
  120_000,
);

/** A figure as a number, in the unit of its threshold. */
function numberOf(value: FigureValue): number | undefined {
  if (value.kind === 'duration') return value.seconds / 3600;
  return isNotReached(value) ? notReached : plainNumber(value);
}

const signs = ['>', '>=', '<', '<='] as const;

/** Thresholds that the values of a year pass to and fro. */
function conditionsFor(figure: NamedFigure, values: readonly (number | undefined)[]) {
  const known = values.flatMap((value) => (value === undefined || value === notReached ? [] : [value]));
  known.sort((a, b) => a - b);
  const quarters = [0.25, 0.5, 0.75].map((part) => known[Math.floor(part * known.length)] ?? 0);
  const isPercent = figure.unit === 'percent';
  return [...new Set(quarters)].flatMap((value) =>
    signs.map(
      (comparison) => ({ kind: 'threshold', figure: figure.id, comparison, value, isPercent }) as const,
    ),
  );
}

/** The runs at which an alert posts, judged one after the other as runs are. */
function postedAt(when: AlertCondition, readings: readonly AlertReading[]): readonly number[] {
  let state = newAlert;
  return readings.flatMap((reading, place) => {
    const { kind, next } = judgeAlert(when, state, reading);
    state = next;
    return kind === 'post' ? [place] : [];
  });
}

/** Days between two runs of an alert: each is judged by all earlier ones. */
const daysBetween = isFull ? 1 : 14;

it.each([
  'overdue',
  'due',
  'tracks last-90-days',
  'completions last-week',
  'assessments',
  'engagement last-week',
  'workshops this-month',
])(
  'an alert on any figure of %s posts when a second computation says so',
  async (words) => {
    const request = requestOf(words);
    const readings: AlertReading[] = [];
    const naive: { readonly rows: number; readonly figures: Readonly<Record<string, number | undefined>> }[] =
      [];
    for (let ago = 364; ago >= 0; ago -= daysBetween) {
      at = friday - ago * day;
      const result = await run(request);
      readings.push(readingOf(result, at * 1000));
      const [rows, plan] = [await rowsOf(request, result), planOf(request, result)];
      const figures = Object.entries(naiveFigures(rows, plan));
      naive.push({
        rows: countedRows(rows, plan).length,
        figures: Object.fromEntries(figures.map(([id, value]) => [id, numberOf(value)])),
      });
    }
    let posts = 0;
    for (const figure of figuresOfRequest(request)) {
      const runs = naive.map(({ rows, figures }) => ({ rows, value: figures[figure.id] }));
      for (const when of conditionsFor(
        figure,
        runs.map(({ value }) => value),
      )) {
        const expected = firedAt(when, runs);
        expect(postedAt(when, readings), JSON.stringify(when)).toEqual(expected);
        posts += expected.length;
      }
    }
    expect(posts).toBeGreaterThan(20);
    const held = heldAt(naive.map(({ rows }) => ({ rows, value: undefined })));
    const changed = naive.flatMap(({ figures }, place) => {
      const before = naive.findLast((_, one) => one < place && !held.includes(one));
      const differs = ([id, value]: [string, number | undefined]) => {
        const earlier = before?.figures[id];
        return value !== undefined && earlier !== undefined && Math.abs(value - earlier) > 1e-6;
      };
      return !held.includes(place) && Object.entries(figures).some(differs) ? [place] : [];
    });
    expect(postedAt({ kind: 'changed' }, readings)).toEqual(changed);
  },
  240_000,
);
