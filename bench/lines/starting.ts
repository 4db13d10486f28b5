import { join } from 'node:path';
import type { BenchLine } from '../harness/line.js';
import { atMost, type Measured } from '../harness/measured.js';
import { type Started, start, startSettings } from '../harness/start-program.js';
import { startStubSlack } from '../slack/stub-slack.js';

const pairs = 5;
const megabytes = 45;
const times = 2;

/** Milliseconds after the start until a process counts as idle. */
const idleAfter = 2000;

/** The time from start to readiness, and the memory when idle. */
export const starting: BenchLine = {
  name: 'starting',
  title: 'The start and the idle memory of the whole program, against a bare Bolt application',
  async run(bench) {
    const slack = await startStubSlack();
    const theirs: Started[] = [];
    const ours: Started[] = [];
    try {
      for (let pair = 1; pair <= pairs; pair += 1) {
        const environment = startSettings(slack.apiUrl, join(bench.folder, `start-${pair}.db`));
        theirs.push(
          await start('dist/bench/sides/bare-bolt-program.js', 'Bolt ready', environment, idleAfter),
        );
        ours.push(await start('dist/bot/main.js', 'Rollcall ready', environment, idleAfter));
        const [other, own] = [theirs.at(-1), ours.at(-1)];
        if (other && own) bench.say(`pair ${pair}: ${said(other)} and ${said(own)}`);
      }
    } finally {
      await slack.stop();
    }
    return [startWithin(theirs, ours), memoryWithin(theirs, ours)];
  },
};

function startWithin(theirs: readonly Started[], ours: readonly Started[]): Measured {
  const ratios = ours.map(({ seconds }, n) => seconds / (theirs[n]?.seconds ?? Number.NaN));
  return atMost('start, compared with that of a bare Bolt application', ratios, {
    limit: times,
    unit: 'times',
  });
}

function memoryWithin(theirs: readonly Started[], ours: readonly Started[]): Measured {
  const more = ours.map((own, n) => own.megabytes - (theirs[n]?.megabytes ?? Number.NaN));
  return atMost('idle memory above that of a bare Bolt application', more, { limit: megabytes, unit: 'MB' });
}

function said({ seconds, megabytes: memory }: Started): string {
  return `${seconds.toFixed(2)} s, ${memory.toFixed(0)} MB`;
}
