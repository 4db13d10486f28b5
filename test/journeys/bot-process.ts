import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The built program: `npm test` builds it first. */
const program = fileURLToPath(new URL('../../dist/bot/main.js', import.meta.url));

/** The bot as an operator runs it: a process of its own, told everything by its environment. */
export interface BotProcess {
  /** Everything it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Waits for a line; rejects with what was written when the process ends first. */
  waitFor(wanted: RegExp): Promise<RegExpExecArray>;
  readonly pid: number | undefined;
  signal(name: NodeJS.Signals): void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

const running = new Set<ChildProcess>();

/** Starts the bot; nothing of this process's environment but the path to programs reaches it. */
export function startBot(environment: Readonly<Record<string, string>>, folder: string): BotProcess {
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', OPERATIONS_PORT: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return (code ?? signal) as number | NodeJS.Signals;
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    ended,
    pid: child.pid,
    signal: (name) => child.kill(name),
    waitFor: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = wanted.exec(stdout);
          if (found) resolve(found);
        };
        child.stdout.on('data', look);
        void ended.then((code) => reject(new Error(`The bot ended with ${code}.\n${stdout}\n${stderr}`)));
        look();
      }),
  };
}

/** Ends whatever a failed test left behind. */
export function endEveryBot(): void {
  for (const child of running) child.kill('SIGKILL');
}
