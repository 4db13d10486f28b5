import { readFileSync } from 'node:fs';

/** What a run of one side comes to. */
export interface RunResult {
  readonly milliseconds: number;
  /** Anything that tells whether the run did what it should. */
  readonly outcome: unknown;
}

/** Memory of a process in megabytes: when it was ready, and the most since then. */
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
 * Makes this process a side of a comparison: it does the job it is sent, again and again, and says how long each took.
 *
 * @param work does the job once; only the time it takes itself is measured
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

/** On Linux from the process's own page: what `getrusage` says begins with the memory of whoever started it. */
function residentPeak(): number {
  try {
    const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes) return Number(kilobytes) / 1024;
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024;
}
