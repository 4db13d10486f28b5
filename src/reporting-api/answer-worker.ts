import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { startCounting } from '../figures/count-report.js';
import type { ReadResult } from '../runner/ports.js';
import { openAnswerStream } from './answer/read-answer.js';
import { Scanner } from './answer/scanner.js';
import {
  type AnswerInProgress,
  createLocalReader,
  serializeError,
  type ThreadReply,
  type ThreadRequest,
  type ThreadSettings,
} from './answer-reader.js';
import { openDispatcher } from './settings.js';

/*
 * The thread that sends requests and reads their answers, several at once. It only follows messages. The main thread
 * decides when a request may be sent and whether it is retried.
 */

interface Open {
  readonly reading: AnswerInProgress;
  /** Cancels the request in progress. */
  cancel: () => void;
}

const port = parentPort;
if (!port) throw new Error('This file runs as a thread');
const { proxies } = workerData as ThreadSettings;

// undici's HTTP parser is WebAssembly with one very long function. The engine would optimize it after some megabytes,
// which takes 36 MB and 0.1 s of CPU, and does not pay. A module keeps the settings with which it is compiled: the
// scanner, which needs the optimization, compiles before. From V8 13 on, the first two flags would reach it too, so
// there the optimization is only put off until some gigabytes were read.
Scanner.create().release();
const flags =
  Number.parseInt(process.versions.v8, 10) < 13
    ? ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']
    : ['--wasm-tiering-budget=2000000000'];
for (const flag of flags) setFlagsFromString(flag);
const reader = createLocalReader(
  (reading) => openAnswerStream(reading, startCounting),
  openDispatcher(proxies),
);
const readings = new Map<number, Open>();
const send = (message: ThreadReply) => port.postMessage(message);

port.on('message', (message: ThreadRequest) => {
  const { id } = message;
  if (message.kind === 'open') {
    readings.set(id, { reading: reader.open(message.reading), cancel: () => {} });
    return;
  }
  const open = readings.get(id);
  if (!open) return;
  if (message.kind === 'cancel') return open.cancel();
  take(message, open).then(
    (read) => send({ kind: 'done', id, read }),
    (error) => send({ kind: 'failed', id, failure: serializeError(error) }),
  );
});

async function take(
  message: Exclude<ThreadRequest, { kind: 'open' }>,
  open: Open,
): Promise<ReadResult | undefined> {
  const { id } = message;
  const ended = new AbortController();
  open.cancel = () => ended.abort();
  if (message.kind === 'add') {
    await open.reading.add(message.call, ended.signal, {
      onBegun: () => send({ kind: 'begun', id }),
      onRecords: (records) => send({ kind: 'records', id, records }),
      onBytes: (bytes) => send({ kind: 'bytes', id, bytes }),
    });
    return undefined;
  }
  if (message.kind === 'finish') {
    const read = await open.reading.finish(ended.signal);
    readings.delete(id);
    return read;
  }
  readings.delete(id);
  await open.reading.discard();
  return undefined;
}
