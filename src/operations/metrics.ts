import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RunEnd } from '../digests/digest.js';
import type { RequestEnd } from '../slack/answer-request.js';

/** The metrics of the bot. No label holds a person, a channel or words of a request. */
export interface Metrics {
  requestEnded(end: RequestEnd): void;
  digestEnded(end: RunEnd): void;
  slackFailed(method: string, code: string): void;
  /** How long a query waited for the rate limiter, in milliseconds. */
  waitedForRateLimit(milliseconds: number): void;
  unhandledRejection(): void;
  /** All metrics, in the text format of Prometheus. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
  close(): void;
}

const durationBuckets = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const delayBuckets = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400];
const waitBuckets = [0.01, 0.1, 1, 5, 15, 60, 300];

/** @param isReady whether Slack can reach the bot now */
export function createMetrics(isReady: () => boolean): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // They include event loop lag, resident memory and garbage collection.
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'rollcall_asks_total',
    help: 'Requests that ended, by report, outcome and error code',
    labelNames: ['report', 'outcome', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'rollcall_ask_duration_seconds',
    help: 'Time from a request to its end',
    labelNames: ['report', 'outcome'],
    buckets: durationBuckets,
    registers,
  });
  const records = new Counter({
    name: 'rollcall_records_read_total',
    help: 'Records that the Reporting Service sent, by report',
    labelNames: ['report'],
    registers,
  });
  const waits = new Histogram({
    name: 'rollcall_reporting_wait_seconds',
    help: 'Time that queries waited for the rate limiter',
    buckets: waitBuckets,
    registers,
  });
  const digests = new Counter({
    name: 'rollcall_digest_runs_total',
    help: 'Runs of digests that ended, by outcome and error code',
    labelNames: ['outcome', 'code'],
    registers,
  });
  const delays = new Histogram({
    name: 'rollcall_digest_delay_seconds',
    help: 'Time from the due time of a digest to its delivery',
    buckets: delayBuckets,
    registers,
  });
  const failures = new Counter({
    name: 'rollcall_slack_api_errors_total',
    help: 'Calls to Slack that failed, by method and error code',
    labelNames: ['method', 'code'],
    registers,
  });
  const rejections = new Counter({
    name: 'rollcall_unhandled_rejections_total',
    help: 'Promise rejections that nothing handled; each is in the log',
    registers,
  });
  new Gauge({
    name: 'rollcall_ready',
    help: '1 while Slack can reach the bot',
    registers,
    collect() {
      this.set(isReady() ? 1 : 0);
    },
  });

  return {
    requestEnded({ report, outcome, code = '', seconds, records: read }) {
      requests.inc({ report, outcome, code });
      durations.observe({ report, outcome }, seconds);
      records.inc({ report }, read);
    },
    digestEnded({ outcome, code = '', secondsLate }) {
      digests.inc({ outcome, code: code && codeLabel(code) });
      if (outcome === 'delivered') delays.observe(secondsLate);
    },
    slackFailed: (method, code) => failures.inc({ method, code: codeLabel(code) }),
    waitedForRateLimit: (milliseconds) => waits.observe(milliseconds / 1000),
    unhandledRejection: () => rejections.inc(),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    close: () => registry.clear(),
  };
}

/** Error codes are single words. Anything else may hold data of people. */
function codeLabel(code: string): string {
  return /^[a-z0-9_-]{1,60}$/.test(code) ? code : 'other';
}
