import { join } from 'node:path';
import { startAnswerServer } from '../answers/start-answer-server.js';
import type { BenchLine } from '../harness/line.js';
import { type Pair, ratioAtLeast } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { OverTimeJob } from '../sides/jobs.js';

const records = 100_000;
const weeks = 12;
const runs = 3;

/** One query for each week the first time, and for the newest alone once the others are kept. */
export const overTime: BenchLine = {
  name: 'over-time',
  title: `Engagement over ${weeks} weeks of ${records.toLocaleString('en')} people each, for the first and the second time`,
  async run(bench) {
    const server = await startAnswerServer();
    const first: Pair[] = [];
    const second: Pair[] = [];
    try {
      for (let run = 1; run <= runs; run += 1) {
        const side = await startSide<OverTimeJob>('over-time');
        const secondsOf = async (job: Omit<OverTimeJob, 'address'>, queries: number) => {
          const { milliseconds, outcome } = await side.run({ address: server.address, ...job });
          const asked = (outcome as { queries: number }).queries;
          if (asked !== queries) throw new Error(`It took ${asked} queries, not ${queries}`);
          return milliseconds / 1000;
        };
        try {
          // Opens connections and starts the thread.
          await secondsOf({ records: 100, weeks }, weeks);
          const databasePath = join(bench.folder, `over-time-${run}.db`);
          const alone = await secondsOf({ records, weeks }, weeks);
          const whole = await secondsOf({ records, weeks, databasePath }, weeks);
          const again = await secondsOf({ records, weeks, databasePath }, 1);
          first.push({ theirs: alone, ours: whole });
          second.push({ theirs: whole, ours: again });
          bench.say(`run ${run}: ${[alone, whole, again].map((each) => each.toFixed(2)).join(', ')} s`);
        } finally {
          await side.stop();
        }
      }
    } finally {
      await server.stop();
    }
    return [
      ratioAtLeast('the weeks asked for one by one, by the first time', first, { atLeast: 0.8 }),
      ratioAtLeast('the first time, by the second', second, { atLeast: 4 }),
    ];
  },
};
