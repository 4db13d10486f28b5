import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { endOf } from '../../playground/processes/end-of.js';
import type { LocalSlack } from '../../playground/slack/server/local-slack.js';
import { isPostgresUrl } from '../../src/store/database/location.js';
import { bareEnvironment, outputUntil, type StartedProcess, startProcess, whileRunning } from '../process.js';
import { recordKey } from '../store/fresh-folder.js';

/** How Slack reaches a bot. */
export type Mode = 'socket' | 'http';

/** The settings of a bot for a Slack and a service. Its limits are high, so that journeys do not wait. */
export function botSettings(
  slack: Pick<LocalSlack, 'botToken' | 'appToken' | 'signingSecret' | 'apiUrl'>,
  service: { readonly url: string; readonly token?: string },
  database: string,
  mode: Mode = 'socket',
): Readonly<Record<string, string>> {
  return {
    OPERATIONS_PORT: '',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    ...(mode === 'socket'
      ? { SLACK_APP_TOKEN: slack.appToken }
      : { SLACK_SIGNING_SECRET: slack.signingSecret, PORT: '0' }),
    REPORTING_BASE_URL: service.url,
    REPORTING_API_TOKEN: service.token ?? 'a-token',
    REPORTING_REQUESTS_PER_MINUTE: '60000',
    DEFAULT_ACCESS: 'everything',
    SMALLEST_GROUP: '1',
    // Its queries would be among those that tests count.
    NAMES_DAILY: 'no',
    ...(isPostgresUrl(database)
      ? { DATABASE_URL: database, RECORD_KEY: recordKey }
      : { DATABASE_URL: `sqlite:${database}` }),
  };
}

type Start = (environment: Readonly<Record<string, string>>, folder: string) => StartedProcess;

/** Starts the bot in a process of its own, without waiting for it. */
export const startBot: Start = (environment, folder) =>
  startProcess('dist/bot/main.js', [], environment, folder);

/**
 * Starts the bot in a process that it shares with other bots of this worker, without waiting for it: a start takes a
 * tenth of the time. SIGTERM and SIGINT stop this bot, and each other signal is for the process with all its bots. For
 * tests that kill a bot, or that are about the process, `startBot` does.
 */
export const startHostedBot: Start = (environment, folder) => {
  host ??= openHost();
  return host.start({ ...bareEnvironment(), ...environment }, folder);
};

/** Starts the bot and waits until it is ready. */
export async function startReadyBot(
  environment: Readonly<Record<string, string>>,
  folder: string,
  start = startBot,
): Promise<StartedProcess> {
  const bot = start(environment, folder);
  await bot.waitFor(/^Rollcall ready$/m);
  return bot;
}

/** What `bot-host.mjs` says of one of its bots. */
type Said =
  | { readonly id: number; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly id: number; readonly exitCode: number };

let host: ReturnType<typeof openHost> | undefined;

function openHost() {
  const path = fileURLToPath(new URL('bot-host.mjs', import.meta.url));
  // It ends with the channel, so that it need not keep this process alive.
  const child = fork(path, [], {
    // With PostgreSQL, bots keep the files of answers below their working directory.
    cwd: mkdtempSync(join(inject('runFolder'), 'bots-')),
    env: bareEnvironment(),
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  const end = endOf(child, 'The host of the bots').finally(() => {
    host = undefined;
  });
  end.catch(() => {});
  const listeners = new Map<number, (said: Said) => void>();
  child.on('message', (said: Said) => listeners.get(said.id)?.(said));
  let bots = 0;
  return {
    start(environment: Readonly<Record<string, string>>, folder: string): StartedProcess {
      bots += 1;
      const id = bots;
      const exited = new Promise<number>((resolve) => {
        listeners.set(id, (said) => {
          if ('stream' in said) return hear(said.stream, said.text);
          listeners.delete(id);
          resolve(said.exitCode);
        });
      });
      const { hear, ...output } = outputUntil(Promise.race([exited, end]));
      child.send({ id, start: { environment, folder } });
      return whileRunning({
        ...output,
        pid: child.pid,
        signal(name) {
          if (name === 'SIGTERM' || name === 'SIGINT') child.send({ id });
          else child.kill(name);
        },
      });
    },
  };
}

/** The request URL of a ready bot for Slack over HTTP. */
export async function eventsUrl(bot: StartedProcess): Promise<string> {
  const [, port] = await bot.waitFor(/"mode":"http".*"port":(\d+)/);
  return `http://127.0.0.1:${port}/slack/events`;
}
