import { hostname } from 'node:os';
import { randomId } from '../store/random-id.js';

/** The name under which this process holds runs: no other process ever has the same. */
export function workerName(): string {
  return `${hostname()}:${process.pid}:${randomId()}`;
}

export type WorkerState = 'this one' | 'dead' | 'perhaps alive';

/**
 * Says what is known of each worker. Dead is one of this machine whose process is not there any more, or that had this
 * very process number. Nobody is surely alive: its number may be another program's by now, and the processes of other
 * machines are not seen here.
 */
export function workerStates(
  own: string,
  isRunning: (pid: number) => boolean,
): (worker: string) => WorkerState {
  return (worker) => {
    if (worker === own) return 'this one';
    const [host, pid] = worker.split(':');
    if (host !== hostname()) return 'perhaps alive';
    return Number(pid) !== process.pid && isRunning(Number(pid)) ? 'perhaps alive' : 'dead';
  };
}
