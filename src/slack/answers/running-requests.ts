import { Failure } from '../../errors/failure.js';
import type { LogOf } from '../../logging/logger.js';
import type { RequestLog } from '../../store/requests/request-log.js';
import type { Signals } from '../../store/signals.js';
import { type Deadline, repeated, stopDeadline } from '../../time/clock.js';

/** The requests of one person that run at the same time. */
export const maxRunningRequests = 3;
/** The requests of one person that wait until one ends. */
export const maxWaitingRequests = 10;

export const tooManyRequests = `You have ${maxRunningRequests} requests running and ${maxWaitingRequests} waiting. Cancel one, or wait until one ends.`;

interface Run {
  readonly asker: string;
  isRecorded: boolean;
  readonly controller: AbortController;
  readonly start: () => void;
  isStarted: boolean;
}

/** The requests that are running. Their askers can cancel them, and stopping the bot ends them. */
export function runningRequests() {
  const runs = new Map<string, Run>();
  /** Requests that run, wait, or are about to begin, for each person. */
  const reserved = new Map<string, number>();
  const following = new Set<Promise<void>>();
  const stopped = new AbortController();
  let stopping = false;
  let allEnded: (() => void) | undefined;

  /** Starts the oldest requests of a person. */
  function startNext(asker: string) {
    let started = 0;
    for (const run of runs.values()) {
      if (run.asker !== asker) continue;
      run.isStarted = true;
      run.start();
      started += 1;
      if (started === maxRunningRequests) return;
    }
  }

  /**
   * Takes a place for a request of this person. Undefined if too many run and wait, unless another process worked on it
   * before: it had a place there. Call the function once it ended.
   */
  function reserve(asker: string, isTakenOver = false): (() => void) | undefined {
    const count = reserved.get(asker) ?? 0;
    const isFull = count >= maxRunningRequests + maxWaitingRequests;
    if (isFull && !isTakenOver) return undefined;
    reserved.set(asker, count + 1);
    return () => {
      const left = (reserved.get(asker) ?? 0) - 1;
      if (left > 0) reserved.set(asker, left);
      else reserved.delete(asker);
    };
  }

  /**
   * Returns the signal that ends the run, which is aborted while the bot is stopping, and the run's turn: it resolves when
   * the run may begin, the person's oldest first, and rejects with the reason of the signal.
   *
   * @param isRecorded false for runs that no log knows, such as searches: an erasure cannot find them there. A promise
   *   where the run is being recorded; the run ends if that fails.
   */
  function begin(id: string, asker: string, isRecorded: boolean | Promise<unknown> = true) {
    const controller = new AbortController();
    const { signal } = controller;
    let start = () => {};
    const turn = new Promise<void>((resolve, reject) => {
      start = resolve;
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // A run may end before it waits for its turn.
    turn.catch(() => {});
    const run: Run = { asker, isRecorded: isRecorded === true, controller, start, isStarted: false };
    runs.set(id, run);
    if (isRecorded instanceof Promise) {
      isRecorded.then(
        () => {
          run.isRecorded = true;
        },
        (error: unknown) => controller.abort(error),
      );
    }
    if (stopping) controller.abort(new Failure('stopped'));
    startNext(asker);
    return { signal, turn };
  }

  /** Marks a run as ended. `stop` waits for this. */
  function end(id: string) {
    const ended = runs.get(id);
    runs.delete(id);
    if (ended) startNext(ended.asker);
    if (runs.size === 0) allEnded?.();
  }

  return {
    reserve,
    begin,
    end,
    /**
     * Does work of this person in its turn, as one of their requests.
     *
     * @throws `asker-refused` if too many run and wait; the reason of the run's signal; and what the work throws
     */
    async inTurn<Done>(
      id: string,
      asker: string,
      isRecorded: boolean,
      work: (signal: AbortSignal) => Promise<Done>,
    ): Promise<Done> {
      const release = reserve(asker);
      if (!release) throw new Failure('asker-refused', { sentence: tooManyRequests });
      const { signal, turn } = begin(id, asker, isRecorded);
      try {
        await turn;
        return await work(signal);
      } catch (error) {
        throw signal.aborted ? signal.reason : error;
      } finally {
        end(id);
        release();
      }
    },
    /** Does what follows an ended run and takes no place. `stop` aborts the signal and waits. */
    async follow(work: (stopping: AbortSignal) => Promise<void>): Promise<void> {
      const done = work(stopped.signal).finally(() => following.delete(done));
      following.add(done);
      await done;
    },
    /** Cancels a run, if this person requested it. */
    cancel(id: string, by: string): 'cancelled' | 'not-theirs' | 'not-running' {
      const run = runs.get(id);
      if (!run) return 'not-running';
      if (run.asker !== by) return 'not-theirs';
      run.controller.abort(new Failure('cancelled'));
      return 'cancelled';
    },
    /** Ends runs whose data was erased, and those that their askers cancelled through another process. */
    async endUnwanted({
      stillWanted,
      cancelled,
    }: Pick<RequestLog, 'stillWanted' | 'cancelled'>): Promise<void> {
      const ids: string[] = [];
      for (const [id, { isRecorded }] of runs) if (isRecorded) ids.push(id);
      if (ids.length === 0) return;
      const wanted = new Set(await stillWanted(ids));
      for (const id of ids) if (!wanted.has(id)) runs.get(id)?.controller.abort(new Failure('data-erased'));
      for (const id of await cancelled(ids)) runs.get(id)?.controller.abort(new Failure('cancelled'));
    },
    /** Requests of all people that run, and those that wait for their turn. */
    lengths() {
      const running = [...runs.values()].filter(({ isStarted }) => isStarted).length;
      return { running, waiting: runs.size - running };
    },
    /** Ends every run. Resolves when each has notified its asker, or at the deadline. */
    async stop(deadline: Deadline = stopDeadline()): Promise<void> {
      stopping = true;
      stopped.abort();
      const ended = new Promise<void>((resolve) => {
        allEnded = resolve;
      });
      if (runs.size === 0) allEnded?.();
      for (const { controller } of runs.values()) controller.abort(new Failure('stopped'));
      await deadline.waitFor(ended.then(() => Promise.all(following)));
    },
  };
}

export type RunningRequests = ReturnType<typeof runningRequests>;

const checkIntervalMs = 500;

/** Ends runs whose data another process erases, or that were cancelled through one. Returns a function that stops it. */
export function watchOtherProcesses(
  running: RunningRequests,
  requestLog: Pick<RequestLog, 'stillWanted' | 'cancelled'>,
  signals: Pick<Signals, 'on'>,
  log: LogOf<'warn'>,
): () => Promise<void> {
  const checking = repeated(
    () => running.endUnwanted(requestLog),
    (err) => log.warn({ err }, 'Could not check for requests that other processes ended'),
  );
  checking.every(checkIntervalMs);
  signals.on('cancelled', checking.now);
  return checking.stop;
}
