import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import type { AnswerKind } from '../answers/answer-bytes.js';
import { startAnswerServer } from '../answers/start-answer-server.js';
import type { Bench } from '../harness/line.js';
import type { Pair } from '../harness/measured.js';
import { type SideProcess, startSide } from '../harness/side-process.js';
import type { AnswerJob } from '../sides/jobs.js';

/** The answers that a line reads repeatedly. */
export interface Readings {
  job(kind: AnswerKind, records: number, options?: { figures?: boolean; gzip?: boolean }): AnswerJob;
  /** SHA-256 of the CSV of the last job, or of its first bytes. */
  hashOfCsv(bytes?: number): Promise<string>;
  bytesOfCsv(): Promise<number>;
  stop(): Promise<void>;
}

export async function startReadings({ folder }: Bench): Promise<Readings> {
  const server = await startAnswerServer();
  const csvPath = join(folder, 'answer.csv');
  return {
    job: (kind, records, { figures = false, gzip = false } = {}) => ({
      address: gzip ? `${server.address}/gzip` : server.address,
      kind,
      records,
      csvPath,
      figures,
    }),
    async hashOfCsv(bytes = Number.POSITIVE_INFINITY) {
      const hash = createHash('sha256');
      await pipeline(createReadStream(csvPath, { end: bytes - 1 }), hash);
      return hash.digest('hex');
    },
    bytesOfCsv: async () => (await stat(csvPath)).size,
    async stop() {
      await server.stop();
      await rm(csvPath, { force: true });
    },
  };
}

/** A small answer of the same kind opens connections and starts threads before the measurement. */
const firstRecords = 100;

/** Starts a side and lets it read a small answer. */
export async function startedSide(
  file: string,
  job: AnswerJob,
  options: readonly string[] = [],
): Promise<SideProcess<AnswerJob>> {
  const side = await startSide<AnswerJob>(file, options);
  await side.run({ ...job, records: firstRecords });
  return side;
}

/** Does a job once in a fresh process. Returns seconds. */
export async function inFreshProcess(
  file: string,
  job: AnswerJob,
): Promise<{ seconds: number; outcome: unknown }> {
  const side = await startedSide(file, job);
  try {
    const { milliseconds, outcome } = await side.run(job);
    return { seconds: milliseconds / 1000, outcome };
  } finally {
    await side.stop();
  }
}

/** Measures both sides in turns, each run in a fresh process, and checks our output each time. */
export async function pairsOf(
  bench: Bench,
  theirs: string,
  job: AnswerJob,
  count: number,
  check: (outcome: unknown) => Promise<void>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let pair = 1; pair <= count; pair += 1) {
    const other = await inFreshProcess(theirs, job);
    const own = await inFreshProcess('rollcall', job);
    await check(own.outcome);
    pairs.push({ theirs: other.seconds, ours: own.seconds });
    bench.say(
      `${job.kind} ${job.records}, pair ${pair}: ${other.seconds.toFixed(2)} and ${own.seconds.toFixed(2)} s`,
    );
  }
  return pairs;
}

/** Throws if a measured output is wrong: a fast wrong answer is no result. */
export function same(what: string, found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`${what} differs from the plain computation`);
}
