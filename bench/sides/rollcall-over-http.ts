import { serveSide } from '../harness/side.js';
import { type ListenJob, signingSecret } from './jobs.js';
import { startBot } from './start-bot.js';

/** The whole bot with database and log. */
serveSide(async ({ apiUrl, serviceUrl, databasePath, settings }: ListenJob) => {
  const app = await startBot({
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_API_URL: apiUrl,
    PORT: '0',
    REPORTING_BASE_URL: serviceUrl,
    REPORTING_API_TOKEN: 'bench',
    NAMES_DAILY: 'no',
    DATABASE_URL: `sqlite:${databasePath}`,
    OPERATIONS_PORT: '',
    ...settings,
  });
  const state = app.state();
  if (state.mode !== 'http') throw new Error('HTTP was expected');
  return { port: state.port };
});
