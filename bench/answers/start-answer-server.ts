import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface AnswerServer {
  /** Where it listens: `POST {address}/anything/KIND/RECORDS`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the server of generated answers in a process of its own. */
export async function startAnswerServer(): Promise<AnswerServer> {
  const child = fork(new URL('./answer-server.js', import.meta.url));
  const [address] = await once(child, 'message');
  return {
    address,
    async stop() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
