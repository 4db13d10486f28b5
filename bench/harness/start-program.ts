import { execFileSync, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endOf } from '../../playground/processes/end-of.js';
import { signingSecret } from '../sides/jobs.js';

/** The measurements of one start of a program. */
export interface Started {
  /** From its start until it reported that it was ready. */
  readonly seconds: number;
  /** Resident memory once idle. */
  readonly megabytes: number;
}

/** What Rollcall needs to start over HTTP; a bare Bolt application reads some of it. */
export function startSettings(apiUrl: string, databasePath: string): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: apiUrl,
    REPORTING_BASE_URL: 'http://127.0.0.1:9',
    NAMES_DAILY: 'no',
    REPORTING_API_TOKEN: 'bench',
    DEFAULT_ACCESS: 'everything',
    SMALLEST_GROUP: '1',
    DATABASE_URL: `sqlite:${databasePath}`,
    PORT: '0',
    OPERATIONS_PORT: '0',
  };
}

/**
 * Starts a program, waits until it reports that it is ready, and stops it.
 *
 * @param idleAfter milliseconds from then until its memory is read
 */
export async function start(
  program: string,
  readyWords: string,
  environment: Record<string, string>,
  idleAfter: number,
): Promise<Started> {
  const path = fileURLToPath(new URL(`../../../${program}`, import.meta.url));
  const begun = performance.now();
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = endOf(child, program);
  ended.catch(() => {});
  let said = '';
  // Read to its end: a loop that is left would break the stream.
  await new Promise<void>((resolve) => {
    child.stdout
      .setEncoding('utf8')
      .on('data', (text: string) => {
        said += text;
        if (said.includes(readyWords)) resolve();
      })
      .once('close', resolve);
  });
  const seconds = (performance.now() - begun) / 1000;
  if (!said.includes(readyWords))
    throw new Error(`${program} ended without saying “${readyWords}” (${await ended})`);
  await wait(idleAfter);
  const kilobytes = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }));
  child.kill('SIGTERM');
  await ended;
  return { seconds, megabytes: kilobytes / 1024 };
}
