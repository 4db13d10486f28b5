import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromSide, Memory, RunResult, ToSide } from './side.js';

/** One side of a comparison, in a process of its own. */
export interface SideProcess<Job> {
  run(job: Job): Promise<RunResult>;
  memory(): Promise<Memory>;
  stop(): Promise<void>;
}

/**
 * Starts a side and waits until it is ready.
 *
 * @param file a file of `bench/sides/`, without its ending
 * @param nodeOptions options of Node for that process
 */
export async function startSide<Job>(
  file: string,
  nodeOptions: readonly string[] = [],
): Promise<SideProcess<Job>> {
  const child = fork(new URL(`../sides/${file}.js`, import.meta.url), { execArgv: [...nodeOptions] });
  await next(child);
  return {
    async run(job) {
      const answer = await ask(child, { run: job });
      if (!('done' in answer)) throw new Error(`${file} did not do its job`);
      return answer.done;
    },
    async memory() {
      const answer = await ask(child, { memory: true });
      if (!('memory' in answer)) throw new Error(`${file} did not report its memory`);
      return answer.memory;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };

  function ask(process: ChildProcess, message: ToSide<Job>): Promise<FromSide> {
    const answer = next(process);
    process.send(message);
    return answer;
  }

  async function next(process: ChildProcess): Promise<FromSide> {
    const ended = new AbortController();
    try {
      const message: FromSide = await Promise.race([
        once(process, 'message', { signal: ended.signal }).then(([sent]) => sent),
        once(process, 'exit', { signal: ended.signal }).then(([code, signal]) => {
          throw new Error(`${file} ended by itself (${signal ?? code})`);
        }),
      ]);
      if ('failed' in message) throw new Error(`${file} failed: ${message.failed}`);
      return message;
    } finally {
      ended.abort();
    }
  }
}
