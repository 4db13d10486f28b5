import type { LocalSlack } from '../../playground/slack/server/local-slack.js';
import { isPostgresUrl } from '../../src/store/database/location.js';
import { type StartedProcess, startProcess } from '../process.js';
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

/** Starts the bot without waiting for it. */
export function startBot(environment: Readonly<Record<string, string>>, folder: string): StartedProcess {
  return startProcess('dist/bot/main.js', [], environment, folder);
}

/** Starts the bot and waits until it is ready. */
export async function startReadyBot(
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<StartedProcess> {
  const bot = startBot(environment, folder);
  await bot.waitFor(/^Rollcall ready$/m);
  return bot;
}

/** The request URL of a ready bot for Slack over HTTP. */
export async function eventsUrl(bot: StartedProcess): Promise<string> {
  const [, port] = await bot.waitFor(/"mode":"http".*"port":(\d+)/);
  return `http://127.0.0.1:${port}/slack/events`;
}
