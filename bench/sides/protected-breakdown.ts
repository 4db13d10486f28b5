import { setTimeout as wait } from 'node:timers/promises';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import type { FiguresPlan } from '../../src/figures/result.js';
import type { ReportingApi } from '../../src/reporting-api/client.js';
import { serveSide } from '../harness/side.js';
import { clientOf } from './client.js';
import type { BreakdownJob } from './jobs.js';

/* A breakdown by groups that overlap, as somebody reads it whose figures are protected. */

serveSide<BreakdownJob>(async ({ address, people, cancelAfterMs, withAnother = false }) => {
  const api = clientOf(address, 2);
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
