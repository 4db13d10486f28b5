import type { DigestRun } from './digest.js';
import { type Workshop, workOnRun } from './process-run.js';
import { tellRunEnd } from './run-end.js';

/** The runs that this process is working on. */
export interface RunsAtWork {
  ids(): readonly string[];
  /** Takes on what waits, as much as there is room for. */
  takeOn(now: () => number): Promise<void>;
  /** Resolves when all of them have ended. */
  done(): Promise<unknown>;
}

/** How long a run is held without a word from its worker. */
export const leaseMs = 120_000;

/** Runs under way at once, each for another channel. The service's own limits are kept elsewhere. */
const mostAtOnce = 24;
/** Trials under way at once, where the service does not answer at all. */
const mostTrials = 3;

/** @param ended told each time that there is room for another one */
export function runsAtWork(workshop: Workshop, ended: () => void): RunsAtWork {
  const { parts, worker, pace, outages, signal } = workshop;
  const atWork = new Map<string, { readonly channel: string; readonly done: Promise<void> }>();

  /** Begins so many at most. Returns how many. */
  async function claim(limit: number, resting: readonly string[], now: number): Promise<number> {
    if (limit <= 0 || signal.aborted) return 0;
    const busy = [...atWork.values()].map(({ channel }) => channel);
    const busyChannels = [...new Set([...busy, ...resting])];
    const runs = await parts.store.ledger.claim({ worker, now, leaseMs, limit, busyChannels });
    if (runs.length > 0) outages.began('run');
    for (const run of runs) begin(run);
    return runs.length;
  }

  function begin(run: DigestRun) {
    const done = workOn(run).finally(() => {
      atWork.delete(run.id);
      ended();
    });
    atWork.set(run.id, { channel: run.channel, done });
  }

  async function workOn(run: DigestRun): Promise<void> {
    // The end of a run of which only the file was missing was told before.
    const isFileAlone = run.state === 'posted';
    await workOnRun(run, workshop);
    if (!isFileAlone) await tellRunEnd(run.id, parts);
  }

  /** Again and again: the very many of one channel hide those of others, until it is busy. */
  async function claimAll(resting: readonly string[], now: () => number): Promise<void> {
    while ((await claim(mostAtOnce - atWork.size, resting, now())) > 0);
  }

  return {
    ids: () => [...atWork.keys()],

    async takeOn(now) {
      const may = outages.mayRun();
      if (may === 'one' && atWork.size < mostTrials) await claim(1, [], now());
      if (may !== 'all') return;
      // A channel that has to wait for its next post takes nobody's place.
      const resting = pace.resting();
      await claimAll(resting, now);
      if (resting.length > 0) await claimAll([], now);
    },

    done: () => Promise.allSettled([...atWork.values()].map(({ done }) => done)),
  };
}
