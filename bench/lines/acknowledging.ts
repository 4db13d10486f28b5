import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startSilentService } from '../answers/counting-service.js';
import type { Bench, BenchLine } from '../harness/line.js';
import { type Pair, ratioAtLeast, ratioBeside } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { BareListenJob, ListenJob } from '../sides/jobs.js';
import { type SendResult, sendCommands } from '../slack/send-commands.js';
import { startStubSlack } from '../slack/stub-slack.js';

const pairs = 5;
const helps = 3000;
const runs = 500;

/** Enough to warm up the code, and few enough to be quick. */
const warmUpRuns = 30;
const settleMs = 1000;

/** Commands over HTTP, with the signature checked, answered or acknowledged. */
export const acknowledging: BenchLine = {
  name: 'acknowledging',
  title:
    '/report help, against a bare Bolt listener that only acknowledges, and the acknowledgement of runs, against one that writes each down before',
  async run(bench) {
    const slack = await startStubSlack();
    const service = await startSilentService();
    const found: Record<'help' | 'durable' | 'bare', { rate: Pair[]; p99: Pair[] }> = {
      help: { rate: [], p99: [] },
      durable: { rate: [], p99: [] },
      bare: { rate: [], p99: [] },
    };
    try {
      for (let pair = 1; pair <= pairs; pair += 1) {
        const job = (side: string): ListenJob => ({
          apiUrl: slack.apiUrl,
          serviceUrl: service.url,
          databasePath: join(bench.folder, `${side}-${pair}.db`),
        });
        const bolt = (name: string, keepsPromises: boolean): BareListenJob => ({
          ...job(name),
          keepsPromises,
          answers: false,
        });
        const bare = await sendBothKinds('bare-bolt', bolt('bare', false));
        const durable = await sendBothKinds('bare-bolt', bolt('durable', true));
        const ours = await sendBothKinds('rollcall-over-http', job('rollcall'));
        for (const [kind, theirs, own] of [
          ['help', bare.help, ours.help],
          ['durable', durable.run, ours.run],
          ['bare', bare.run, ours.run],
        ] as const) {
          found[kind].rate.push({ theirs: theirs.seconds, ours: own.seconds });
          found[kind].p99.push({ theirs: theirs.p99, ours: own.p99 });
        }
        say(bench, pair, { bare, durable, ours });
      }
      return [
        ratioAtLeast('/report help, rate', found.help.rate, { atLeast: 0.5 }),
        ratioAtLeast('/report help, p99', found.help.p99, { atLeast: 0.5, unit: 'ms' }),
        ratioAtLeast(`acknowledging ${runs} runs at a time, rate`, found.durable.rate, { atLeast: 0.5 }),
        ratioAtLeast(`acknowledging ${runs} runs at a time, p99`, found.durable.p99, {
          atLeast: 0.5,
          unit: 'ms',
        }),
        ratioBeside('the same against the bare one, rate', found.bare.rate),
        ratioBeside('the same against the bare one, p99', found.bare.p99, 'ms'),
      ];
    } finally {
      await slack.stop();
      service.stop();
    }
  },
};

interface BothKinds {
  readonly help: SendResult;
  readonly run: SendResult;
}

/** Sends both kinds of command to a fresh process after a warm-up. */
async function sendBothKinds<Job extends ListenJob>(file: string, job: Job): Promise<BothKinds> {
  const side = await startSide<Job>(file);
  try {
    const { port } = (await side.run(job)).outcome as { port: number };
    await sendCommands(port, helps, () => 'help');
    const help = await sendCommands(port, helps, () => 'help');
    await sendCommands(port, warmUpRuns, runWords);
    await wait(settleMs);
    const run = await sendCommands(port, runs, runWords);
    return { help, run };
  } finally {
    await side.stop();
  }
}

function runWords(n: number): string {
  return `engagement last-week departments:"Department ${n}"`;
}

function say(bench: Bench, pair: number, sides: Readonly<Record<string, BothKinds>>): void {
  const rates = Object.entries(sides).map(
    ([name, { help, run }]) =>
      `${name} ${Math.round(helps / help.seconds)} helps and ${Math.round(runs / run.seconds)} runs a second`,
  );
  bench.say(`pair ${pair}: ${rates.join(', ')}`);
}
