import { Failure, loadBot } from '../bot.js';
import { createMovableClock } from '../movable-clock.js';

/** What the playground tells a process: how far its clock is ahead, in milliseconds. */
export interface ToProcess {
  readonly offsetMs: number;
}

/** What a process tells the playground. */
export type FromProcess = { readonly kind: 'ready' } | { readonly kind: 'leads' };

const clock = createMovableClock();
process.on('message', ({ offsetMs }: ToProcess) => clock.moveBy(offsetMs - clock.offsetMs()));
const tell = (message: FromProcess) => process.send?.(message);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
// The playground has ended.
process.on('disconnect', () => stop.abort());
const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));

const { startApp, configFrom, createLogger, joinProcesses } = await loadBot();
const config = configFrom({
  environment: process.env,
  readFile() {
    throw new Error('The playground sets no variables that name files.');
  },
});
if (!config.ok) throw new Failure('bad-config', { problems: config.refusal });
const events = { onWait: () => {}, onLost: () => stop.abort() };
const membership = await joinProcesses(config.value.database, events, stop.signal);
if (membership) {
  const log = createLogger({ level: 'warn', forPeople: false });
  const app = await startApp(config.value, {
    clock,
    log,
    membership,
    onLead: () => tell({ kind: 'leads' }),
    signal: stop.signal,
  });
  tell({ kind: 'ready' });
  await stopped;
  await app.stop();
  await membership.leave();
}
process.exit(0);
