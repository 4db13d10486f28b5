import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../dist/src/sandbox/playground.js', import.meta.url));
const longestStart = 90_000;

export interface PlaygroundProcess {
  readonly url: string;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** Starts the built playground as people do, on any free port, and waits until it says that it is ready. */
export async function startPlaygroundProcess(): Promise<PlaygroundProcess> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const url = await readyLine(child).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function readyLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(
      () => reject(new Error(`Not ready within 90 s. It said: ${said}`)),
      longestStart,
    );
    const read = (chunk: Buffer) => {
      said += chunk;
      const url = /^Playground ready: (http:\S+)$/m.exec(said)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`It ended with ${code}. It said: ${said}`));
    });
  });
}
