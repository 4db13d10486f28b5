import { join } from 'node:path';
import { recordsPerBlock } from '../answers/answer-bytes.js';
import type { BenchLine } from '../harness/line.js';
import { atMost, type Measured, type Pair, ratioAtLeast, ratioBeside } from '../harness/measured.js';
import type { AnswerJob } from '../sides/jobs.js';
import { inFreshProcess, same, startedSide, startReadings } from './readings.js';

const million = 1_000_000;
/** Rows of which each is of another person. */
const everybody = 100_000;
const pairs = 3;

/** What it costs that everybody can see which files held them: the people of a file are numbered while it streams past. */
export const countingPeople: BenchLine = {
  name: 'counting-people',
  title: 'A file of a million rows, without and with the numbers of its people in the database',
  async run(bench) {
    const readings = await startReadings(bench);
    let databases = 0;

    /** The same job without and with numbers, with a new database in both. */
    function bothOf(kind: 'repeated' | 'engagement', records: number) {
      databases += 1;
      const path = join(bench.folder, `${databases}.db`);
      const job = (numbers: boolean): AnswerJob => ({
        ...readings.job(kind, records),
        database: { path, numbers },
      });
      return { without: job(false), counting: job(true) };
    }

    /** The file without numbers, with new ones, and with those that the database has. */
    async function measure(kind: 'repeated' | 'engagement', records: number, count: number) {
      const [first, later]: [Pair[], Pair[]] = [[], []];
      for (let pair = 1; pair <= count; pair += 1) {
        const { without, counting } = bothOf(kind, records);
        const { seconds: theirs } = await inFreshProcess('rollcall', without);
        const expected = await readings.hashOfCsv();
        for (const found of [first, later]) {
          const { seconds: ours } = await inFreshProcess('rollcall', counting);
          same('The CSV', await readings.hashOfCsv(), expected);
          found.push({ theirs, ours });
        }
        const all = [theirs, first.at(-1)?.ours, later.at(-1)?.ours].map((one) => one?.toFixed(2));
        bench.say(`${records} rows (${kind}), pair ${pair}: ${all.join(', ')} s`);
      }
      return { first, later };
    }

    /** Peak memory above that of the same process without numbers, in megabytes. */
    async function growth(records: number) {
      const peakOf = async (job: AnswerJob) => {
        const side = await startedSide('rollcall', job);
        try {
          await side.run(job);
          return (await side.memory()).peak;
        } finally {
          await side.stop();
        }
      };
      const { without, counting } = bothOf('repeated', records);
      const grown = (await peakOf(counting)) - (await peakOf(without));
      bench.say(`${records} rows: ${grown.toFixed(1)} MB more`);
      return grown;
    }

    try {
      const some = await measure('repeated', million, pairs);
      const all = await measure('engagement', everybody, 1);
      const people = recordsPerBlock.toLocaleString('en');
      const measured: Measured[] = [
        // Each person is new once.
        ratioBeside(`a million rows of ${people} people who are new`, some.first),
        ratioAtLeast(`a million rows of ${people} people who have numbers`, some.later, { atLeast: 0.4 }),
        ratioBeside(`${everybody.toLocaleString('en')} rows of as many people who are new`, all.first),
        ratioBeside('the same people once they have numbers', all.later),
      ];
      for (const records of [million, 8 * million]) {
        const grown: number[] = [];
        for (let run = 0; run < pairs; run += 1) grown.push(await growth(records));
        const what = `${records.toLocaleString('en')} rows of ${people} people, memory above the same without`;
        measured.push(atMost(what, grown, { limit: 60, unit: 'MB' }));
      }
      return measured;
    } finally {
      await readings.stop();
    }
  },
};
