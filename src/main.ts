import { runBot } from './bot.js';
import type { Logger } from './logging/logger.js';
import type { Metrics } from './operations/metrics.js';

/** The process must end within five seconds of a signal. */
const stopTimeoutMs = 4700;

const stop = new AbortController();
// npm passes on a signal that the terminal has already sent, so the second one must change nothing.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
stop.signal.addEventListener('abort', endAfterTimeout, { once: true });

process.exit(
  await runBot({
    environment: process.env,
    folder: process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    stop,
    onStart: watchUncaughtErrors,
  }),
);

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
