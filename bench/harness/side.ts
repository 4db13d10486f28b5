import { readFileSync } from 'node:fs';

/** The result of one run of one side. */
export interface RunResult {
  readonly milliseconds: number;
  /** Shows whether the run did its job. */
  readonly outcome: unknown;
}

/** Memory of a process in megabytes: when it was ready, and the peak since then. */
export interface Memory {
  readonly idle: number;
  readonly peak: number;
}

export type ToSide<Job> = { readonly run: Job } | { readonly memory: true };
export type FromSide =
  | { readonly ready: true }
  | { readonly done: RunResult }
  | { readonly memory: Memory }
  | { readonly failed: string };

/**
 * Makes this process a side of a comparison: it does each job that it receives and reports how long it took.
 *
 * @param work does the job once; only its own time is measured
 */
export function serveSide<Job>(work: (job: Job) => Promise<unknown>): void {
  const idle = residentNow();
  process.on('message', (message: ToSide<Job>) => {
    if ('memory' in message) return send({ memory: { idle, peak: residentPeak() } });
    runOnce(() => work(message.run)).then(
      (done) => send({ done }),
      (error) => send({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
  send({ ready: true });
}

async function runOnce(work: () => Promise<unknown>): Promise<RunResult> {
  const begun = performance.now();
  const outcome = await work();
  return { milliseconds: performance.now() - begun, outcome };
}

function send(message: FromSide): void {
  process.send?.(message);
}

function residentNow(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

/** From `/proc` on Linux, because the value of `getrusage` starts at the memory of the parent process. */
function residentPeak(): number {
  try {
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
