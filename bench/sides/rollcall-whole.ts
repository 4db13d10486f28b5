import { serveSide } from '../harness/side.js';
import { watchStalls } from '../harness/stalls.js';
import type { BotJob, BotState } from './digest-jobs.js';
import { startBot } from './start-bot.js';

/*
 * The whole bot in a workspace with a set rate of posts. Event loop delays are measured from its readiness on.
 */

let longestStall: (() => number) | undefined;

serveSide<BotJob>(async (job): Promise<BotState> => {
  if (job !== 'how') {
    await startBot(job.environment, { digestPostsPerSecond: job.postsPerSecond });
    longestStall = watchStalls();
  }
  return { megabytes: process.memoryUsage.rss() / 2 ** 20, longestStall: longestStall?.() ?? 0 };
});
