import { runRollcall } from './program.js';

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

await runRollcall(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  setExitCode: (code) => {
    process.exitCode = code;
  },
});
