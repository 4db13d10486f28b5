import { startAnswerServer } from '../answers/start-answer-server.js';
import type { BenchLine } from '../harness/line.js';
import { atMost } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { BreakdownJob } from '../sides/jobs.js';

const people = 8_000;
const groups = 200;

/** Long enough to be cancelled, and to keep somebody else waiting. */
const manyPeople = 80_000;
const cancelAfterMs = [100, 300, 500, 700];

const runs = 3;

/** One ordinary question about groups that overlap, by a member whose figures are protected. */
export const protectedBreakdown: BenchLine = {
  name: 'protected-breakdown',
  title: `Engagement of ${people.toLocaleString('en')} people by ${groups} groups that overlap, small groups protected`,
  async run(bench) {
    const server = await startAnswerServer();
    const seconds: number[] = [];
    const megabytes: number[] = [];
    const cancelled: number[] = [];
    const others: number[] = [];
    try {
      for (let run = 1; run <= runs; run += 1) {
        const { address } = server;
        const side = await startSide<BreakdownJob>('protected-breakdown');
        try {
          const { milliseconds, outcome } = await side.run({ address, people });
          const { lines } = outcome as { lines: number };
          if (lines !== groups) throw new Error(`The answer has ${lines} groups, not ${groups}`);
          const { idle, peak } = await side.memory();
          seconds.push(milliseconds / 1000);
          megabytes.push(peak - idle);
          const other = await side.run({ address, people: manyPeople, withAnother: true });
          others.push(millisecondsOf(other.outcome) / 1000);
          for (const after of cancelAfterMs) {
            const cancel = await side.run({ address, people: manyPeople, cancelAfterMs: after });
            cancelled.push(millisecondsOf(cancel.outcome) / 1000);
          }
          bench.say(
            `run ${run}: ${(milliseconds / 1000).toFixed(2)} s, ${(peak - idle).toFixed(0)} MB, another ${others.at(-1)?.toFixed(2)} s, cancelled in ${cancelled.slice(-cancelAfterMs.length).map((each) => each.toFixed(2))} s`,
          );
        } finally {
          await side.stop();
        }
      }
    } finally {
      await server.stop();
    }
    const many = `of ${manyPeople.toLocaleString('en')} people`;
    return [
      atMost('from the query to the table', seconds, { limit: 10, unit: 's' }),
      atMost('memory above idle', megabytes, { limit: 300, unit: 'MB' }),
      atMost(`from Cancel to its end, ${many}, the slowest`, [Math.max(...cancelled)], {
        limit: 1,
        unit: 's',
      }),
      atMost(`a small answer beside one ${many}, the slowest`, [Math.max(...others)], {
        limit: 1,
        unit: 's',
      }),
    ];
  },
};

function millisecondsOf(outcome: unknown): number {
  return (outcome as { milliseconds: number }).milliseconds;
}
