import type { BenchLine } from '../harness/line.js';
import { type Pair, ratioAtLeast } from '../harness/measured.js';
import { inFreshProcess, same, startReadings } from './readings.js';

/** The same question, with the same fields: three conditions that every row meets cost at most a tenth. */
export const conditions: BenchLine = {
  name: 'conditions',
  title:
    'An answer to a CSV on disk and its figures, without and with conditions on a list, a number and a date',
  async run(bench) {
    const readings = await startReadings(bench);
    try {
      const records = 800_000;
      const job = readings.job('engagement', records, { figures: true });
      const pairs: Pair[] = [];
      for (let pair = 1; pair <= 5; pair += 1) {
        const without = await inFreshProcess('rollcall', job);
        const expected = await readings.hashOfCsv();
        const narrowed = await inFreshProcess('rollcall', { ...job, conditions: true });
        same('The CSV', await readings.hashOfCsv(), expected);
        same('The figures', narrowed.outcome, without.outcome);
        pairs.push({ theirs: without.seconds, ours: narrowed.seconds });
        bench.say(`pair ${pair}: ${without.seconds.toFixed(2)} and ${narrowed.seconds.toFixed(2)} s`);
      }
      return [ratioAtLeast(`${records.toLocaleString('en')} records`, pairs, { atLeast: 0.91 })];
    } finally {
      await readings.stop();
    }
  },
};
