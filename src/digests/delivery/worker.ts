import { hostname } from 'node:os';
import { randomId } from '../../store/random-id.js';

/** The name under which this process holds runs: no other process ever has the same. */
export function workerName(): string {
  return `${hostname()}:${process.pid}:${randomId()}`;
}

/**
 * Says of which workers it is sure that they are gone: those of this machine whose process is not there any more, and
 * those that had this very process number. Nobody else is judged, since another machine's processes are not seen here.
 */
export function deadWorkers(own: string, isRunning: (pid: number) => boolean): (worker: string) => boolean {
  return (worker) => {
    const [host, pid] = worker.split(':');
    if (worker === own || host !== hostname()) return false;
    return Number(pid) === process.pid || !isRunning(Number(pid));
  };
}
