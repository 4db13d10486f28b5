import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { endOf } from '../../playground/processes/end-of.js';

const program = fileURLToPath(new URL('../../dist/playground-app/main.js', import.meta.url));
const longestStart = 90_000;

interface PlaygroundProcess {
  readonly url: string;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | NodeJS.Signals>;
}

/** One playground for the tests of a file. It must end with exit code 0. Call inside a `describe`. */
export function usePlayground(...options: readonly string[]): Pick<PlaygroundProcess, 'url'> {
  let playground: PlaygroundProcess | undefined;
  beforeAll(async () => {
    playground = await startPlaygroundProcess(options);
  });
  afterAll(async () => {
    expect(await playground?.stop()).toBe(0);
  });
  return {
    get url() {
      if (!playground) throw new Error('There is no playground.');
      return playground.url;
    },
  };
}

/** Starts the built playground on any free port, and waits until it is ready. */
async function startPlaygroundProcess(options: readonly string[]): Promise<PlaygroundProcess> {
  const child = spawn(process.execPath, [program, ...options], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = endOf(child, 'The playground');
  ended.catch(() => {});
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
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`It ended with ${code}. It said: ${said}`));
    });
  });
}
