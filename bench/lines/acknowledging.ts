import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, BenchLine } from '../harness/line.js';
import { type Pair, ratioAtLeast } from '../harness/measured.js';
import { startSide } from '../harness/side-process.js';
import type { ListenJob } from '../sides/jobs.js';
import { type SendResult, sendCommands } from '../slack/send-commands.js';
import { startStubSlack } from '../slack/stub-slack.js';

const signingSecret = 'the-secret-of-the-bench';
const pairs = 5;
const helps = 3000;
const runs = 500;

/** Enough to warm up the code, and few enough to be quick. */
const warmUpRuns = 30;
const settleMs = 1000;

/** Commands over HTTP, with the signature checked, answered or acknowledged. */
export const acknowledging: BenchLine = {
  name: 'acknowledging',
  title: '/report help, and the acknowledgement of runs, against a bare Bolt listener that only acknowledges',
  async run(bench) {
    const slack = await startStubSlack();
    const service = await startSilentService();
    const found: Record<'help' | 'run', { rate: Pair[]; p99: Pair[] }> = {
      help: { rate: [], p99: [] },
      run: { rate: [], p99: [] },
    };
    try {
      for (let pair = 1; pair <= pairs; pair += 1) {
        const job = (side: string): ListenJob => ({
          apiUrl: slack.apiUrl,
          signingSecret,
          serviceUrl: service.url,
          databasePath: join(bench.folder, `${side}-${pair}.db`),
        });
        const theirs = await sendBothKinds('bare-bolt', job('bare-bolt'));
        const ours = await sendBothKinds('rollcall-over-http', job('rollcall'));
        for (const kind of ['help', 'run'] as const) {
          found[kind].rate.push({ theirs: theirs[kind].seconds, ours: ours[kind].seconds });
          found[kind].p99.push({ theirs: theirs[kind].p99, ours: ours[kind].p99 });
        }
        say(bench, pair, theirs, ours);
      }
      return [
        ratioAtLeast('/report help, rate', found.help.rate, { atLeast: 0.5 }),
        ratioAtLeast('/report help, p99', found.help.p99, { atLeast: 0.5, unit: 'ms' }),
        ratioAtLeast(`acknowledging ${runs} runs at a time, rate`, found.run.rate, { atLeast: 0.5 }),
        ratioAtLeast(`acknowledging ${runs} runs at a time, p99`, found.run.p99, {
          atLeast: 0.5,
          unit: 'ms',
        }),
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
async function sendBothKinds(file: string, job: ListenJob): Promise<BothKinds> {
  const side = await startSide<ListenJob>(file);
  try {
    const { port } = (await side.run(job)).outcome as { port: number };
    await sendCommands(port, signingSecret, helps, () => 'help');
    const help = await sendCommands(port, signingSecret, helps, () => 'help');
    await sendCommands(port, signingSecret, warmUpRuns, runWords);
    await wait(settleMs);
    const run = await sendCommands(port, signingSecret, runs, runWords);
    return { help, run };
  } finally {
    await side.stop();
  }
}

function runWords(n: number): string {
  return `engagement last-week departments:"Department ${n}"`;
}

function say(bench: Bench, pair: number, theirs: BothKinds, ours: BothKinds): void {
  const rate = (count: number, { seconds }: SendResult) => Math.round(count / seconds);
  bench.say(
    `pair ${pair}: help ${rate(helps, theirs.help)} and ${rate(helps, ours.help)} a second, runs ${rate(runs, theirs.run)} and ${rate(runs, ours.run)} a second`,
  );
}

/** Accepts every query and never answers, so that runs start and never end. */
async function startSilentService() {
  const server = createServer((request) => request.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
