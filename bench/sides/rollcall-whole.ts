import { pino } from 'pino';
import { startApp } from '../../src/app.js';
import { configFrom } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { isPostgresUrl } from '../../src/store/location.js';
import { joinProcesses } from '../../src/store/membership.js';
import { realClock } from '../../src/time/clock.js';
import { serveSide } from '../harness/side.js';
import { watchStalls } from '../harness/stalls.js';
import type { BotJob, BotState } from './digest-jobs.js';

/*
 * The whole bot, built as by `npm start`, in a workspace with a set rate of posts. Event loop delays are measured from
 * its readiness on.
 */

let longestStall: (() => number) | undefined;

serveSide<BotJob>(async (job): Promise<BotState> => {
  if (job !== 'how') {
    const checked = configFrom(job.environment, () => '');
    if (!checked.ok) throw new Error(checked.refusal.map(({ sentence }) => sentence).join('\n'));
    const log = createLogger({ level: 'info', forPeople: false, destination: pino.destination('/dev/null') });
    const { database } = checked.value;
    const membership = isPostgresUrl(database)
      ? await joinProcesses(database, { onWait() {}, onLost() {} }, new AbortController().signal)
      : undefined;
    await startApp(checked.value, {
      clock: realClock,
      log,
      digestPostsPerSecond: job.postsPerSecond,
      membership,
    });
    longestStall = watchStalls();
  }
  return { megabytes: process.memoryUsage.rss() / 2 ** 20, longestStall: longestStall?.() ?? 0 };
});
