import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RunEnd } from '../digests/digest.js';
import type { RequestEnd } from '../slack/answer-request.js';

/** What the bot counts. No label holds anything of a person, a channel or a request's words. */
export interface Metrics {
  requestEnded(end: RequestEnd): void;
  digestEnded(end: RunEnd): void;
  slackFailed(method: string, code: string): void;
  /** How long a question waited for leave to be asked, in milliseconds. */
  waitedForRateLimit(milliseconds: number): void;
  unhandledRejection(): void;
  /** Everything, in the text format of Prometheus. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
  close(): void;
}

const secondsOfAnAsk = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const secondsOfADelay = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400];
const secondsOfAWait = [0.01, 0.1, 1, 5, 15, 60, 300];

/** @param isReady whether Slack can reach the bot at this moment */
export function createMetrics(isReady: () => boolean): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Among them: event-loop lag, resident memory, garbage collection.
  collectDefaultMetrics({ register: registry });

  const asks = new Counter({
    name: 'rollcall_asks_total',
    help: 'Questions that ended, by report, by how they ended, and by the code of what went wrong',
    labelNames: ['report', 'outcome', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'rollcall_ask_duration_seconds',
    help: 'From a question to its end',
    labelNames: ['report', 'outcome'],
    buckets: secondsOfAnAsk,
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
    help: 'How long questions waited for leave to be asked',
    buckets: secondsOfAWait,
    registers,
  });
  const digests = new Counter({
    name: 'rollcall_digest_runs_total',
    help: 'Due runs of digests that ended, by how they ended, and by the code of what went wrong',
    labelNames: ['outcome', 'code'],
    registers,
  });
  const delays = new Histogram({
    name: 'rollcall_digest_delay_seconds',
    help: 'From when a digest was due to when Slack had it',
    buckets: secondsOfADelay,
    registers,
  });
  const failures = new Counter({
    name: 'rollcall_slack_api_errors_total',
    help: 'Calls to Slack that failed, by method and by Slack’s own word for it',
    labelNames: ['method', 'code'],
    registers,
  });
  const rejections = new Counter({
    name: 'rollcall_unhandled_rejections_total',
    help: 'Failures that nobody waited for; each is in the log',
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
      asks.inc({ report, outcome, code });
      durations.observe({ report, outcome }, seconds);
      records.inc({ report }, read);
    },
    digestEnded({ outcome, code = '', secondsLate }) {
      digests.inc({ outcome, code: code && oneWord(code) });
      if (outcome === 'delivered') delays.observe(secondsLate);
    },
    slackFailed: (method, code) => failures.inc({ method, code: oneWord(code) }),
    waitedForRateLimit: (milliseconds) => waits.observe(milliseconds / 1000),
    unhandledRejection: () => rejections.inc(),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    close: () => registry.clear(),
  };
}

/** Slack's errors are words, and ours too; anything else in their place could be anything. */
function oneWord(code: string): string {
  return /^[a-z0-9_-]{1,60}$/.test(code) ? code : 'other';
}
