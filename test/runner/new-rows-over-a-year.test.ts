import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningReportingService } from '../../playground/reporting-service/reporting-service.js';
import { unlimitedScope } from '../../src/access/scope.js';
import { reportNamed } from '../../src/catalogue/index.js';
import { hashKeyOf } from '../../src/figures/keyed-hash.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { createLocalReader } from '../../src/reporting-api/answer-reader.js';
import { openReportingApi, type ReportingApi } from '../../src/reporting-api/client.js';
import { openDispatcher } from '../../src/reporting-api/settings.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import type { ReportRequest } from '../../src/requests/request.js';
import { type ReportResult, startReport } from '../../src/runner/run-report.js';
import { type NaivePeople, newRowsOf } from '../figures/naive/new-rows.js';
import { Row } from '../figures/naive/row.js';
import { countedRows } from '../figures/naive/states.js';
import { ask, day, everyFlag, friday, startService } from '../playground/reporting-service/service.js';
import { isFull } from '../property-runs.js';

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
  api = openReportingApi(
    {
      baseUrl: service.url,
      token: service.token,
      authScheme: 'raw',
      idleTimeoutMs: 30_000,
      maxRequestsPerMinute: 100_000,
      maxParallelRequests: 1,
      // Ranges are split, so that answers come in parts.
      maxRangeDays: 25,
    },
    {
      log: { info: () => {}, warn: () => {} },
      reader: createLocalReader((plan) => new AnswerStream(plan, startCounting), openDispatcher(undefined)),
    },
  );
});
afterAll(async () => {
  await api.close();
  await service.stop();
});

function requestOf(words: string): ReportRequest {
  const command = parseCommand(words, { savedNames: [] });
  if (!command.ok || command.value.kind !== 'run') throw new Error(`${words} is no request`);
  return command.value.request;
}

async function run(request: ReportRequest, known: Uint8Array | undefined): Promise<ReportResult> {
  const options = {
    asker: { id: 'U1', zone },
    requestedAt: at * 1000,
    rowLimit: 10_000,
    newRows: { key, known },
    scope: unlimitedScope,
    urgency: 'digest' as const,
    signal: new AbortController().signal,
  };
  const { result, before } = await startReport(request, options, { source: api.source, weekStart: 'monday' });
  before.stop();
  return result;
}

/** The rows that count, read without the client. */
async function countedOf(request: ReportRequest, { range, assigned }: ReportResult): Promise<readonly Row[]> {
  const { report, view, states } = request;
  const isOpen = view !== undefined;
  const body = {
    ...everyFlag(report),
    ...(report === 'assignments' && { range_target: 'assigned_date' }),
    ...(isOpen && { user_filter: { suspended: 'false' } }),
  };
  const records = await ask(service, report, { ...(assigned ?? range), body });
  const flags = reportNamed(report).fields.map(({ flag }) => flag);
  const dueRange = view === 'due' ? range : undefined;
  return countedRows(
    records.map((record) => new Row(flags, record)),
    { report, view, states, dueRange, people: false, now: at * 1000, smallestGroup: 1, zone, range },
  );
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
      const result = await run(request, known);
      const counted = await countedOf(request, result);
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
