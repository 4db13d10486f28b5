import { fork } from 'node:child_process';
import { once } from 'node:events';
import { endOf } from '../../playground/processes/end-of.js';
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
  const ended = endOf(child, file);
  ended.catch(() => {});
  await next();
  return {
    async run(job) {
      const answer = await ask({ run: job });
      if (!('done' in answer)) throw new Error(`${file} did not do its job`);
      return answer.done;
    },
    async memory() {
      const answer = await ask({ memory: true });
      if (!('memory' in answer)) throw new Error(`${file} did not report its memory`);
      return answer.memory;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      await ended;
    },
  };

  function ask(message: ToSide<Job>): Promise<FromSide> {
    const answer = next();
    child.send(message);
    return answer;
  }

  async function next(): Promise<FromSide> {
    const waiting = new AbortController();
    try {
      const message: FromSide = await Promise.race([
        once(child, 'message', { signal: waiting.signal }).then(([sent]) => sent),
        ended.then((code) => {
          throw new Error(`${file} ended by itself (${code})`);
        }),
      ]);
      if ('failed' in message) throw new Error(`${file} failed: ${message.failed}`);
      return message;
    } finally {
      waiting.abort();
    }
  }
}
