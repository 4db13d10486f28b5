import { rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Dispatcher } from 'undici';
import { cancelledBy, Failure, isFailure, throwIfCancelled } from '../errors/failure.js';
import { personsPathOf } from '../runner/answer-parts.js';
import type { ReadPlan, ReadResult } from '../runner/ports.js';
import type { AnswerStream } from './answer/read-answer.js';
import { rewrittenCopyOf } from './answer/row-order.js';
import { type ExchangeOptions, exchange, type HttpCall } from './http-exchange.js';
import type { Proxies } from './settings.js';

/** What happens while an answer is read. */
type AnswerEvent =
  /** The service begins to answer. */
  | { readonly kind: 'begun' }
  /** Comes at most four times a second: how many records there are so far. */
  | { readonly kind: 'records'; readonly records: number }
  /** Comes once, when the service has sent the whole answer or its reading has failed. The bytes are decompressed. */
  | { readonly kind: 'ended'; readonly bytes: number; readonly isWhole: boolean };

type OnEvent = (event: AnswerEvent) => void;

/** Sends requests and reads their answers, in a thread of its own or in this one. */
export interface AnswerReader {
  open(plan: ReadPlan): AnswerInProgress;
  /** Call it only when no reading is in progress. */
  close(): Promise<void>;
}

/** One or more answers that are read into one result. Ends with the last answer or `discard`. */
export interface AnswerInProgress {
  /**
   * Sends a request and reads its whole answer. After a failure the reading is unchanged, and the request may be sent
   * again.
   *
   * @param isLast true to make the result after this answer. A failure there stays
   * @returns undefined if more answers follow
   */
  read(
    call: HttpCall,
    isLast: boolean,
    signal: AbortSignal,
    onEvent?: OnEvent,
  ): Promise<ReadResult | undefined>;
  /** Deletes its files. */
  discard(): Promise<void>;
}

const recordsEveryMs = 250;

/**
 * Chunks lie outside the heap, so that hundreds of them, 30 MB, would wait for the engine to collect them, with a full
 * collection. It collects young objects, and chunks with them, whenever a megabyte of those was allocated. An array
 * that is thrown away with each chunk makes it do so every 2 MB, which also takes less time.
 */
const wasted = { entries: [] as unknown[] };
const chunkBytesPerEntry = 16;

/** Reads answers in this thread. The caller closes the dispatcher. */
export function createLocalReader(
  openReading: (plan: ReadPlan) => AnswerStream,
  dispatcher: Dispatcher,
): AnswerReader {
  return {
    open(plan) {
      let opened: AnswerStream | undefined;
      return {
        async read(call, isLast, signal, onEvent = () => {}) {
          opened ??= openReading(plan);
          await readInto(opened, call, { dispatcher, signal }, onEvent);
          return isLast ? opened.finish(signal) : undefined;
        },
        discard: async () => opened?.discard(),
      };
    },
    close: async () => {},
  };
}

async function readInto(
  reading: AnswerStream,
  call: HttpCall,
  options: ExchangeOptions,
  onEvent: OnEvent,
): Promise<void> {
  await reading.beginAnswer();
  let reportedAt = performance.now();
  let bytes = 0;
  const write = (chunk: Buffer) => {
    bytes += chunk.length;
    const pause = reading.write(chunk);
    wasted.entries = new Array(Math.ceil(chunk.length / chunkBytesPerEntry));
    if (performance.now() - reportedAt >= recordsEveryMs) {
      reportedAt = performance.now();
      onEvent({ kind: 'records', records: reading.records });
    }
    return pause;
  };
  let isWhole = false;
  try {
    await exchange(call, write, { ...options, onBegun: () => onEvent({ kind: 'begun' }) });
    await reading.endAnswer();
    isWhole = true;
  } catch (error) {
    await reading.rollBackAnswer().catch((failure) => {
      // Our own reading failed first, and a retry would fail again.
      if (!isFailure(error, 'cancelled')) throw failure;
    });
    throw error;
  } finally {
    onEvent({ kind: 'ended', bytes, isWhole });
  }
}

const answerWorker = new URL('./answer-worker.js', import.meta.url);

/**
 * Reads answers in another thread, so that this one stays free to answer commands. The first query starts the thread.
 * If it dies, its readings fail, and the next query starts another.
 */
export function createThreadReader(
  settings: ThreadSettings,
  file: URL = answerWorker,
  onDeath: () => void = () => {},
): AnswerReader {
  let thread: ReturnType<typeof startThread> | undefined;
  let isClosing = false;
  return {
    open(plan) {
      thread ??= startThread(settings, file, () => {
        thread = undefined;
        if (!isClosing) onDeath();
      });
      return thread.open(plan);
    },
    async close() {
      isClosing = true;
      await thread?.stop();
    },
  };
}

/** The message that a reading waits for. */
interface Step {
  readonly onEvent: OnEvent;
  readonly done: (read: ReadResult | undefined) => void;
  readonly failed: (error: Error) => void;
}

function startThread(settings: ThreadSettings, file: URL, onDeath: () => void) {
  // Objects in this thread are short-lived. A small young generation costs no time and saves some megabytes.
  const worker = new Worker(file, { workerData: settings, resourceLimits: { maxYoungGenerationSizeMb: 2 } });
  const steps = new Map<number, Step>();
  let opened = 0;
  let underWay = 0;
  let death: Failure | undefined;
  let reason: string | undefined;

  // The idle thread must not keep the process alive.
  worker.unref();
  worker.on('message', (messages: readonly ThreadReply[]) => {
    for (const message of messages) {
      const waiting = steps.get(message.id);
      if (message.kind === 'event') waiting?.onEvent(message.event);
      else {
        steps.delete(message.id);
        if (message.kind === 'done') waiting?.done(message.read);
        else waiting?.failed(deserializeError(message.failure));
      }
    }
  });
  worker.on('error', (error) => {
    reason = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  });
  worker.on('exit', (exitCode) => {
    death = new Failure('reading-thread-died', { reason: reason ?? `exit code ${exitCode}` });
    for (const { failed } of steps.values()) failed(death);
    steps.clear();
    onDeath();
  });

  return {
    async stop() {
      await worker.terminate();
    },
    open(plan: ReadPlan): AnswerInProgress {
      opened += 1;
      const id = opened;
      underWay += 1;
      worker.ref();
      /** The thread learns of a reading with its first request. */
      let isKnown = false;
      return {
        async read(call, isLast, signal, onEvent) {
          throwIfCancelled(signal);
          const cancel = () => worker.postMessage({ kind: 'cancel', id } satisfies ThreadRequest);
          signal.addEventListener('abort', cancel, { once: true });
          const { newRows } = plan;
          // A copy can be moved to a thread: a `Buffer` may share its bytes with others.
          const known = !isKnown && newRows?.known ? new Uint8Array(newRows.known) : undefined;
          const sent = isKnown ? undefined : { ...plan, newRows: newRows && { ...newRows, known } };
          const message = { kind: 'read', id, call, isLast, plan: sent } as const;
          isKnown = true;
          try {
            const read = await step(message, onEvent, known);
            if (isLast) closed();
            return read;
          } catch (error) {
            throw isFailure(error, 'cancelled') ? cancelledBy(signal) : error;
          } finally {
            signal.removeEventListener('abort', cancel);
          }
        },
        async discard() {
          try {
            if (isKnown) await step({ kind: 'discard', id });
          } catch (error) {
            if (!death) throw error;
            await removePartialFile(plan);
          } finally {
            closed();
          }
        },
      };
    },
  };

  /** @param moved bytes of the message that are the thread's from then on */
  function step(
    message: ThreadRequest,
    onEvent: OnEvent = () => {},
    moved?: Uint8Array,
  ): Promise<ReadResult | undefined> {
    return new Promise((done, failed) => {
      if (death) return failed(death);
      steps.set(message.id, { done, failed, onEvent });
      worker.postMessage(message, bytesIn(moved));
    });
  }

  function closed() {
    underWay -= 1;
    if (underWay === 0) worker.unref();
  }
}

/** What a message between threads moves in place of copying it. */
export function bytesIn(...arrays: readonly (Uint8Array | Int32Array | undefined)[]): readonly ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  for (const bytes of arrays) if (bytes?.buffer instanceof ArrayBuffer) buffers.push(bytes.buffer);
  return buffers;
}

/** Deletes the files that a dead thread may have left. */
async function removePartialFile({ file, teams }: ReadPlan): Promise<void> {
  if (teams) await rm(teams.path, { force: true });
  if (!file) return;
  for (const path of [file.path, personsPathOf(file.path)])
    for (const written of [path, rewrittenCopyOf(path)]) await rm(written, { force: true });
}

export interface ThreadSettings {
  readonly proxies?: Proxies | undefined;
}

/** Messages to the thread. `id` is the reading's. A reading has one `read` or `discard` at a time. */
export type ThreadRequest =
  | {
      readonly kind: 'read';
      readonly id: number;
      readonly call: HttpCall;
      readonly isLast: boolean;
      /** Set in the first message of the reading. */
      readonly plan: ReadPlan | undefined;
    }
  | { readonly kind: 'cancel' | 'discard'; readonly id: number };

/** Messages of the thread. `done` and `failed` end the `read` or `discard` of that reading. Several may be in one message. */
export type ThreadReply =
  | { readonly kind: 'event'; readonly id: number; readonly event: AnswerEvent }
  | { readonly kind: 'done'; readonly id: number; readonly read?: ReadResult | undefined }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: SerializedError };

/** An error as plain data: messages between threads lose its class and hidden members. */
export interface SerializedError {
  /** Absent for an unknown error. */
  readonly failure?: Pick<Failure, 'code' | 'details'>;
  readonly name: string;
  readonly stack: string;
}

/** Serializes an error. The message of an unknown error is dropped: like that of `JSON.parse`, it may quote a row. */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: 'Error', stack: '' };
  const { name } = error;
  const stack = (error.stack ?? '').match(/^ +at .*$/gm)?.join('\n') ?? '';
  if (!isFailure(error)) return { name, stack };
  return { failure: { code: error.code, details: error.details }, name, stack };
}

export function deserializeError({ failure, name, stack }: SerializedError): Error {
  const error = failure ? new Failure(failure.code, failure.details) : new Error(unexpected);
  const value = `${name}: ${error.message}\n${stack}`;
  Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  if (!failure) Object.defineProperty(error, 'name', { value: name, enumerable: true });
  return error;
}

const unexpected = 'unexpected in the thread that reads answers';
