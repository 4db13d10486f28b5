import { CommanderError } from 'commander';
import { exitCodeOf } from '../errors/failure.js';
import { exitCodes } from '../errors/operator-failures.js';
import { describeForOperator } from './operator-messages.js';
import { rollcallProgram } from './program.js';

const stop = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    process.exitCode = code;
    stop.abort();
  });
}
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // EPIPE means that the reader has read enough. The command still ends by itself, so that it leaves no file.
  if (error.code !== 'EPIPE' && !stop.signal.aborted) {
    process.stderr.write(`The output cannot be written (${error.code}). It is incomplete.\n`);
  }
  if (!stop.signal.aborted) process.exitCode = error.code === 'EPIPE' ? 0 : 1;
  stop.abort();
});

const program = rollcallProgram({
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  setExitCode: (code) => {
    process.exitCode = code;
  },
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeAfter(error);
}

function exitCodeAfter(error: unknown): number {
  // Commander has already printed the problem.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (stop.signal.aborted) return Number(process.exitCode ?? 1);
  process.stderr.write(`${describeForOperator(error)}\n`);
  return exitCodeOf(error);
}
