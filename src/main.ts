import { once } from 'node:events';
import { type AppParts, type RunningApp, startApp } from './app.js';
import { describeForOperator } from './cli/operator-messages.js';
import { type Config, configFrom, loadConfig } from './config/config.js';
import { describeUnknownVariables, settingRisks } from './config/risks.js';
import { exitCodeOf } from './errors/failure.js';
import { createLogger, type Logger } from './logging/logger.js';
import { createMetrics, type Metrics } from './operations/metrics.js';
import { serveOperations } from './operations/server.js';
import { skipWasmOptimization } from './reporting-api/wasm-tiers.js';
import { compact } from './requests/compact.js';
import { isPostgresUrl } from './store/database/location.js';
import { joinProcesses, type Membership } from './store/membership.js';
import { realClock } from './time/clock.js';

const notSaved =
  'The disk did not save what was written, so the database takes nothing more. Check the disk. Rollcall ends, and the next start finds out what was saved';

/** The process must end within five seconds of a signal. */
const stopTimeoutMs = 4700;

const stop = new AbortController();
// npm passes on a signal that the terminal has already sent, so the second one must change nothing.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
stop.signal.addEventListener('abort', endAfterTimeout, { once: true });

skipWasmOptimization();
process.exit(await runUntilStopped());

/** @returns the exit code */
async function runUntilStopped(): Promise<number> {
  let exitCode = 0;
  try {
    const config = loadConfig(configFrom);
    const log = createLogger({
      level: config.logLevel,
      forPeople: process.stdout.isTTY,
      tokens: tokensOf(config),
    });
    for (const risk of settingRisks()) log.warn(risk);
    const unknown = describeUnknownVariables();
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
          process.stdout.write('Standing by\n');
        },
        onLost,
      },
      stop.signal,
    );
    if (!membership) return exitCode;
    try {
      await runBot(config, membership, log, { onCutOff, onUnsaved });
    } finally {
      await membership.leave();
    }
    return exitCode;
  } catch (error) {
    if (stop.signal.aborted) return exitCode;
    process.stderr.write(`${describeForOperator(error)}\n`);
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

async function runBot(
  config: Config,
  membership: Membership,
  log: Logger,
  ends: Required<Pick<AppParts, 'onCutOff' | 'onUnsaved'>>,
): Promise<void> {
  let app: RunningApp | undefined;
  const state = () => app?.state() ?? { ready: false };
  const metrics = createMetrics(
    () => state().ready,
    async () => app?.workload(),
  );
  watchUncaughtErrors(log, metrics);
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
    process.stdout.write('Rollcall ready\n');
    if (!stop.signal.aborted) await once(stop.signal, 'abort');
    log.info('Rollcall is stopping');
  } finally {
    await app?.stop();
    await operations?.close();
  }
}

function endAfterTimeout(): void {
  setTimeout(() => {
    process.stderr.write('Rollcall did not stop in time, so the process was ended.\n');
    process.exit(1);
  }, stopTimeoutMs).unref();
}

/**
 * After an uncaught exception the state of the process is unknown, so the process ends and its supervisor restarts it.
 * An unhandled rejection is logged, and the process continues.
 */
function watchUncaughtErrors(log: Logger, metrics: Metrics): void {
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'Rollcall ends after an uncaught exception');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    metrics.unhandledRejection();
    log.error({ err: reason }, 'A promise was rejected and not handled');
  });
}
