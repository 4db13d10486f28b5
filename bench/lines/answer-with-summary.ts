import type { Figure } from '../../src/figures/result.js';
import type { BenchLine } from '../harness/line.js';
import { ratioAtLeast } from '../harness/measured.js';
import { inFreshProcess, pairsOf, same, startReadings } from './readings.js';

/** Like `answer-to-csv`, with the figures of the report. */
export const answerWithSummary: BenchLine = {
  name: 'answer-with-summary',
  title:
    'An answer over loopback HTTP to a CSV on disk and its figures, against fetching and parsing everything',
  async run(bench) {
    const readings = await startReadings(bench);
    try {
      const measured = [];
      for (const [records, count, atLeast] of [
        [100_000, 7, 1.6],
        [800_000, 3, 2.2],
      ] as const) {
        const job = readings.job('engagement', records, { figures: true });
        const plain = await inFreshProcess('naive-csv', job);
        const expected = await readings.hashOfCsv();
        const pairs = await pairsOf(bench, 'parse-everything', job, count, async (outcome) => {
          same('The CSV', await readings.hashOfCsv(), expected);
          same('The figures', figureSums(outcome), fieldSums(plain.outcome));
        });
        measured.push(ratioAtLeast(`${records.toLocaleString('en')} records`, pairs, { atLeast }));
      }
      return measured;
    } finally {
      await readings.stop();
    }
  },
};

/** The figures that are plain sums, by the field that each sums up. */
function figureSums(outcome: unknown): Record<string, number> {
  const { figures } = outcome as { figures: readonly Figure[] };
  const value = (id: string) => figures.find((figure) => figure.id === id)?.value;
  const count = (id: string) => {
    const found = value(id);
    return found?.kind === 'count' ? found.count : Number.NaN;
  };
  const time = value('time');
  return {
    seconds_viewed: time?.kind === 'duration' ? time.seconds : Number.NaN,
    sessions: count('sessions'),
    assignments_completed: count('assignments-completed'),
    tracks_completed: count('tracks-completed'),
  };
}

/** The same sums from the parsed answer. */
function fieldSums(outcome: unknown): Record<string, number> {
  const { sums } = outcome as { sums: Record<string, number> };
  const { seconds_viewed = 0, sessions = 0, assignments_completed = 0, tracks_completed = 0 } = sums;
  return { seconds_viewed, sessions, assignments_completed, tracks_completed };
}
