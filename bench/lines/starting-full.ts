import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { Cadence } from '../../src/schedule/cadence.js';
import { nextRuns } from '../../src/schedule/next-runs.js';
import { retentionMs } from '../../src/store/database/expiry.js';
import { startCountingService } from '../answers/counting-service.js';
import { channelId, digestOf } from '../digests/company.js';
import { digestId, fillDigests, fillLedger, makeDatabase } from '../digests/fill.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, type Measured } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import { start, startSettings } from '../harness/start-program.js';
import type { BotJob, BotState, Posts, WorkspaceAddress, WorkspaceJob } from '../sides/digest-jobs.js';
import { startStubSlack } from '../slack/stub-slack.js';

const digests = 100_000;
const runsOfEach = 10;
const pairs = 5;
const day = 24 * 3_600_000;
/** Channels of the workspace. The digests go to these in turns. */
const channels = 500;
/** Digests that are due at the start, and runs that are old enough to delete. */
const due = 20;
const outdated = 5_000;
const looks = 3;
const watchedSeconds = 6;
const postsPerSecond = 50;

/** The start with very many digests, and the first work of the scheduler. */
export const startingFull: BenchLine = {
  name: 'starting-full',
  title: `The start with ${digests.toLocaleString('en')} digests and ${(digests * runsOfEach).toLocaleString('en')} runs in the ledger, against an empty database`,
  async run(bench) {
    const path = join(bench.folder, 'full.db');
    await fill(path);
    bench.say('the database is full');
    return [await readiness(bench, path), ...(await firstLooks(bench, path))];
  },
};

/** Cadences that people choose, so that every way to compute next times is used. */
const cadences: readonly Cadence[] = [
  { kind: 'daily', time: '09:00' },
  { kind: 'weekly', days: ['mon'], time: '08:30' },
  { kind: 'weekdays', time: '17:00' },
  { kind: 'monthly-weekday', which: 'last', weekday: 'fri', time: '15:00' },
  { kind: 'cron', expression: '0 9 * * 1-5' },
  { kind: 'quarterly', day: 1, time: '09:00' },
];
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC'];

async function fill(path: string): Promise<void> {
  await makeDatabase(path);
  const now = Date.now();
  fillDigests(path, digests, (n) => {
    const settings = digestOf(n % channels, 200, '09:00');
    const cadence = cadences[n % cadences.length] ?? { kind: 'daily', time: '09:00' };
    const schedule = { ...settings.schedule, cadence, zone: zones[n % zones.length] ?? 'UTC' };
    // No other digest becomes due during the measurement.
    const [next = 0] = nextRuns(schedule, now + day / 24, 1);
    return { settings: { ...settings, schedule }, nextDue: next };
  });
  fillLedger(
    path,
    digests,
    runsOfEach,
    (n) => channelId(n % channels),
    (ago) => now - (1 + ago * 30) * day,
  );
}

async function readiness(bench: Bench, full: string): Promise<Measured> {
  const slack = await startStubSlack();
  const more: number[] = [];
  try {
    for (let pair = 1; pair <= pairs; pair += 1) {
      const seconds = async (path: string) =>
        (await start('dist/bot/main.js', 'Rollcall ready', startSettings(slack.apiUrl, path), 0)).seconds;
      const theirs = await seconds(join(bench.folder, `empty-${pair}.db`));
      const ours = await seconds(full);
      more.push(ours - theirs);
      bench.say(`pair ${pair}: ${theirs.toFixed(2)} s empty and ${ours.toFixed(2)} s full`);
    }
  } finally {
    await slack.stop();
  }
  return atMost('Seconds more until it is ready', more, { limit: 2, unit: 's' });
}

/** Measures how the scheduler's first work delays everything else: some digests are due, and some runs are deleted. */
async function firstLooks(bench: Bench, path: string): Promise<readonly Measured[]> {
  const found: FirstLook[] = [];
  for (let look = 1; look <= looks; look += 1) {
    prepare(path);
    const one = await firstLook(path);
    const stalls = one.stalls.map((stall) => stall.toFixed(0)).join(', ');
    bench.say(`look ${look}: all posted after ${one.seconds.toFixed(1)} s, longest stalls ${stalls} ms`);
    found.push(one);
  }
  // In the first second all code runs for the first time, with any database.
  const later = found.map(({ stalls }) => Math.max(...stalls.slice(1)));
  return [
    atMost('Longest stall of the event loop after the first second', later, { limit: 20, unit: 'ms' }),
    atMost(
      `${due} due digests, until the last is posted`,
      found.map(({ seconds }) => seconds),
      { limit: due / postsPerSecond + 2, unit: 's' },
    ),
  ];
}

interface FirstLook {
  /** From its readiness to the last post. */
  readonly seconds: number;
  /** The longest stall of each second, in milliseconds. */
  readonly stalls: readonly number[];
}

function prepare(path: string): void {
  const database = new Sqlite(path);
  const makeDue = database.prepare('UPDATE digests SET next_due = ? WHERE id = ?');
  for (let n = 0; n < due; n += 1) makeDue.run(Date.now() - 60_000, digestId(n));
  const oldest = 'SELECT id FROM posts ORDER BY created_at LIMIT ?';
  const age = database.prepare(`UPDATE posts SET created_at = ? WHERE id IN (${oldest})`);
  age.run(Date.now() - retentionMs('posts', 400) - day, outdated);
  database.close();
}

async function firstLook(path: string): Promise<FirstLook> {
  const service = await startCountingService(20);
  const workspace = await startSide<WorkspaceJob>('workspace');
  const bot = await startSide<BotJob>('rollcall-whole');
  try {
    const job = { channels, postsPerMinute: postsPerSecond * 60 };
    const { apiUrl, botToken, appToken } = (await workspace.run(job)).outcome as WorkspaceAddress;
    const environment = {
      ...startSettings(apiUrl, path),
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      REPORTING_BASE_URL: service.url,
      NAMES_DAILY: 'no',
      REPORTING_REQUESTS_PER_MINUTE: '6000',
      OPERATIONS_PORT: '',
    };
    await bot.run({ environment, postsPerSecond });
    const ready = Date.now();
    const stalls: number[] = [];
    for (let second = 0; second < watchedSeconds; second += 1) {
      await wait(1000);
      stalls.push(((await bot.run('how')).outcome as BotState).longestStall);
    }
    const posts = (await workspace.run('posts')).outcome as Posts;
    if (posts.count !== due) throw new Error(`${posts.count} of ${due} digests were posted`);
    return { seconds: (posts.last - ready) / 1000, stalls };
  } finally {
    await bot.stop();
    await workspace.stop();
    service.stop();
  }
}
