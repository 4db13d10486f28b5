import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Read, Reading } from '../runner/report-source.js';
import { paddedCopyOf } from './answer/csv-rows.js';
import { Cancelled, ReadingThreadDied } from './errors.js';
import type { AnswerEvents, AnswerReader, ReadingUnderWay } from './reader.js';
import { type FromThread, failureFrom, type ThreadSettings, type ToThread } from './thread-messages.js';

const answerWorker = new URL('./reading-worker.js', import.meta.url);

/**
 * Reads answers in one other thread, so that this one stays free to answer commands. The thread is started for the
 * first question and kept; should it die, the readings it had fail, and the next question starts another.
 */
export function readerInThread(settings: ThreadSettings, file: URL = answerWorker): AnswerReader {
  let thread: Thread | undefined;
  return {
    open(reading) {
      if (!thread || thread.died()) thread = startThread(settings, file);
      return thread.open(reading);
    },
    close: async () => thread?.stop(),
  };
}

interface Thread {
  open(reading: Reading): ReadingUnderWay;
  died(): boolean;
  stop(): Promise<void>;
}

/** What a reading waits for. */
interface Step {
  readonly events?: AnswerEvents;
  readonly done: (read: Read | undefined) => void;
  readonly failed: (error: Error) => void;
}

function startThread(settings: ThreadSettings, file: URL): Thread {
  // What is read dies young, so that a small nursery costs no time and keeps the process some megabytes smaller.
  const worker = new Worker(file, { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
  const steps = new Map<number, Step>();
  let opened = 0;
  let underWay = 0;
  let death: ReadingThreadDied | undefined;
  let reason: string | undefined;

  // Nobody's reading keeps the program alive.
  worker.unref();
  worker.on('message', (message: FromThread) => take(message));
  worker.on('error', (error) => {
    reason = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  });
  worker.on('exit', (exitCode) => {
    death = new ReadingThreadDied(reason ?? `exit code ${exitCode}`);
    for (const { failed } of steps.values()) failed(death);
    steps.clear();
  });

  return {
    died: () => death !== undefined,
    async stop() {
      await worker.terminate();
    },
    open(reading) {
      opened += 1;
      const id = opened;
      underWay += 1;
      worker.ref();
      send({ kind: 'open', id, reading });
      return {
        add(wire, signal, events) {
          if (signal.aborted) return Promise.reject(new Cancelled({ cause: signal.reason }));
          const cancel = () => send({ kind: 'cancel', id });
          signal.addEventListener('abort', cancel, { once: true });
          return step({ kind: 'add', id, wire }, events)
            .then(() => undefined)
            .catch((error) => {
              throw error instanceof Cancelled ? new Cancelled({ cause: signal.reason }) : error;
            })
            .finally(() => signal.removeEventListener('abort', cancel));
        },
        async finish() {
          const read = await step({ kind: 'finish', id });
          if (!read) throw new Error('The thread finished a reading without a result');
          closed();
          return read;
        },
        async discard() {
          try {
            await step({ kind: 'discard', id });
          } catch (error) {
            if (!death) throw error;
            await leaveNothingOf(reading);
          } finally {
            closed();
          }
        },
      };
    },
  };

  function send(message: ToThread) {
    if (!death) worker.postMessage(message);
  }

  function step(message: ToThread, events?: AnswerEvents): Promise<Read | undefined> {
    return new Promise((done, failed) => {
      if (death) return failed(death);
      steps.set(message.id, { done, failed, ...(events ? { events } : {}) });
      send(message);
    });
  }

  function take(message: FromThread) {
    const waiting = steps.get(message.id);
    if (!waiting) return;
    if (message.kind === 'begun') return waiting.events?.onBegun?.();
    if (message.kind === 'records') return waiting.events?.onRecords?.(message.records);
    steps.delete(message.id);
    if (message.kind === 'done') waiting.done(message.read);
    else waiting.failed(failureFrom(message.failure));
  }

  function closed() {
    underWay -= 1;
    if (underWay === 0) worker.unref();
  }
}

/** What a thread that died half-way may have left on disk. */
async function leaveNothingOf({ csv }: Reading): Promise<void> {
  if (!csv) return;
  for (const path of [csv.path, paddedCopyOf(csv.path)]) await rm(path, { force: true });
}
