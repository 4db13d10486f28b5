import { pino } from 'pino';
import { startApp } from '../../src/app.js';
import { configFrom } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { isPostgresUrl } from '../../src/store/location.js';
import { joinProcesses } from '../../src/store/membership.js';
import { realClock } from '../../src/time/clock.js';
import { serveSide } from '../harness/side.js';
import type { ListenJob } from './jobs.js';

/** The whole bot with database and log. */
serveSide(async ({ apiUrl, signingSecret, serviceUrl, databasePath, settings }: ListenJob) => {
  const checked = configFrom(
    {
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
    },
    () => '',
  );
  if (!checked.ok) throw new Error(checked.refusal.map(({ sentence }) => sentence).join('\n'));
  const log = createLogger({ level: 'info', forPeople: false, destination: pino.destination('/dev/null') });
  const events = { onWait() {}, onLost() {} };
  const { database } = checked.value;
  const membership = isPostgresUrl(database)
    ? await joinProcesses(database, events, new AbortController().signal)
    : undefined;
  const app = await startApp(checked.value, { clock: realClock, log, membership });
  const state = app.state();
  if (state.mode !== 'http') throw new Error('HTTP was expected');
  return { port: state.port };
});
