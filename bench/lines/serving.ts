import { request } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { allReports, type ReportName, reportNamed } from '../../src/catalogue/index.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { atMost, type Measured, type Pair, ratioAtLeast } from '../harness/measured.js';
import { type SideProcess, startSide } from '../harness/side-process.js';
import { bareStatement } from '../sides/bare-statement.js';
import type { KeptWorld, ReportJob, ReportRead, ServiceJob, Stalls } from '../sides/service-jobs.js';
import { same } from './readings.js';

const day = 24 * 60 * 60;
const now = Date.UTC(2026, 10, 20, 9, 30) / 1000;
const learners = 50_000;
const pairCount = 3;

/** Ranges with tens of thousands of records. Assessments have no range, and engagement always covers everybody. */
const windows: Readonly<Record<ReportName, number>> = {
  assignments: 8,
  tracks: 60,
  completions: 12,
  assessments: 1,
  engagement: 30,
  workshops: 420,
};

/** As `npm run reporting-service` starts it: V8's young generation would otherwise grow fourfold without a gain. */
const asStarted = ['--max-semi-space-size=4'];

interface Address {
  readonly url: string;
  readonly token: string;
}

/** The time in which the reference service generates a large organization and answers queries about it. */
export const serving: BenchLine = {
  name: 'serving',
  title: `The reporting service at ${learners.toLocaleString('en')} learners, against reading and stringifying its rows in a bare loop`,
  async run(bench) {
    const world: KeptWorld = { path: join(bench.folder, 'world.db'), learners, now };
    const measured: Measured[] = [];
    const service = await startSide<ServiceJob>('reporting-service', asStarted);
    const bare = await startSide<ReportJob>('bare-report');
    try {
      const made = await service.run(world);
      bench.say(`made the world in ${(made.milliseconds / 1000).toFixed(0)} s`);
      measured.push(atMost('Making the world', [made.milliseconds / 1000], { limit: 120, unit: 's' }));
      const address = made.outcome as Address;
      for (const { name } of allReports) {
        const job = everyField(world, name, now - windows[name] * day, now);
        await compare({ ...job, from: now - 2 * day }, address);
        const pairs = await pairsOf(bench, job, address, bare);
        measured.push(ratioAtLeast(name, pairs, { atLeast: 0.6, aim: 1 }));
      }
    } finally {
      await service.stop();
      await bare.stop();
    }
    measured.push(...(await memoryAndStalls(bench, world)));
    return measured;
  },
};

function everyField(world: KeptWorld, report: ReportName, from: number, until: number): ReportJob {
  return { world, report, from, until, flags: reportNamed(report).fields.map(({ flag }) => flag) };
}

async function pairsOf(
  bench: Bench,
  job: ReportJob,
  address: Address,
  bare: SideProcess<ReportJob>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  let records = 0;
  for (let pair = -1; pair < pairCount; pair += 1) {
    const theirs = await bare.run(job);
    const begun = performance.now();
    await take(job, address);
    const ours = performance.now() - begun;
    records = (theirs.outcome as ReportRead).records;
    if (pair >= 0) pairs.push({ theirs: theirs.milliseconds / 1000, ours: ours / 1000 });
  }
  const fastest = Math.min(...pairs.map(({ ours }) => ours));
  bench.say(
    `${job.report}: ${records} records, ${Math.round(records / fastest).toLocaleString('en')} a second at best`,
  );
  return pairs;
}

/** Peak resident memory and event loop delays of fresh processes that send answers of that many records. */
async function memoryAndStalls(bench: Bench, world: KeptWorld): Promise<Measured[]> {
  const small = await strain(everyField(world, 'completions', now - 2 * day, now));
  const large = await strain(everyField(world, 'completions', now - 360 * day, now));
  for (const { records, megabytes, stalls } of [small, large]) {
    bench.say(
      `${records} records: at most ${megabytes.toFixed(0)} MB, longest stall ${stalls.longest.toFixed(0)} ms`,
    );
  }
  if (large.records < 500_000) throw new Error(`There are only ${large.records} completions`);
  return [
    atMost(
      `Memory at ${large.records} records, compared with ${small.records}`,
      [large.megabytes / small.megabytes],
      { limit: 1.5, unit: 'times' },
    ),
    atMost('Time between two turns of the event loop, 99 of 100', [large.stalls.usual], {
      limit: 20,
      unit: 'ms',
    }),
  ];
}

async function strain(job: ReportJob): Promise<{ records: number; megabytes: number; stalls: Stalls }> {
  const service = await startSide<ServiceJob>('reporting-service', asStarted);
  try {
    const { outcome } = await service.run(job.world);
    await service.run('stalls');
    const { records } = await take(job, outcome as Address);
    const stalls = (await service.run('stalls')).outcome as Stalls;
    return { records, megabytes: (await service.memory()).peak, stalls };
  } finally {
    await service.stop();
  }
}

/** Reads a whole answer and discards it. */
async function take(job: ReportJob, address: Address): Promise<{ records: number }> {
  // Every record begins with its first field. Inside text, its quotes would be escaped.
  const beginning = Buffer.from(`{"${job.flags[0]}":`);
  let records = 0;
  let rest = Buffer.alloc(0);
  await ask(job, address, (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(beginning); at >= 0; at = bytes.indexOf(beginning, at + 1)) records += 1;
    rest = bytes.subarray(Math.max(0, bytes.length - beginning.length + 1));
  });
  return { records };
}

/** Checks on a few days that answers hold what the bare loop reads. */
async function compare(job: ReportJob, address: Address): Promise<void> {
  const chunks: Buffer[] = [];
  await ask(job, address, (chunk) => chunks.push(chunk));
  const { sql, parameters } = bareStatement(job);
  const db = new Database(job.world.path, { readonly: true });
  const rows = db.prepare<[object], Record<string, unknown>>(sql).all(parameters);
  db.close();
  const kinds = new Map(reportNamed(job.report).fields.map(({ flag, kind }) => [flag, kind]));
  const asRecords = rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([flag, value]) => {
        const isJson = ['yes-no', 'list', 'object', 'metadata'].includes(kinds.get(flag) ?? '');
        return [flag, isJson && typeof value === 'string' ? JSON.parse(value) : value];
      }),
    ),
  );
  const answered: unknown[] = JSON.parse(Buffer.concat(chunks).toString());
  const rounded = (value: unknown) =>
    JSON.stringify(value, (_, each) => (typeof each === 'number' ? Number(each.toPrecision(12)) : each));
  same(`The answer of ${job.report}`, rounded(answered), rounded(asRecords));
}

function ask(job: ReportJob, { url, token }: Address, take: (chunk: Buffer) => void): Promise<void> {
  const { operation, range } = reportNamed(job.report);
  const path = `${url}/api/v1/reports/${operation}${range ? `/${job.from}/${job.until}` : ''}`;
  const headers = { authorization: token, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const query = request(path, { method: 'POST', headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${job.report} answered ${response.statusCode}`));
      response.on('data', take);
      response.on('end', resolve);
      response.on('error', reject);
    });
    query.on('error', reject);
    query.end(JSON.stringify(Object.fromEntries(job.flags.map((flag) => [flag, true]))));
  });
}
