import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { endOf } from '../../playground/processes/end-of.js';
import { startPostgres } from '../../playground/processes/postgres.js';
import { plainRequest } from '../../src/requests/request.js';
import { openStore, type Store } from '../../src/store/store.js';
import { startSilentService } from '../answers/counting-service.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, type Measured, type Pair, ratioAtLeast } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import { startSettings } from '../harness/start-program.js';
import type { ListenJob } from '../sides/jobs.js';
import { sendCommands } from '../slack/send-commands.js';
import { startStubSlack } from '../slack/stub-slack.js';

const recordKey = randomBytes(32).toString('hex');
const now = 1_795_000_000_000;
const storePairs = 7;
const records = 400;
const claimed = 2_000;
const batch = 24;
const acknowledgingPairs = 5;
const runs = 300;
const takeOvers = 3;
/** Runs need about this time to write their rows before their first query. */
const settleMs = 2000;

/** Several processes on one PostgreSQL. */
export const processes: BenchLine = {
  name: 'processes',
  title: 'Several processes on one PostgreSQL: the store, acknowledging, and taking over',
  async run(bench) {
    const server = await startPostgres();
    const slack = await startStubSlack();
    try {
      return [
        ...(await compareStore(`${server.url}?search_path=store`, bench)),
        ...(await compareAcknowledging(server.url, slack.apiUrl, bench)),
        ...(await measureTakeOvers(`${server.url}?search_path=taking`, slack.apiUrl, bench)),
      ];
    } finally {
      await slack.stop();
      await server.stop();
    }
  },
};

/** The same statements through the store and on bare pg, one after the other. */
async function compareStore(url: string, bench: Bench): Promise<readonly Measured[]> {
  const store = await openStore(url, () => now, { recordKey });
  const { searchParams } = new URL(url);
  const bare = new pg.Client({
    connectionString: url.split('?')[0],
    options: `-c search_path=${searchParams.get('search_path')}`,
  });
  await bare.connect();
  const recording: Pair[] = [];
  const claiming: Pair[] = [];
  try {
    await fill(bare);
    for (let pair = 0; pair <= storePairs; pair += 1) {
      const record = { theirs: await recordBare(bare), ours: await recordOurs(store) };
      const claim = { theirs: await claimBare(bare), ours: await claimOurs(store, bare) };
      // The first pair warms both sides up.
      if (pair === 0) continue;
      recording.push(record);
      claiming.push(claim);
      bench.say(`pair ${pair}: recording ${said(record)}, claiming ${said(claim)}`);
    }
  } finally {
    await bare.end();
    await store.close();
  }
  return [
    ratioAtLeast(`recording ${records} requests over a socket`, recording, { atLeast: 0.5 }),
    ratioAtLeast(`claiming ${claimed} due digests over a socket`, claiming, { atLeast: 0.5 }),
  ];
}

async function secondsFor(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

const request = plainRequest('tracks');

function recordOurs({ requestLog }: Store): Promise<number> {
  return secondsFor(async () => {
    for (let n = 0; n < records; n += 1)
      await requestLog.record({ channel: 'C1', asker: 'U1', request, requestedAt: now });
  });
}

let bareIds = 0;

function recordBare(bare: pg.Client): Promise<number> {
  return secondsFor(async () => {
    for (let n = 0; n < records; n += 1) {
      bareIds += 1;
      const id = `bare${bareIds}`;
      await bare.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('bench', 0))");
      await bare.query(
        `INSERT INTO posts (workspace, id, kind, channel, due_at, state, created_at, attempts, process)
         VALUES ('', $1, 'answer', 'C1', $2, 'running', $2, 1, 'bare')`,
        [id, now],
      );
      await bare.query(
        `INSERT INTO requests (workspace, id, post, channel, asker, request, requested_at)
         VALUES ('', $1, $1, 'C1', 'U1', $2, $3)`,
        [id, JSON.stringify(request), now],
      );
      await bare.query('COMMIT');
    }
  });
}

async function fill(bare: pg.Client): Promise<void> {
  await bare.query(
    `INSERT INTO posts (workspace, id, kind, digest, channel, due_at, dedupe_key, state, created_at)
     SELECT '', 'run' || n, 'digest', 'digest' || n, 'C' || n, $1::bigint, 'query' || n % 200, 'queued', $1::bigint
     FROM generate_series(1, $2::int) AS n`,
    [now, claimed],
  );
}

async function makeReady(bare: pg.Client): Promise<void> {
  await bare.query(
    "UPDATE posts SET state = 'queued', ready_at = $1, lease_until = NULL WHERE kind = 'digest'",
    [now],
  );
  await bare.query('VACUUM ANALYZE posts');
}

async function claimOurs({ ledger }: Store, bare: pg.Client): Promise<number> {
  await makeReady(bare);
  const order = { worker: 'ours', now, leaseMs: 60_000, limit: batch, busyChannels: [] };
  return secondsFor(async () => {
    while ((await ledger.claim(order)).length > 0);
  });
}

/** Claims runs and reads the claimed rows. */
async function claimBare(bare: pg.Client): Promise<number> {
  await makeReady(bare);
  const claim = `UPDATE posts
    SET lease_owner = 'bare', lease_until = $1, ready_at = NULL, attempts = attempts + 1, state = 'running'
    WHERE state = 'queued' AND workspace = '' AND ready_at <= $2 AND id IN (
      SELECT id FROM (
        SELECT id, ready_at, dedupe_key,
          ROW_NUMBER() OVER (PARTITION BY channel ORDER BY ready_at, dedupe_key, id) AS place
        FROM (SELECT id, channel, ready_at, dedupe_key FROM posts
          WHERE workspace = '' AND ready_at <= $2 ORDER BY ready_at, dedupe_key, id LIMIT 200) AS waiting
      ) AS placed
      WHERE place = 1 ORDER BY ready_at, dedupe_key, id LIMIT $3
    )
    RETURNING id, parent`;
  const look = `SELECT posts.*, files.state AS file_state, files.id AS file_id
    FROM posts LEFT JOIN posts AS files ON files.parent = posts.id AND files.workspace = ''
    WHERE posts.workspace = '' AND posts.id = ANY($1)`;
  return secondsFor(async () => {
    for (;;) {
      const { rows } = await bare.query<{ id: string }>(claim, [now + 60_000, now, batch]);
      if (rows.length === 0) return;
      await bare.query(look, [rows.map(({ id }) => id)]);
    }
  });
}

/** Two processes on one database: the first one leads. */
async function compareAcknowledging(
  server: string,
  apiUrl: string,
  bench: Bench,
): Promise<readonly Measured[]> {
  const service = await startSilentService();
  const measured: Pair[] = [];
  try {
    for (let pair = 1; pair <= acknowledgingPairs; pair += 1) {
      const job: ListenJob = {
        apiUrl,
        serviceUrl: service.url,
        databasePath: '',
        settings: {
          DATABASE_URL: `${server}?search_path=acknowledging_${pair}`,
          RECORD_KEY: recordKey,
        },
      };
      const sides = [];
      for (let n = 0; n < 2; n += 1) {
        const side = await startSide<ListenJob>('rollcall-over-http');
        sides.push({ side, port: ((await side.run(job)).outcome as { port: number }).port });
        // The first one takes the lead before the second one starts.
        await wait(500);
      }
      const seconds = [Number.NaN, Number.NaN];
      for (const { port } of sides) await sendCommands(port, 30, runWords);
      // The runs of the first process would slow down the measurement of the second one.
      for (const n of pair % 2 === 0 ? [0, 1] : [1, 0]) {
        const { port } = sides[n] ?? { port: 0 };
        await wait(settleMs);
        seconds[n] = (await sendCommands(port, runs, runWords)).seconds;
      }
      const [theirs = Number.NaN, ours = Number.NaN] = seconds;
      measured.push({ theirs, ours });
      bench.say(`pair ${pair}: acknowledging ${said({ theirs, ours })}`);
      await Promise.all(sides.map(({ side }) => side.stop()));
    }
  } finally {
    service.stop();
  }
  return [ratioAtLeast(`acknowledging ${runs} runs where another process leads`, measured, { atLeast: 0.5 })];
}

function runWords(n: number): string {
  return `engagement last-week departments:"Department ${n}"`;
}

/** Seconds from the end of the leading process until another one leads. */
async function measureTakeOvers(url: string, apiUrl: string, bench: Bench): Promise<readonly Measured[]> {
  const after: Record<'SIGKILL' | 'SIGTERM', number[]> = { SIGKILL: [], SIGTERM: [] };
  let leader = await startBot(url, apiUrl);
  await leader.says('This process leads');
  for (let n = 0; n < takeOvers; n += 1) {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const next = await startBot(url, apiUrl);
      after[signal].push(
        await secondsFor(async () => {
          leader.child.kill(signal);
          await next.says('This process leads');
        }),
      );
      leader = next;
    }
  }
  leader.child.kill('SIGTERM');
  await leader.ended;
  bench.say(`taking over after ${JSON.stringify(after)} s`);
  return [
    atMost('taking over after kill -9', after.SIGKILL, { limit: 15, unit: 's' }),
    atMost('taking over at an orderly stop', after.SIGTERM, { limit: 2, unit: 's' }),
  ];
}

interface Bot {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  /** Resolves when its output contains these words. */
  says(words: string): Promise<void>;
}

async function startBot(url: string, apiUrl: string): Promise<Bot> {
  const path = fileURLToPath(new URL('../../bot/main.js', import.meta.url));
  const child = spawn(process.execPath, [path], {
    env: {
      PATH: process.env.PATH ?? '',
      ...startSettings(apiUrl, ''),
      DATABASE_URL: url,
      RECORD_KEY: recordKey,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = endOf(child, 'The bot');
  let broken: unknown;
  ended.catch((error) => {
    broken = error;
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const says = async (words: string) => {
    while (!said.includes(words)) {
      if (broken !== undefined) throw broken;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The bot ended without saying “${words}”`);
      await wait(5);
    }
  };
  await says('Rollcall ready');
  return { child, ended, says };
}

function said({ theirs, ours }: Pair): string {
  return `${theirs.toFixed(2)} and ${ours.toFixed(2)} s`;
}
