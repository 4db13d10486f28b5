import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { startPostgres } from '../../playground/processes/postgres.js';
import { copyDatabase } from '../../src/store/copy-database.js';
import { type CountingService, startCountingService } from '../answers/counting-service.js';
import { digestOf } from '../digests/company.js';
import { fillDigests, makeDatabase } from '../digests/fill.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, ratioAtLeast } from '../harness/measured.js';
import { type SideProcess, startSide } from '../harness/side-process.js';
import { median } from '../harness/statistics.js';
import type { BotJob, BotState, Posts, WorkspaceAddress, WorkspaceJob } from '../sides/digest-jobs.js';
import { same } from './readings.js';

/** Set `BENCH_DIGESTS=1000` for a shorter run. */
const count = Number(process.env.BENCH_DIGESTS ?? 10_000);
/** Digests with the same request. */
const equalDigests = 50;

function requestsOf(digests: number): number {
  return Math.ceil(digests / equalDigests);
}

/** Each owns five digests. */
function ownersOf(digests: number): number {
  return Math.ceil(digests / 5);
}

const postsPerSecond = 50;
const serviceRequestsPerMinute = 6000;
const recordsOfAnAnswer = 50;

/** All digests are due in the same minute, each in its own channel. */
export const digests: BenchLine = {
  name: 'digests',
  title: `${numbered(count)} digests due at the same minute, ${numbered(requestsOf(count))} different requests, and a Slack that takes ${postsPerSecond} posts a second`,
  async run(bench) {
    const path = join(bench.folder, 'digests.db');
    await fill(path, count);
    const found = await postAll(bench, { count, processes: 1, url: `sqlite:${path}` });
    same('The ledger', ledgerOf(path), count);
    return [found.rate, found.memory, stalls(bench, found.states)];
  },
};

/** So that the whole bench stays short. */
const countOnPostgres = Math.ceil(count / 5);
const processes = 3;

/** The same over several processes, one of which leads. */
export const digestsOnPostgres: BenchLine = {
  name: 'digests-on-postgres',
  title: `${numbered(countOnPostgres)} digests due at the same minute, over ${processes} processes on one PostgreSQL`,
  async run(bench) {
    const path = join(bench.folder, 'digests.db');
    await fill(path, countOnPostgres);
    const server = await startPostgres();
    try {
      const { url } = server;
      await copyDatabase({ from: path, to: url }, Date.now, () => {}, new AbortController().signal);
      const found = await postAll(bench, { count: countOnPostgres, processes, url });
      same('The ledger', await ledgerOnPostgres(url), countOnPostgres);
      return [found.rate, found.memory];
    } finally {
      await server.stop();
    }
  },
};

function numbered(number: number): string {
  return number.toLocaleString('en');
}

interface Company {
  readonly count: number;
  readonly processes: number;
  /** Of the database, with the digests. */
  readonly url: string;
}

/** Starts the bots, and waits until everything is posted. */
async function postAll(bench: Bench, { count, processes, url }: Company) {
  const service = await startCountingService(recordsOfAnAnswer);
  const workspace = await startSide<WorkspaceJob>('workspace');
  const leader = await startSide<BotJob>('rollcall-whole');
  const others: SideProcess<BotJob>[] = [];
  const idle = await startSide<'how'>('idle');
  try {
    const job = { channels: count, owners: ownersOf(count), postsPerMinute: postsPerSecond * 60 };
    const address = (await workspace.run(job)).outcome as WorkspaceAddress;
    const start = { environment: settings(address, service.url, url), postsPerSecond };
    await leader.run(start);
    const begun = Date.now();
    for (let n = 1; n < processes; n += 1) {
      const other = await startSide<BotJob>('rollcall-whole');
      others.push(other);
      await other.run(start);
    }
    const states = await watch(bench, { count, postsPerSecond }, workspace, leader, idle);
    const posts = (await workspace.run('posts')).outcome as Posts;
    const seconds = (posts.last - begun) / 1000;
    bench.say(`${posts.count} posts, the first after ${((posts.first - begun) / 1000).toFixed(1)} s`);
    // The bot records the last post a moment after Slack has it.
    await wait(1000);
    check(count, posts, service);
    return {
      rate: ratioAtLeast('Rate, of what Slack takes', [{ theirs: count / postsPerSecond, ours: seconds }], {
        atLeast: 0.9,
      }),
      memory: flat(states),
      states,
    };
  } finally {
    for (const side of [idle, ...others, leader]) await side.stop();
    await workspace.stop();
    service.stop();
  }
}

async function fill(path: string, count: number): Promise<void> {
  await makeDatabase(path);
  const due = Math.floor(Date.now() / 60_000) * 60_000;
  const time = new Date(due).toISOString().slice(11, 16);
  fillDigests(path, count, (n) => ({
    settings: digestOf(n, requestsOf(count), time, ownersOf(count)),
    nextDue: due,
  }));
}

export function settings({ apiUrl, botToken, appToken }: WorkspaceAddress, serviceUrl: string, url: string) {
  return {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_API_URL: apiUrl,
    REPORTING_BASE_URL: serviceUrl,
    NAMES_DAILY: 'no',
    REPORTING_API_TOKEN: 'bench',
    REPORTING_REQUESTS_PER_MINUTE: String(serviceRequestsPerMinute),
    REPORTING_PARALLEL: '4',
    DATABASE_URL: url,
    // SQLite keeps one beside the file.
    ...(url.startsWith('postgres') ? { RECORD_KEY: '5a'.repeat(32) } : {}),
    OPERATIONS_PORT: '',
  };
}

/** The bot in one second, and the longest stall of a process that did nothing. */
interface Second extends BotState {
  readonly machineStall: number;
}

/** Samples the bot each second until everything is posted. */
export async function watch(
  bench: Bench,
  { count, postsPerSecond }: { readonly count: number; readonly postsPerSecond: number },
  workspace: SideProcess<WorkspaceJob>,
  bot: SideProcess<BotJob>,
  idle: SideProcess<'how'>,
): Promise<readonly Second[]> {
  const states: Second[] = [];
  // Twice the expected time and half a minute.
  const until = performance.now() + ((2 * count) / postsPerSecond + 30) * 1000;
  for (;;) {
    await wait(1000);
    const [ofBot, ofIdle] = await Promise.all([bot.run('how'), idle.run('how')]);
    const state = { ...(ofBot.outcome as BotState), machineStall: ofIdle.outcome as number };
    states.push(state);
    const { count: posted } = (await workspace.run('posts')).outcome as Posts;
    if (states.length % 10 === 0) {
      const stall = Math.max(...states.slice(-10).map(({ longestStall }) => longestStall));
      bench.say(`${posted} posted, ${state.megabytes.toFixed(0)} MB, longest stall ${stall.toFixed(0)} ms`);
    }
    if (posted >= count) return states;
    if (performance.now() > until) throw new Error(`Only ${posted} of ${count} messages were posted in time`);
  }
}

/** Checks that each channel got one post, and each query went out once. */
function check(count: number, posts: Posts, { queries }: CountingService): void {
  same('The posts', `${posts.count} in ${posts.channels}`, `${count} in ${count}`);
  // Each request makes two queries: its range, and the period before.
  same('The queries', queries.size, requestsOf(count) * 2);
  same('How often each query arrived', Math.max(...queries.values()), 1);
}

const countPosted = `SELECT COUNT(*) AS runs FROM posts
  WHERE kind = 'digest' AND state = 'posted' AND NOT EXISTS (SELECT 1 FROM posts WHERE kind = 'digest' AND state != 'posted')`;

/** How many runs the ledger has as posted; 0 if another one is not. */
function ledgerOf(path: string): number {
  const database = new Sqlite(path, { readonly: true });
  const runs = database.prepare<[], number>(countPosted).pluck().get() ?? 0;
  database.close();
  return runs;
}

async function ledgerOnPostgres(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ runs: string }>(countPosted);
  await client.end();
  return Number(rows[0]?.runs);
}

/** Seconds in which an idle process stalled for longer do not count, because the machine was busy. */
const longestQuietMs = 5;

function stalls(bench: Bench, states: readonly Second[]) {
  const machine = Math.max(...states.map(({ machineStall }) => machineStall));
  const quiet = states.filter(({ machineStall }) => machineStall <= longestQuietMs);
  bench.say(
    `a process that does nothing had stalls of up to ${machine.toFixed(0)} ms, and less than ${longestQuietMs} ms in ${quiet.length} of ${states.length} seconds`,
  );
  // Too few quiet seconds say nothing about the bot.
  const counted = quiet.length >= states.length / 5 ? quiet : states;
  const longest = Math.max(...counted.map(({ longestStall }) => longestStall));
  return atMost('Longest stall of the event loop', [longest], { limit: 20, unit: 'ms' });
}

export function flat(states: readonly BotState[]) {
  const quarter = Math.ceil(states.length / 4);
  const memory = (some: readonly BotState[]) => median(some.map(({ megabytes }) => megabytes));
  const [first, last] = [memory(states.slice(0, quarter)), memory(states.slice(-quarter))];
  return atMost('Memory of the last quarter, compared with the first', [last / first], {
    limit: 1.2,
    unit: 'times',
  });
}
