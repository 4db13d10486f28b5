import type { BenchLine } from '../harness/line.js';
import { atMost, type Measured } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { AnswerJob } from '../sides/jobs.js';
import { same, startReadings } from './readings.js';

const megabytes = 60;

/** The memory of the process that reads an answer of any length. */
export const answerMemory: BenchLine = {
  name: 'answer-memory',
  title:
    'Peak resident memory of the process that turns an answer into CSV and figures, above the same process idle',
  async run(bench) {
    const readings = await startReadings(bench);
    const measured: Measured[] = [];
    const growth = async (records: number, runs: number, options: readonly string[], figures: boolean) => {
      const grown: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const job = readings.job('engagement', records, { figures });
        const { outcome, memory, milliseconds } = await inOneGo(job, options);
        same('The number of records', (outcome as { records: number }).records, records);
        grown.push(memory.peak - memory.idle);
        bench.say(
          `${records} records ${options.join(' ')}: ${memory.idle.toFixed(0)} MB idle, at most ${memory.peak.toFixed(0)} MB, ${(milliseconds / 1000).toFixed(1)} s`,
        );
      }
      return grown;
    };
    const add = async (records: number, runs: number, options: readonly string[] = [], figures = true) => {
      const without = figures ? [] : ['without figures'];
      const what = [`${records.toLocaleString('en')} records`, ...without, ...options].join(', ');
      measured.push(
        atMost(what, await growth(records, runs, options, figures), { limit: megabytes, unit: 'MB' }),
      );
    };
    try {
      await add(100_000, 3);
      await add(1_000_000, 3);
      const [hash, bytes] = [await readings.hashOfCsv(), await readings.bytesOfCsv()];
      await add(4_000_000, 1, [], false);
      // Figures count two million different people.
      await add(4_000_000, 3);
      same('The first million rows of four', await readings.hashOfCsv(bytes), hash);
      const little = ['--max-old-space-size=96'];
      await add(100_000, 1, little);
      await add(1_000_000, 1, little);
      await add(4_000_000, 1, little);
      same('The first million rows of four', await readings.hashOfCsv(bytes), hash);
      return measured;
    } finally {
      await readings.stop();
    }
  },
};

/** Does a job in a fresh process that has done nothing before. */
async function inOneGo(job: AnswerJob, options: readonly string[]) {
  const side = await startSide<AnswerJob>('rollcall', options);
  try {
    const done = await side.run(job);
    return { ...done, memory: await side.memory() };
  } finally {
    await side.stop();
  }
}
