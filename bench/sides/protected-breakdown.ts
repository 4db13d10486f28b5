import { setTimeout as wait } from 'node:timers/promises';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import { createThreadReader } from '../../src/reporting-api/answer-reader.js';
import { openReportingApi, type ReportingApi } from '../../src/reporting-api/client.js';
import { skipWasmOptimization } from '../../src/reporting-api/wasm-tiers.js';
import { serveSide } from '../harness/side.js';
import type { BreakdownJob } from './jobs.js';

/* A breakdown by groups that overlap, as somebody reads it whose figures are protected. */

const thread = new URL('../../bot/answer-worker.js', import.meta.url);

skipWasmOptimization();
let api: ReportingApi | undefined;

serveSide<BreakdownJob>(async ({ address, people, cancelAfterMs, withAnother = false }) => {
  api ??= apiAt(address);
  const cancelling = new AbortController();
  const reading = read(api, people, cancelling.signal);
  if (cancelAfterMs !== undefined) {
    await wait(cancelAfterMs);
    const begun = performance.now();
    cancelling.abort();
    await reading.then(
      () => Promise.reject(new Error('The answer was there before it was cancelled')),
      () => undefined,
    );
    return { milliseconds: performance.now() - begun };
  }
  if (withAnother) {
    const begun = performance.now();
    await read(api, 100, cancelling.signal);
    const milliseconds = performance.now() - begun;
    await reading;
    return { milliseconds };
  }
  const { figures } = await reading;
  const { breakdown } = figures ?? {};
  const rows = breakdown?.kind === 'groups' ? breakdown.rows : [];
  return { lines: rows.reduce((sum, { joined = 1 }) => sum + joined, 0) };
});

function read({ source }: ReportingApi, people: number, signal: AbortSignal) {
  const plan: FiguresPlan = {
    report: 'engagement',
    by: 'groups',
    people: false,
    smallestGroup: 5,
    now: Date.UTC(2026, 10, 20),
    zone: 'Europe/Berlin',
    range: { from: 1_793_750_400, until: 1_794_355_200 },
  };
  return source.read(
    { operation: `overlapping/${people}`, addsUp: false, body: {} },
    { fields: fieldsToCount(plan), figures: plan },
    { urgency: 'person', asker: `bench ${people}`, signal },
  );
}

function apiAt(baseUrl: string): ReportingApi {
  const settings = {
    baseUrl,
    token: 'bench',
    authScheme: 'raw' as const,
    idleTimeoutMs: 300_000,
    maxRequestsPerMinute: 1_000_000,
    maxParallelRequests: 2,
    maxRangeDays: 0,
  };
  const reader = createThreadReader({}, thread);
  return openReportingApi(settings, { log: { info: () => {}, warn: () => {} }, reader });
}
