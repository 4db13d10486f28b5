import { once } from 'node:events';
import { type AppParts, type RunningApp, startApp } from './app.js';
import { describeForOperator } from './cli/operator-messages.js';
import { type Config, configFrom, loadConfig } from './config/config.js';
import type { Environment } from './config/read-variables.js';
import { describeUnknownVariables, settingRisks } from './config/risks.js';
import { exitCodeOf } from './errors/failure.js';
import { createLogger, type LogChoices, type Logger } from './logging/logger.js';
import { createMetrics, type Metrics } from './operations/metrics.js';
import { serveOperations } from './operations/server.js';
import { skipWasmOptimization } from './reporting-api/wasm-tiers.js';
import { compact } from './requests/text.js';
import { isPostgresUrl } from './store/database/location.js';
import { joinProcesses, type Membership } from './store/membership.js';
import { realClock } from './time/clock.js';

const notSaved =
  'The disk did not save what was written, so the database takes nothing more. Check the disk. Rollcall ends, and the next start finds out what was saved';

/** What a bot has of the process that it runs in. */
export interface Surroundings {
  readonly environment: Environment;
  /** Of the file `.env`. */
  readonly folder: string;
  readonly stdout: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Default: the stdout of the process, line by line. */
  readonly logTo?: LogChoices['destination'];
  /** Ends the bot. It aborts this itself where it cannot go on. */
  readonly stop: AbortController;
  /** Called before the bot starts. */
  onStart?(log: Logger, metrics: Metrics): void;
}

/**
 * Runs the bot until it is stopped.
 *
 * @returns the exit code. What went wrong has been written by then
 */
export async function runBot(surroundings: Surroundings): Promise<number> {
  skipWasmOptimization();
  const { environment, folder, stdout, stderr, stop } = surroundings;
  let exitCode = 0;
  try {
    const config = loadConfig(configFrom, environment, folder);
    const log = createLogger({
      level: config.logLevel,
      forPeople: stdout.isTTY === true,
      destination: surroundings.logTo,
      tokens: tokensOf(config),
    });
    for (const risk of settingRisks(environment, folder)) log.warn(risk);
    const unknown = describeUnknownVariables(environment, folder);
    if (unknown !== undefined) log.warn(unknown);
    const endWith = (why: string) => (err?: unknown) => {
      exitCode = 1;
      log.error({ err }, why);
      stop.abort();
    };
    const onLost = endWith(
      'The database is out of reach, and other processes may go on without this one. It ends',
    );
    const onCutOff = endWith(
      'Slack answers other processes and not this one, which ends so that they do its work',
    );
    const onUnsaved = endWith(notSaved);
    const membership = await joinProcesses(
      config.database,
      {
        onWait() {
          log.info('Another process uses the database. This one starts when that one ends');
          stdout.write('Standing by\n');
        },
        onLost,
      },
      stop.signal,
    );
    if (!membership) return exitCode;
    try {
      await runApp(config, membership, log, surroundings, { onCutOff, onUnsaved });
    } finally {
      await membership.leave();
    }
    return exitCode;
  } catch (error) {
    if (stop.signal.aborted) return exitCode;
    stderr.write(`${describeForOperator(error)}\n`);
    return exitCodeOf(error);
  }
}

function tokensOf({
  slack: { botToken, transport },
  reporting,
  database,
  recordKey,
}: Config): readonly string[] {
  const password = isPostgresUrl(database) ? decodeURIComponent(new URL(database).password) : '';
  const ofTransport = transport.mode === 'socket' ? transport.appToken : transport.signingSecret;
  return compact(password, recordKey, reporting.token, botToken, ofTransport);
}

async function runApp(
  config: Config,
  membership: Membership,
  log: Logger,
  { stdout, stop, onStart }: Surroundings,
  ends: Required<Pick<AppParts, 'onCutOff' | 'onUnsaved'>>,
): Promise<void> {
  let app: RunningApp | undefined;
  const state = () => app?.state() ?? { ready: false };
  const metrics = createMetrics(
    () => state().ready,
    async () => app?.workload(),
  );
  onStart?.(log, metrics);
  const { operationsPort: port } = config;
  const operations = port === undefined ? undefined : await serveOperations({ port, state, metrics, log });
  if (operations)
    log.info({ port: operations.port }, '/healthz, /readyz and /metrics are served on 127.0.0.1');
  try {
    const aheadMs = membership.clockAheadMs();
    if (aheadMs !== 0)
      log.warn({ aheadMs }, 'The clock of this machine is wrong, so Rollcall uses the time of PostgreSQL');
    app = await startApp(config, {
      clock: { ...realClock, now: () => Date.now() - membership.clockAheadMs() },
      log,
      metrics,
      membership,
      onLead() {
        metrics.tookLead();
        log.info('This process leads');
      },
      ...ends,
      signal: stop.signal,
    });
    if (config.slack.signingSecretUnused) {
      log.info('SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode is used');
    }
    log.info(app.state(), 'Slack can reach Rollcall');
    stdout.write('Rollcall ready\n');
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    log.info('Rollcall is stopping');
  } finally {
    await app?.stop();
    await operations?.close();
  }
}
