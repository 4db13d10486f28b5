import { pino } from 'pino';
import { startApp } from '../../src/app.js';
import { configFrom } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { isPostgresUrl } from '../../src/store/database/location.js';
import { joinProcesses } from '../../src/store/membership.js';
import { realClock } from '../../src/time/clock.js';

/** Starts the whole bot with its database and log, as `npm start` does. */
export async function startBot(
  environment: Readonly<Record<string, string>>,
  options: { readonly digestPostsPerSecond?: number } = {},
) {
  const checked = configFrom({ environment, readFile: () => '' });
  if (!checked.ok) throw new Error(checked.refusal.map(({ sentence }) => sentence).join('\n'));
  const log = createLogger({ level: 'info', forPeople: false, destination: pino.destination('/dev/null') });
  const { database } = checked.value;
  const membership = isPostgresUrl(database)
    ? await joinProcesses(database, { onWait() {}, onLost() {} }, new AbortController().signal)
    : undefined;
  return startApp(checked.value, { clock: realClock, log, membership, ...options });
}
