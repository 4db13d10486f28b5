import type { ChildProcess } from 'node:child_process';

/**
 * Resolves to the exit code of a child process, or to the signal that ended it. Rejects, with its name, if it cannot start
 * or be reached, or one of its streams breaks: without a listener, that would end this process.
 */
export function endOf(child: ChildProcess, name: string): Promise<number | NodeJS.Signals> {
  const { exitCode, signalCode } = child;
  if (exitCode !== null || signalCode !== null) return Promise.resolve(exitCode ?? signalCode ?? 1);
  return new Promise((resolve, reject) => {
    const fail = (what: string) => (cause: Error) =>
      reject(new Error(`${name}: ${what} (${cause.message})`, { cause }));
    child.on('error', fail(child.pid === undefined ? 'it cannot start' : 'it cannot be reached'));
    child.stdin?.on('error', fail('its stdin broke'));
    child.stdout?.on('error', fail('its stdout broke'));
    child.stderr?.on('error', fail('its stderr broke'));
    // Output may come after the exit. Of a child that this process disconnects, Node never says that it is closed.
    const last = child.stdout || child.stderr ? 'close' : 'exit';
    child.once(last, (code, signal) => resolve(code ?? signal ?? 1));
  });
}
