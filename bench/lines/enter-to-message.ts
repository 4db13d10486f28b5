import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { startCountingService } from '../answers/counting-service.js';
import { engagementRecord } from '../answers/records.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, type Pair, ratioAtLeast, ratioBeside } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import { median } from '../harness/statistics.js';
import type { BareListenJob, ListenJob } from '../sides/jobs.js';
import { sendCommand } from '../slack/send-commands.js';
import { type StubSlack, startStubSlack } from '../slack/stub-slack.js';

const records = 100;
const pairs = 3;
const commands = 160;
const warmUps = 80;
/** Between two commands, so that the last writes of one do not slow down the next. */
const pauseMs = 20;
const slowMs = 2000;
const slowCommands = 5;
/** Computed from the records, not from the answer. */
const sessions = Array.from({ length: records }, (_, n) => engagementRecord(n)).reduce(
  (sum, record) => sum + ('sessions' in record ? Number(record.sessions) : 0),
  0,
);
const messageTimeoutMs = 30_000;

/** From the command to the message, one command after the other. */
export const enterToMessage: BenchLine = {
  name: 'enter-to-message',
  title: `From a command to its message, for ${records} records, against a Bolt listener that fetches the same two answers, parses and posts, and writes the same down on the way`,
  async run(bench) {
    let arrived = (_message: Message) => {};
    const slack = await startStubSlack((method, form) => {
      if (method !== 'chat.postMessage') return;
      arrived({ at: performance.now(), text: form.get('text') ?? '' });
    });
    const next = () =>
      new Promise<Message>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('No message was posted in time')), messageTimeoutMs);
        arrived = (message) => {
          clearTimeout(timer);
          resolve(message);
        };
      });
    try {
      const { durable, bare } = await againstBolt(bench, slack, next);
      const slow = await withSlowService(bench, slack, next);
      return [
        ratioAtLeast('a service that answers at once, median', durable.median, { atLeast: 0.5, unit: 'ms' }),
        ratioAtLeast('a service that answers at once, p99', durable.p99, { atLeast: 0.5, unit: 'ms' }),
        ratioBeside('the same against the bare one, median', bare.median, 'ms'),
        ratioBeside('the same against the bare one, p99', bare.p99, 'ms'),
        atMost('a service that takes two seconds for each question', slow, { limit: 2.2, unit: 's' }),
      ];
    } finally {
      await slack.stop();
    }
  },
};

interface Message {
  /** When it reached Slack, in milliseconds of `performance.now()`. */
  readonly at: number;
  readonly text: string;
}

type NextMessage = () => Promise<Message>;

async function againstBolt(bench: Bench, slack: StubSlack, next: NextMessage) {
  const found: Record<'durable' | 'bare', { median: Pair[]; p99: Pair[] }> = {
    durable: { median: [], p99: [] },
    bare: { median: [], p99: [] },
  };
  const service = await startCountingService(records);
  try {
    for (let pair = 1; pair <= pairs; pair += 1) {
      const job = (side: string) => jobOf(slack, service.url, join(bench.folder, `${side}-${pair}.db`));
      const boltTimes = (kind: 'durable' | 'bare') => {
        const bolt: BareListenJob = { ...job(kind), keepsPromises: kind === 'durable', answers: true };
        return timesOf('bare-bolt', bolt, next, commands);
      };
      const theirs = { bare: await boltTimes('bare'), durable: await boltTimes('durable') };
      const ours = await timesOf('rollcall-over-http', job('rollcall'), next, commands);
      for (const kind of ['durable', 'bare'] as const) {
        found[kind].median.push({ theirs: median(theirs[kind]), ours: median(ours) });
        found[kind].p99.push({ theirs: p99(theirs[kind]), ours: p99(ours) });
      }
      const said = Object.entries({ ...theirs, ours }).map(
        ([name, times]) => `${name} ${median(times).toFixed(1)} ms, p99 ${p99(times).toFixed(1)} ms`,
      );
      bench.say(`pair ${pair}: ${said.join('; ')}`);
    }
  } finally {
    service.stop();
  }
  return found;
}

/** Seconds of each command. */
async function withSlowService(bench: Bench, slack: StubSlack, next: NextMessage): Promise<number[]> {
  const service = await startCountingService(records, slowMs);
  try {
    const job = jobOf(slack, service.url, join(bench.folder, 'slow.db'));
    const times = await timesOf('rollcall-over-http', job, next, slowCommands, 1);
    bench.say(`slow service: ${times.map((time) => (time / 1000).toFixed(2)).join(', ')} s`);
    return times.map((time) => time / 1000);
  } finally {
    service.stop();
  }
}

function jobOf(slack: StubSlack, serviceUrl: string, databasePath: string): ListenJob {
  return {
    apiUrl: slack.apiUrl,
    serviceUrl,
    databasePath,
    settings: {
      DEFAULT_ACCESS: 'everything',
      SMALLEST_GROUP: '1',
      REPORTING_REQUESTS_PER_MINUTE: '1000000',
      REPORTING_PARALLEL: '4',
    },
  };
}

/** Milliseconds from each command to its message, after a warm-up in a fresh process. */
async function timesOf<Job extends ListenJob>(
  file: string,
  job: Job,
  next: NextMessage,
  count: number,
  warmUp = warmUps,
): Promise<number[]> {
  const side = await startSide<Job>(file);
  let pool: Pool | undefined;
  try {
    const { port } = (await side.run(job)).outcome as { port: number };
    pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1, pipelining: 1 });
    const times: number[] = [];
    for (let n = 0; n < warmUp + count; n += 1) {
      const begun = performance.now();
      // Each command makes its own query, so that no answer is cached.
      const [{ at, text }] = await Promise.all([
        next(),
        sendCommand(pool, `engagement last-week departments:"Department ${n}"`),
      ]);
      if (n >= warmUp) times.push(at - begun);
      check(text);
      await wait(pauseMs);
    }
    return times;
  } finally {
    await pool?.destroy();
    await side.stop();
  }
}

/** Checks that a message has the figures of its answer: a fast wrong message is no result. */
function check(text: string): void {
  for (const part of [`${records} people`, 'essions', sessions.toLocaleString('en')]) {
    if (!text.includes(part)) throw new Error(`The message has no “${part}”: ${text}`);
  }
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}
