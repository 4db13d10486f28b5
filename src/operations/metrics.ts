import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Refusal } from '../access/record.js';
import type { ToolCall } from '../assistants/tools.js';
import type { ReportName } from '../catalogue/index.js';
import type { DigestBacklog, RunEnd } from '../digests/digest.js';
import type { ManagersRunEnd } from '../digests/managers-plan.js';
import type { LookOutcome } from '../runner/daily-look.js';
import type { RequestEnd } from '../slack/answers/answer-request.js';

/** The work of the bot at one moment. */
export interface Workload {
  /** Requests of people. */
  readonly requests: Lengths;
  readonly queries: Lengths;
  readonly digests: DigestBacklog;
  /** Messages and files to delete from Slack now. */
  readonly deletions: number;
  /** The number of the newest event of the record of access. */
  readonly events: number;
}

interface Lengths {
  readonly running: number;
  readonly waiting: number;
}

const handOverBuckets = [1, 2, 5, 10, 15, 30, 60, 300, 600];
/** Slack waits three seconds. */
const acknowledgeBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const durationBuckets = [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const delayBuckets = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400];
const waitBuckets = [0.01, 0.1, 1, 5, 15, 60, 300];

/**
 * The metrics of the bot. No label holds a person, a channel or words of a request.
 *
 * @param isReady whether Slack can reach the bot now
 * @param workload undefined until the bot has started
 */
export function createMetrics(
  isReady: () => boolean,
  workload: () => Promise<Workload | undefined> = async () => undefined,
) {
  const registry = new Registry();
  const registers = [registry];
  // They include event loop lag, resident memory and garbage collection.
  collectDefaultMetrics({ register: registry });

  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  const requests = counter(
    'rollcall_requests_total',
    'Requests that ended, by report, outcome and error code',
    'report',
    'outcome',
    'code',
  );
  const durations = histogram(
    'rollcall_request_duration_seconds',
    'Time from a request to its end',
    durationBuckets,
    'report',
    'outcome',
  );
  const records = counter(
    'rollcall_records_read_total',
    'Records in the answers to requests, by report',
    'report',
  );
  const waits = histogram(
    'rollcall_reporting_wait_seconds',
    'Time that queries waited for the rate limiter',
    waitBuckets,
  );
  const digests = counter(
    'rollcall_digest_runs_total',
    'Runs of digests that ended, by outcome and error code',
    'outcome',
    'code',
  );
  const alerts = counter(
    'rollcall_alert_runs_total',
    'Runs of alerts that ended, by what they found',
    'outcome',
  );
  const managers = counter(
    'rollcall_manager_messages_total',
    'Managers in runs of their digests, by what they got',
    'outcome',
  );
  const delays = histogram(
    'rollcall_digest_delay_seconds',
    'Time from the due time of a digest to its delivery',
    delayBuckets,
  );
  const failures = counter(
    'rollcall_slack_api_errors_total',
    'Calls to Slack that failed, by method and error code',
    'method',
    'code',
  );
  const leads = new Gauge({
    name: 'rollcall_leads',
    help: '1 while this process leads the processes on its database',
    registers,
  });
  const takeOvers = counter('rollcall_take_overs_total', 'Times that this process began to lead');
  const acknowledgements = histogram(
    'rollcall_acknowledge_seconds',
    'Time from the arrival of a delivery from Slack to its acknowledgement',
    acknowledgeBuckets,
  );
  const handOvers = histogram(
    'rollcall_hand_over_seconds',
    'Time from the arrival of a delivery until this process went on with the work of another one',
    handOverBuckets,
  );
  const bytes = counter(
    'rollcall_reporting_bytes_total',
    'Bytes of answers that the Reporting Service sent, decompressed',
  );
  const saved = counter(
    'rollcall_queries_saved_total',
    'Queries that were not sent: answers shared with an equal query, or figures kept',
    'how',
  );
  const refusals = counter(
    'rollcall_requests_refused_total',
    'Requests that were refused, by the level of access of who asked and by reason',
    'level',
    'reason',
  );
  const looks = counter(
    'rollcall_names_looks_total',
    'Looks at the names of a report that ended, by report and outcome',
    'report',
    'outcome',
  );
  const assistantCalls = counter(
    'rollcall_assistant_calls_total',
    'Calls of tools by assistants, by tool and outcome',
    'tool',
    'outcome',
  );
  const assistantDurations = histogram(
    'rollcall_assistant_call_duration_seconds',
    'Time from the call of a tool to its answer',
    durationBuckets,
    'tool',
  );
  const rejections = counter(
    'rollcall_unhandled_rejections_total',
    'Promise rejections that nothing handled; each is in the log',
  );
  new Gauge({
    name: 'rollcall_ready',
    help: '1 while Slack can reach the bot',
    registers,
    collect() {
      this.set(isReady() ? 1 : 0);
    },
  });

  const gauges = gaugesOfWorkload.map(
    ([name, help, read]) => [new Gauge({ name, help, registers }), read] as const,
  );
  const events = counter('rollcall_events_recorded_total', 'Events in the record of access, since it began');

  async function readWorkload() {
    // The other metrics matter most when the database cannot be read.
    const now = await workload().catch(() => undefined);
    for (const [gauge, read] of gauges) gauge.set(now ? read(now) : Number.NaN);
    if (!now) return;
    events.reset();
    events.inc(now.events);
  }

  return {
    requestEnded({ report, outcome, code = '', seconds, records: read }: RequestEnd) {
      requests.inc({ report, outcome, code });
      durations.observe({ report, outcome }, seconds);
      records.inc({ report }, read);
    },
    managersRunEnded({ sent, unconfirmed, nothingToTell, declined, failed }: ManagersRunEnd) {
      const notReached = Object.values(failed).reduce((sum, count) => sum + count, 0);
      const outcomes = { sent, unconfirmed, nothing: nothingToTell, declined, 'not-reached': notReached };
      for (const [outcome, count] of Object.entries(outcomes)) managers.inc({ outcome }, count);
    },
    digestEnded({ outcome, code = '', alert, secondsLate }: RunEnd) {
      digests.inc({ outcome, code: code && codeLabel(code) });
      if (alert) alerts.inc({ outcome: alert });
      if (outcome === 'delivered') delays.observe(secondsLate);
    },
    slackFailed: (method: string, code: string) => failures.inc({ method, code: codeLabel(code) }),
    /** How long a query waited for the rate limiter, in milliseconds. */
    waitedForRateLimit: (milliseconds: number) => waits.observe(milliseconds / 1000),
    /** The time from the arrival of a delivery to its acknowledgement, in milliseconds. */
    acknowledged: (milliseconds: number) => acknowledgements.observe(milliseconds / 1000),
    /** The time from the arrival of a delivery until this process went on with the work of another, in milliseconds. */
    tookOver: (milliseconds: number) => handOvers.observe(milliseconds / 1000),
    /** The decompressed bytes of an answer of the service. */
    bytesRead: (count: number) => bytes.inc(count),
    /** A query was not sent: it shared the answer of an equal one, or its figures were cached. */
    querySaved: (how: 'shared' | 'kept') => saved.inc({ how }),
    /** A look at the names of a report ended. */
    looked: (report: ReportName, outcome: LookOutcome) => looks.inc({ report, outcome }),
    requestRefused: ({ level, reason }: Refusal) => refusals.inc({ level, reason: codeLabel(reason) }),
    assistantCalled({ tool, outcome, seconds }: ToolCall) {
      assistantCalls.inc({ tool, outcome });
      assistantDurations.observe({ tool }, seconds);
    },
    tookLead() {
      leads.set(1);
      takeOvers.inc();
    },
    unhandledRejection: () => rejections.inc(),
    /** All metrics, in the text format of Prometheus. */
    async page(): Promise<{ readonly contentType: string; readonly text: string }> {
      await readWorkload();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => registry.clear(),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

const gaugesOfWorkload: readonly (readonly [name: string, help: string, read: (now: Workload) => number])[] =
  [
    ['rollcall_requests_running', 'Requests of people that run now', ({ requests }) => requests.running],
    [
      'rollcall_requests_waiting',
      'Requests of people that wait until another of theirs ends',
      ({ requests }) => requests.waiting,
    ],
    [
      'rollcall_queries_running',
      'Queries that the Reporting Service answers now',
      ({ queries }) => queries.running,
    ],
    ['rollcall_queries_waiting', 'Queries that wait for the rate limiter', ({ queries }) => queries.waiting],
    ['rollcall_digest_runs_queued', 'Runs of digests that wait', ({ digests }) => digests.queued],
    ['rollcall_digest_runs_due', 'Runs of digests that are due and not ended', ({ digests }) => digests.due],
    [
      'rollcall_digest_runs_late',
      'Runs of digests that were due more than a minute ago and have not ended',
      ({ digests }) => digests.late,
    ],
    [
      'rollcall_deletions_waiting',
      'Messages and files that are to be deleted from Slack now',
      ({ deletions }) => deletions,
    ],
  ];

/** Error codes are single words. Anything else may hold data of people. */
function codeLabel(code: string): string {
  return /^[a-z0-9_-]{1,60}$/.test(code) ? code : 'other';
}
