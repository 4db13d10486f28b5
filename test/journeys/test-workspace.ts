import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { startReportingService } from '../../playground/reporting-service/reporting-service.js';
import {
  type LocalSlack,
  type LocalSlackOptions,
  startLocalSlack,
} from '../../playground/slack/server/local-slack.js';
import { slackManifest } from '../../src/slack/manifest.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { botSettings, eventsUrl, type Mode, startBot, startHostedBot, startReadyBot } from './bot-process.js';

/** The local Slack, a Reporting Service, and the real bot between them. */
export interface TestWorkspace {
  readonly slack: LocalSlack;
  readonly bot: StartedProcess;
  /** The folder of the bot's files. It is deleted after the tests. */
  readonly folder: string;
  /** Stops the bot and starts it again with the same database, and with the same settings but these. */
  restart(changed?: Readonly<Record<string, string>>): Promise<void>;
}

export interface TestWorkspaceOptions {
  readonly slack?: LocalSlackOptions;
  /** How Slack reaches the bot. Default: Socket Mode. */
  readonly mode?: Mode;
  /** True: the bot has a process of its own, for tests that kill it or look at the process. */
  readonly ownProcess?: boolean;
  /** Further settings of the bot. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The moment of the reference service's data, in milliseconds since the epoch. Absent: now. What its people, titles and
   * workshops are depends on it.
   */
  readonly dataOf?: number;
  /** Replaces the reference service. */
  readonly service?: () => Promise<{ readonly url: string; readonly token: string }>;
}

/** Opens a test workspace for the tests of a file, and closes it after them. */
export function testWorkspace(options: () => TestWorkspaceOptions = () => ({})): () => TestWorkspace {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-journey-'));
  const closers: (() => Promise<unknown>)[] = [];
  let opened: TestWorkspace | undefined;

  beforeAll(async () => {
    const given = options();
    const { slack: slackOptions, mode = 'socket', environment, dataOf, ownProcess = false } = given;
    const slack = await startLocalSlack({ rateLimits: 'off', manifest: slackManifest(), ...slackOptions });
    closers.push(() => slack.stop());
    const service = given.service ? await given.service() : await startOwnService(closers, dataOf);
    const settings = {
      ...botSettings(slack, service, join(folder, 'rollcall.db'), mode),
      ...environment,
    };
    const start = async (changed = {}) => {
      const started = await startReadyBot(
        { ...settings, ...changed },
        folder,
        ownProcess ? startBot : startHostedBot,
      );
      if (mode === 'http') await slack.deliverTo(await eventsUrl(started));
      else await slack.waitForBot();
      return started;
    };
    const end = async ({ bot }: Pick<TestWorkspace, 'bot'>) => {
      bot.signal('SIGTERM');
      await bot.ended;
    };
    const work = {
      slack,
      bot: await start(),
      folder,
      async restart(changed?: Readonly<Record<string, string>>) {
        await end(work);
        work.bot = await start(changed);
      },
    };
    closers.push(() => end(work));
    opened = work;
  });

  afterAll(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await endEveryProcess();
    rmSync(folder, { recursive: true, force: true });
  });

  return () => {
    if (!opened) throw new Error('The test workspace is not open yet');
    return opened;
  };
}

async function startOwnService(closers: (() => Promise<unknown>)[], dataOf?: number) {
  // The data are made once in a run, which takes longer than to open them.
  const service = await startReportingService({
    learners: 120,
    keep: join(inject('runFolder'), `people-${dataOf ?? 'now'}.db`),
    keepDays: 1,
    ...(dataOf === undefined ? {} : { now: () => dataOf }),
  });
  closers.push(() => service.stop());
  return service;
}
