import type { AnswerKind } from '../answers/answer-bytes.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { type Measured, type Pair, ratioAtLeast } from '../harness/measured.js';
import type { AnswerJob } from '../sides/jobs.js';
import { inFreshProcess, pairsOf, type Readings, same, startedSide, startReadings } from './readings.js';

const warmUps = 30;

/** An answer over loopback HTTP to a CSV on disk. */
export const answerToCsv: BenchLine = {
  name: 'answer-to-csv',
  title: 'An answer over loopback HTTP to a CSV on disk, against fetching and parsing everything',
  async run(bench) {
    const readings = await startReadings(bench);
    const against = (kind: AnswerKind, records: number, pairs: number, gzip = false) =>
      checkedPairs(bench, readings, 'parse-everything', readings.job(kind, records, { gzip }), pairs);
    try {
      return [
        ratioAtLeast('100,000 records', await against('engagement', 100_000, 7), { atLeast: 2 }),
        ratioAtLeast('800,000 records', await against('engagement', 800_000, 3), { atLeast: 2.8 }),
        ratioAtLeast('10,000 records, warm', await warmPairs(bench, readings, 10_000, 25), { atLeast: 0.7 }),
        ratioAtLeast('100,000 nested records', await against('completions', 100_000, 5), { atLeast: 1.8 }),
        ratioAtLeast('the same with a late member', await against('completions-late', 100_000, 5), {
          atLeast: 0.5,
        }),
        ratioAtLeast('100,000 records, gzipped', await against('engagement', 100_000, 5, true), {
          atLeast: 1,
        }),
        ratioAtLeast('800,000 records, gzipped', await against('engagement', 800_000, 3, true), {
          atLeast: 1,
        }),
        await againstLibraries(bench, readings),
      ];
    } finally {
      await readings.stop();
    }
  },
};

/** Pairs in fresh processes. Each CSV is compared with a plainly computed one. */
async function checkedPairs(
  bench: Bench,
  readings: Readings,
  theirs: string,
  job: AnswerJob,
  count: number,
): Promise<Pair[]> {
  const plain = await inFreshProcess('naive-csv', job);
  const expected = await readings.hashOfCsv();
  bench.say(`${job.kind} ${job.records}: made the plain way in ${plain.seconds.toFixed(1)} s`);
  return pairsOf(bench, theirs, job, count, async () =>
    same('The CSV', await readings.hashOfCsv(), expected),
  );
}

/** Pairs in two processes that have read many answers before. */
async function warmPairs(bench: Bench, readings: Readings, records: number, count: number): Promise<Pair[]> {
  const job = readings.job('engagement', records);
  await inFreshProcess('naive-csv', job);
  const expected = await readings.hashOfCsv();
  const theirs = await startedSide('parse-everything', job);
  const ours = await startedSide('rollcall', job);
  const pairs: Pair[] = [];
  try {
    for (let pair = -warmUps; pair < count; pair += 1) {
      const [other, own] = [await theirs.run(job), await ours.run(job)];
      if (pair >= 0) pairs.push({ theirs: other.milliseconds / 1000, ours: own.milliseconds / 1000 });
    }
    same('The CSV', await readings.hashOfCsv(), expected);
    bench.say(`engagement ${records}: ${count} pairs after ${warmUps} to warm up`);
    return pairs;
  } finally {
    await theirs.stop();
    await ours.stop();
  }
}

/** Against the two usual libraries, which must write the same CSV. Once only, because they take a minute. */
async function againstLibraries(bench: Bench, readings: Readings): Promise<Measured> {
  const job = readings.job('engagement', 1_000_000);
  const theirs = await inFreshProcess('usual-libraries', job);
  const expected = await readings.hashOfCsv();
  const ours = await inFreshProcess('rollcall', job);
  same('The CSV', await readings.hashOfCsv(), expected);
  bench.say(`stream-json: ${theirs.seconds.toFixed(1)} and ${ours.seconds.toFixed(1)} s`);
  const pair = { theirs: theirs.seconds, ours: ours.seconds };
  return ratioAtLeast('1,000,000 records, against stream-json and csv-stringify', [pair], {
    atLeast: 4,
    aim: 8,
  });
}
