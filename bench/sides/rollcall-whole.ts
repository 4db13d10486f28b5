import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pino } from 'pino';
import { startApp } from '../../src/app.js';
import { configFrom } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { realClock } from '../../src/time/clock.js';
import { serveSide } from '../harness/side.js';
import type { BotJob, BotState } from './digest-jobs.js';

/*
 * The whole bot, built as by `npm start`, in a workspace with a set rate of posts. Event loop delays are measured from
 * its readiness on.
 */

const delays = monitorEventLoopDelay({ resolution: 1 });

serveSide<BotJob>(async (job): Promise<BotState> => {
  if (job !== 'how') {
    const checked = configFrom(job.environment, () => '');
    if (!checked.ok) throw new Error(checked.refusal.map(({ sentence }) => sentence).join('\n'));
    const log = createLogger({ level: 'info', forPeople: false, destination: pino.destination('/dev/null') });
    await startApp(checked.value, { clock: realClock, log, digestPostsPerSecond: job.postsPerSecond });
    delays.enable();
  }
  const longestStall = delays.max / 1e6;
  delays.reset();
  return { megabytes: process.memoryUsage.rss() / 2 ** 20, longestStall };
});
