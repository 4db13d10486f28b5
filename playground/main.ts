import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from './command-line.js';

/** After this time the process exits, even if something hangs. */
const stopTimeoutMs = 4500;
/** Making up more people takes longer than the start of the bot. */
const manyPeople = 2000;
const pageFolder = fileURLToPath(new URL('../page', import.meta.url));

await main();

async function main(): Promise<void> {
  const words = readCommandLine(process.argv.slice(2), process.env.PORT);
  if (!words.ok) {
    printError(words.refusal);
    return;
  }
  if ('help' in words.value) {
    process.stdout.write(words.value.help);
    return;
  }
  const options = words.value;
  // A signal during the start cancels it. A second signal changes nothing.
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  void stopped.then(() => setTimeout(() => process.exit(1), stopTimeoutMs).unref());
  // These imports are slow, so invalid options are reported before them.
  const { createLogger } = await (await import('./bot.js')).loadBot();
  const { startPlayground } = await import('./start-playground.js');
  const log = createLogger({ level: 'warn', forPeople: process.stdout.isTTY === true });
  try {
    const playground = await startPlayground({ ...options, log, pageFolder, signal: stopping.signal });
    process.stdout.write(`Playground ready: ${playground.url}\n`);
    if (options.people > manyPeople) {
      const people = options.people.toLocaleString('en');
      process.stdout.write(`It makes up ${people} people meanwhile. The first answer waits for them.\n`);
    }
    await stopped;
    await playground.stop();
  } catch (error) {
    if (stopping.signal.aborted) return;
    printError(
      isPortTaken(error)
        ? await portTakenMessage(options.port)
        : String(error instanceof Error ? error.message : error),
    );
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

async function portTakenMessage(port: number): Promise<string> {
  const free = await freePort();
  return `Port ${port} is in use, perhaps by another playground. Use a free one: PORT=${free} npm run playground`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function printError(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
