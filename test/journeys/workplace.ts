import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startReportingService } from '../../src/sandbox/reporting-service/reporting-service.js';
import {
  type LocalSlack,
  type LocalSlackOptions,
  startLocalSlack,
} from '../../src/sandbox/slack/local-slack.js';
import { type BotProcess, endEveryBot, startBot } from './bot-process.js';

/** Where a journey takes place: the local Slack, a Reporting Service, and the real bot between them. */
export interface Workplace {
  readonly slack: LocalSlack;
  readonly bot: BotProcess;
  /** Where the bot keeps everything; gone afterwards. */
  readonly folder: string;
}

export interface WorkplaceOptions {
  readonly slack?: LocalSlackOptions;
  /** Settings of the bot beyond those that reach the two. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Another service than the reference one. */
  readonly service?: () => Promise<{ readonly url: string; readonly token: string }>;
}

/** Opens a workplace for the tests of a file, and closes it after them. */
export function workplace(options: () => WorkplaceOptions = () => ({})): () => Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-journey-'));
  const closers: (() => Promise<unknown>)[] = [];
  let opened: Workplace | undefined;

  beforeAll(async () => {
    const { slack: slackOptions, environment, service: given } = options();
    const slack = await startLocalSlack({ rateLimits: 'off', ...slackOptions });
    closers.push(() => slack.stop());
    const service = given ? await given() : await startOwnService(closers);
    const bot = startBot(
      {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
        REPORTING_BASE_URL: service.url,
        REPORTING_API_TOKEN: service.token,
        REPORTING_REQUESTS_PER_MINUTE: '6000',
        DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}`,
        ...environment,
      },
      folder,
    );
    closers.push(async () => {
      bot.signal('SIGTERM');
      await bot.ended;
    });
    await bot.waitFor(/^Rollcall ready$/m);
    await slack.waitForBot();
    opened = { slack, bot, folder };
  });

  afterAll(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    endEveryBot();
    rmSync(folder, { recursive: true, force: true });
  });

  return () => {
    if (!opened) throw new Error('The workplace is not open yet');
    return opened;
  };
}

async function startOwnService(closers: (() => Promise<unknown>)[]) {
  const service = await startReportingService({ learners: 120 });
  closers.push(() => service.stop());
  return service;
}
