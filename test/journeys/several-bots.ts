import { afterAll, expect } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import type { Person } from '../../playground/slack/server/workspace/records.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { isPostgresUrl } from '../../src/store/database/location.js';
import { openStore, type Store } from '../../src/store/store.js';
import { ada, dueOnce, noah, records } from '../digests/test-workspace.js';
import type { StartedProcess } from '../process.js';
import { answer, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';
import { freshFolder, recordKey, sqlOn } from '../store/fresh-folder.js';
import { botSettings, type Mode, startBot } from './bot-process.js';

/** The ID of the channel `#shared-work`. */
export const shared = channelId('shared-work');

type Environment = Readonly<Record<string, string>>;

/** Bots that share a workspace, a database and a service. */
export interface SeveralBots {
  readonly slack: LocalSlack;
  /** Answers with three people by default. */
  readonly service: FaultServer;
  readonly store: Store;
  readonly location: string;
  /** Starts a bot and waits until it is ready. */
  start(environment?: Environment, mode?: Mode): Promise<StartedProcess>;
  startWithoutWaiting(environment?: Environment, mode?: Mode): StartedProcess;
  /** The bot whose process has that name. */
  botOf(process: string | undefined): StartedProcess;
  /** Sends SIGKILL. */
  kill(bot: StartedProcess): Promise<void>;
  /** The states of all answers to requests by hand. */
  answerStates(): Promise<readonly string[]>;
  /** Adds a digest that is due now, and waits for its delivery. Returns the number of posts. */
  deliverOne(): Promise<number>;
  /** Stops the bots that still run. Each must end with exit code 0. */
  close(): Promise<void>;
}

export interface SeveralBotsOptions {
  /** Public channels with Ada, Noah and the bot. */
  readonly names?: readonly string[];
  /** More people of the workspace. */
  readonly people?: readonly Person[];
  /** Default: each bot has a process of its own. */
  readonly start?: typeof startBot;
}

/**
 * @param location the database, for `openStore`
 * @param folder working directory of the bots
 */
export async function openSeveralBots(
  location: string,
  folder: string,
  { names = ['shared-work'], people = [], start: startOne = startBot }: SeveralBotsOptions = {},
): Promise<SeveralBots> {
  const channels = names.map((name) => ({
    id: channelId(name),
    kind: 'public' as const,
    name,
    members: [ada, noah, defaultSeed.bot.user],
  }));
  const seed = {
    ...defaultSeed,
    people: [...defaultSeed.people, ...people],
    channels: [...defaultSeed.channels, ...channels],
  };
  const slack = await startLocalSlack({ rateLimits: 'off', seed });
  const service = await openFaultServer();
  service.always(answer(records(3)));
  const store = await openStore(location, Date.now, isPostgresUrl(location) ? { recordKey } : {});
  await store.useWorkspace(defaultSeed.team.id);
  const bots = new Set<StartedProcess>();
  const startWithoutWaiting = (environment: Environment = {}, mode: Mode = 'socket') => {
    const bot = startOne({ ...botSettings(slack, service, location, mode), ...environment }, folder);
    bots.add(bot);
    void bot.ended.then(() => bots.delete(bot));
    return bot;
  };
  return {
    slack,
    service,
    store,
    location,
    startWithoutWaiting,
    async start(environment, mode) {
      const bot = startWithoutWaiting(environment, mode);
      await bot.waitFor(/^Rollcall ready$/m);
      return bot;
    },
    botOf(process) {
      const bot = [...bots].find(({ pid }) => process?.includes(`:${pid}:`));
      if (!bot) throw new Error(`No bot is ${process}`);
      return bot;
    },
    async kill(bot) {
      bot.signal('SIGKILL');
      await bot.ended;
    },
    async answerStates() {
      const rows = await sqlOn<{ state: string }>(location, "SELECT state FROM posts WHERE kind = 'answer'");
      return rows.map(({ state }) => state);
    },
    async deliverOne() {
      const before = slack.posts.length;
      const due = Date.now();
      const id = await store.digests.add({ ...dueOnce(), channel: shared }, ada, due, due);
      const state = async () => (await store.ledger.history(id, 1))[0]?.state;
      await expect.poll(state, { timeout: 30_000 }).toBe('posted');
      await store.digests.delete(id, Date.now());
      return slack.posts.length - before;
    },
    async close() {
      const left = [...bots];
      for (const bot of left) bot.signal('SIGTERM');
      expect(await Promise.all(left.map(({ ended }) => ended))).toEqual(left.map(() => 0));
      await store.close();
      await service.close();
      await slack.stop();
    },
  };
}

/** The ID of a channel that `openSeveralBots` added. */
export function channelId(name: string): string {
  return `C00${name.toUpperCase().replace('-', '')}`;
}

/**
 * Opens bots once for all tests of a file or group that want the same ones, when the first of them does. Closes them
 * after the tests.
 */
export function sharedBots<Wanted extends readonly unknown[], Opened extends { close(): Promise<void> }>(
  open: (location: string, folder: string, ...wanted: Wanted) => Promise<Opened>,
): (...wanted: Wanted) => Promise<Opened> {
  const folder = freshFolder('group');
  const opened = new Map<string, Promise<Opened>>();
  let databases = 0;
  afterAll(async () => {
    for (const each of opened.values()) await (await each).close();
  });
  return (...wanted) => {
    const key = JSON.stringify(wanted);
    const known = opened.get(key);
    if (known) return known;
    databases += 1;
    const opening = open(folder.databaseWithTables(`${databases}.db`), folder.path('.'), ...wanted);
    opened.set(key, opening);
    // A test that is run again opens its bots again.
    opening.catch(() => opened.delete(key));
    return opening;
  };
}
