import { Failure } from '../errors/failure.js';
import type { RequestLog } from '../store/requests/request-log.js';
import type { Signals } from '../store/signals.js';
import { type Deadline, stopDeadline } from '../time/clock.js';

/** The requests of one person that run at the same time. */
export const maxRunningRequests = 3;
/** The requests of one person that wait until one ends. */
export const maxWaitingRequests = 10;

/** The requests that are running. Their askers can cancel them, and stopping the bot ends them. */
export interface RunningRequests {
  /**
   * Takes a place for a request of this person. Undefined if too many run and wait, unless another process had it in
   * hand: it had a place there. Call the function once it ended.
   */
  reserve(asker: string, isTakenOver?: boolean): (() => void) | undefined;
  /**
   * Returns the signal that ends the run. Undefined while the bot is stopping, when no run may begin.
   *
   * @param isRecorded false for runs that no log knows, such as searches: an erasure cannot find them there. A promise
   *   where the run is being recorded; the run ends if that fails.
   */
  begin(
    id: string,
    asker: string,
    options?: { readonly isRecorded: boolean | Promise<unknown> },
  ): AbortSignal | undefined;
  /**
   * Resolves when fewer than the maximum of this person's requests run before it, oldest first.
   *
   * @throws the reason of the run's signal
   */
  turn(id: string): Promise<void>;
  /** Marks a run as ended. `stop` waits for this. */
  end(id: string): void;
  /** Does what follows an ended run and takes no place. `stop` aborts the signal and waits. */
  follow(work: (stopping: AbortSignal) => Promise<void>): Promise<void>;
  /** Cancels a run, if this person requested it. */
  cancel(id: string, by: string): 'cancelled' | 'not-theirs' | 'not-running';
  /** Ends the runs that are no longer wanted, because data was erased. */
  endUnwanted(stillWanted: (ids: readonly string[]) => Promise<readonly string[]>): Promise<void>;
  /** Ends the runs that their askers cancelled through another process. */
  endCancelled(cancelled: (ids: readonly string[]) => Promise<readonly string[]>): Promise<void>;
  /** Requests of all people that run, and those that wait for their turn. */
  lengths(): { readonly running: number; readonly waiting: number };
  /** Ends every run. Resolves when each has notified its asker, or at the deadline. */
  stop(deadline?: Deadline): Promise<void>;
}

interface Run {
  readonly asker: string;
  isRecorded: boolean;
  readonly controller: AbortController;
  /** Resolves when it may run. */
  readonly turn: Promise<void>;
  readonly start: () => void;
  isStarted: boolean;
}

export function runningRequests(): RunningRequests {
  const runs = new Map<string, Run>();
  /** Requests that run, wait, or are about to begin, for each person. */
  const reserved = new Map<string, number>();
  const following = new Set<Promise<void>>();
  const stopped = new AbortController();
  let stopping = false;
  let allEnded = () => {};

  /** Starts the oldest runs of a person that may run now. */
  const startNext = (asker: string) => {
    const theirs = [...runs.values()].filter((run) => run.asker === asker);
    const free = maxRunningRequests - theirs.filter(({ isStarted }) => isStarted).length;
    const waiting = theirs.filter(({ isStarted }) => !isStarted);
    for (const run of waiting.slice(0, Math.max(0, free))) {
      run.isStarted = true;
      run.start();
    }
  };

  return {
    reserve(asker, isTakenOver) {
      const count = reserved.get(asker) ?? 0;
      const isFull = count >= maxRunningRequests + maxWaitingRequests;
      if (isFull && !isTakenOver) return undefined;
      reserved.set(asker, count + 1);
      return () => {
        const left = (reserved.get(asker) ?? 0) - 1;
        if (left > 0) reserved.set(asker, left);
        else reserved.delete(asker);
      };
    },
    begin(id, asker, { isRecorded } = { isRecorded: true }) {
      if (stopping) return undefined;
      const controller = new AbortController();
      const { signal } = controller;
      let start = () => {};
      const turn = new Promise<void>((resolve, reject) => {
        start = resolve;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      // A run may end before it waits for its turn.
      turn.catch(() => {});
      const run = { asker, isRecorded: isRecorded === true, controller, turn, start, isStarted: false };
      runs.set(id, run);
      if (isRecorded instanceof Promise) {
        isRecorded.then(
          () => {
            run.isRecorded = true;
          },
          (error: unknown) => controller.abort(error),
        );
      }
      startNext(asker);
      return signal;
    },
    turn: async (id) => runs.get(id)?.turn,
    end(id) {
      const ended = runs.get(id);
      runs.delete(id);
      if (ended) startNext(ended.asker);
      if (runs.size === 0) allEnded();
    },
    async follow(work) {
      const done = work(stopped.signal).finally(() => following.delete(done));
      following.add(done);
      await done;
    },
    cancel(id, by) {
      const run = runs.get(id);
      if (!run) return 'not-running';
      if (run.asker !== by) return 'not-theirs';
      run.controller.abort(new Failure('cancelled'));
      return 'cancelled';
    },
    async endUnwanted(stillWanted) {
      const ids = [...runs].filter(([, run]) => run.isRecorded).map(([id]) => id);
      if (ids.length === 0) return;
      const wanted = new Set(await stillWanted(ids));
      for (const id of ids) if (!wanted.has(id)) runs.get(id)?.controller.abort(new Failure('data-erased'));
    },
    async endCancelled(cancelled) {
      const ids = [...runs].filter(([, run]) => run.isRecorded).map(([id]) => id);
      if (ids.length === 0) return;
      for (const id of await cancelled(ids)) runs.get(id)?.controller.abort(new Failure('cancelled'));
    },
    lengths() {
      const running = [...runs.values()].filter(({ isStarted }) => isStarted).length;
      return { running, waiting: runs.size - running };
    },
    async stop(deadline = stopDeadline()) {
      stopping = true;
      stopped.abort();
      const ended = new Promise<void>((resolve) => {
        allEnded = resolve;
      });
      if (runs.size === 0) allEnded();
      for (const { controller } of runs.values()) controller.abort(new Failure('stopped'));
      await deadline.waitFor(ended.then(() => Promise.all(following)));
    },
  };
}

const checkIntervalMs = 500;

/** Ends runs whose data another process erases, or that were cancelled through one. Returns a function that stops it. */
export function watchOtherProcesses(
  running: RunningRequests,
  { stillWanted, cancelled }: Pick<RequestLog, 'stillWanted' | 'cancelled'>,
  signals: Pick<Signals, 'on'>,
  log: { warn(details: object, message: string): void },
): () => Promise<void> {
  let checking = Promise.resolve();
  const check = () => {
    checking = checking
      .then(() => running.endUnwanted(stillWanted))
      .then(() => running.endCancelled(cancelled))
      .catch((err: unknown) => log.warn({ err }, 'Could not check for requests that other processes ended'));
  };
  const timer = setInterval(check, checkIntervalMs);
  signals.on('cancelled', check);
  return async () => {
    clearInterval(timer);
    await checking;
  };
}
