import { type RunningApp, startApp } from './app.js';
import { describeForOperator } from './cli/operator-messages.js';
import { BadConfig, configFrom, exitCodeForBadConfig, loadConfig } from './config/config.js';
import type { Config } from './config/variables.js';
import { createLogger, type Logger } from './logging/logger.js';
import { createMetrics, type Metrics } from './operations/metrics.js';
import { type OperationsServer, serveOperations } from './operations/server.js';
import { SlackTokenRefused } from './slack/transport/transport.js';
import { realClock } from './time/clock.js';

/** The contract gives five seconds; what is not over by then is ended. */
const stopWithinMs = 4700;

const stop = new AbortController();
// A signal to npm arrives twice, from npm and from the terminal: the second one changes nothing.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
stop.signal.addEventListener('abort', endInTime, { once: true });

process.exit(await runUntilStopped());

/** @returns the exit code */
async function runUntilStopped(): Promise<number> {
  try {
    const config = loadConfig(configFrom);
    const log = createLogger({ level: config.logLevel, forPeople: process.stdout.isTTY });
    await work(config, log);
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    process.stderr.write(`${describeForOperator(error)}\n`);
    return error instanceof BadConfig || error instanceof SlackTokenRefused ? exitCodeForBadConfig : 1;
  }
}

async function work(config: Config, log: Logger): Promise<void> {
  let app: RunningApp | undefined;
  const state = () => app?.state() ?? { ready: false };
  const metrics = createMetrics(() => state().ready);
  watchForAccidents(log, metrics);
  const operations = await operationsFor(config, state, metrics, log);
  try {
    app = await startApp(config, {
      clock: realClock,
      log,
      onRequestEnd: metrics.requestEnded,
      onDigestEnd: metrics.digestEnded,
      onSlackError: metrics.slackFailed,
      onQueueWait: metrics.waitedForRateLimit,
      signal: stop.signal,
    });
    if (config.slack.signingSecretUnused) {
      log.info('SLACK_APP_TOKEN and SLACK_SIGNING_SECRET are both set: Socket Mode is used');
    }
    log.info(app.state(), 'Slack can reach Rollcall');
    process.stdout.write('Rollcall ready\n');
    await stopped();
    log.info('Rollcall is stopping');
  } finally {
    await app?.stop();
    await operations?.close();
  }
}

async function operationsFor(
  { operationsPort: port }: Config,
  state: () => { readonly ready: boolean },
  metrics: Metrics,
  log: Logger,
): Promise<OperationsServer | undefined> {
  if (port === undefined) return undefined;
  const operations = await serveOperations({ port, state, metrics, log });
  log.info({ port: operations.port }, 'Operations can look at /healthz, /readyz and /metrics on 127.0.0.1');
  return operations;
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    if (stop.signal.aborted) resolve();
    stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function endInTime(): void {
  setTimeout(() => {
    process.stderr.write('Something did not stop in time, and was ended.\n');
    process.exit(1);
  }, stopWithinMs).unref();
}

/**
 * After an exception that nobody caught nothing is certain any more: the process ends, and its supervisor starts
 * another one. A promise that failed unheard leaves everything else as it was: it is written down, and work goes on.
 */
function watchForAccidents(log: Logger, metrics: Metrics): void {
  process.on('uncaughtException', (error) => {
    log.error({ err: error }, 'Something unexpected happened, and Rollcall ends');
    process.exit(1);
  });
  process.on('unhandledRejection', (reason) => {
    metrics.unhandledRejection();
    log.error({ err: reason }, 'Something failed, and nothing waited for it');
  });
}
