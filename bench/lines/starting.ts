import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { BenchLine } from '../harness/line.js';
import { atMost, digits, type Measured } from '../harness/measured.js';
import { intervalOfMedian, median } from '../harness/statistics.js';
import { startStubSlack } from '../slack/stub-slack.js';

const pairs = 9;
const megabytes = 60;
const times = 2.5;
const moreSeconds = 1;

/** How long after its start a process counts as idle, in milliseconds. */
const idleAfter = 2000;

/** Line 7: from the start of the program to its readiness, and its memory when it has nothing to do. */
export const starting: BenchLine = {
  name: 'starting',
  title: 'The start and the idle memory of the whole program, against a bare Bolt application',
  async run(bench) {
    const slack = await startStubSlack();
    const theirs: Started[] = [];
    const ours: Started[] = [];
    try {
      for (let pair = 1; pair <= pairs; pair += 1) {
        const environment = settings(slack.apiUrl, join(bench.folder, `start-${pair}.db`));
        theirs.push(await start('dist/bench/sides/bare-bolt-program.js', 'Bolt ready', environment));
        ours.push(await start('dist/src/main.js', 'Rollcall ready', environment));
        const [other, own] = [theirs.at(-1), ours.at(-1)];
        if (other && own) bench.say(`pair ${pair}: ${said(other)} and ${said(own)}`);
      }
    } finally {
      await slack.stop();
    }
    return [startWithin(theirs, ours), memoryWithin(theirs, ours)];
  },
};

interface Started {
  readonly seconds: number;
  readonly megabytes: number;
}

function settings(apiUrl: string, databasePath: string): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: 'the-secret-of-the-bench',
    SLACK_API_URL: apiUrl,
    REPORTING_BASE_URL: 'http://127.0.0.1:9',
    REPORTING_API_TOKEN: 'bench',
    DATABASE_URL: `sqlite:${databasePath}`,
    PORT: '0',
    OPERATIONS_PORT: '0',
  };
}

async function start(
  program: string,
  readyWords: string,
  environment: Record<string, string>,
): Promise<Started> {
  const path = fileURLToPath(new URL(`../../../${program}`, import.meta.url));
  const begun = performance.now();
  const child = spawn(process.execPath, ['--enable-source-maps', path], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text;
    if (said.includes(readyWords)) break;
  }
  const seconds = (performance.now() - begun) / 1000;
  if (!said.includes(readyWords)) throw new Error(`${program} ended without saying “${readyWords}”`);
  await wait(idleAfter);
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { seconds, megabytes: kilobytes / 1024 };
}

/** Either bound is enough: on a fast machine the one second, on a slow one the factor. */
function startWithin(theirs: readonly Started[], ours: readonly Started[]): Measured {
  const ratios = ours.map(({ seconds }, n) => seconds / (theirs[n]?.seconds ?? Number.NaN));
  const longer = ours.map(({ seconds }, n) => seconds - (theirs[n]?.seconds ?? Number.NaN));
  const [lowRatio, highRatio] = intervalOfMedian(ratios);
  const [lowLonger, highLonger] = intervalOfMedian(longer);
  return {
    what: 'start, times that of a bare Bolt application, or seconds more',
    target: `at most ${times} times, or ${moreSeconds} s more`,
    found: `${digits(median(ratios))} times (${digits(lowRatio)} to ${digits(highRatio)}), ${digits(median(longer))} s more (${digits(lowLonger)} to ${digits(highLonger)}; ${ratios.length} pairs)`,
    verdict: lowRatio > times && lowLonger > moreSeconds ? 'missed' : 'reached',
  };
}

function memoryWithin(theirs: readonly Started[], ours: readonly Started[]): Measured {
  const more = ours.map((own, n) => own.megabytes - (theirs[n]?.megabytes ?? Number.NaN));
  return atMost('idle memory above that of a bare Bolt application', more, { limit: megabytes, unit: 'MB' });
}

function said({ seconds, megabytes: memory }: Started): string {
  return `${seconds.toFixed(2)} s, ${memory.toFixed(0)} MB`;
}
