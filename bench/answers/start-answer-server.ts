import { fork } from 'node:child_process';
import { once } from 'node:events';
import { endOf } from '../../playground/processes/end-of.js';

export interface AnswerServer {
  /** Where it listens: `POST {address}/anything/KIND/RECORDS`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the server of generated answers in a process of its own. */
export async function startAnswerServer(): Promise<AnswerServer> {
  const child = fork(new URL('./answer-server.js', import.meta.url));
  const ended = endOf(child, 'The server of answers');
  const [address] = await Promise.race([
    once(child, 'message'),
    ended.then((code) => Promise.reject(new Error(`The server of answers ended with ${code}`))),
  ]);
  return {
    address,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
