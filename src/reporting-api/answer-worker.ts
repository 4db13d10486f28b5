import { randomBytes } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { hashKeyOf } from '../figures/keyed-hash.js';
import { startCounting } from '../figures/reports/count-report.js';
import { LatestPeople } from '../runner/people-index-builder.js';
import type { ReadResult } from '../runner/ports.js';
import { AnswerStream } from './answer/read-answer.js';
import { Scanner } from './answer/scanner.js';
import {
  type AnswerInProgress,
  bytesIn,
  createLocalReader,
  serializeError,
  type ThreadReply,
  type ThreadRequest,
  type ThreadSettings,
} from './answer-reader.js';
import { openDispatcher } from './settings.js';
import { allowWasmOptimization, skipWasmOptimization } from './wasm-tiers.js';

/*
 * The thread that sends requests and reads their answers, several at once. It only follows messages. The main thread
 * decides when a request may be sent and whether it is retried.
 */

interface Open {
  readonly reading: AnswerInProgress;
  /** Cancels the request in progress. */
  cancel: () => void;
}

if (!parentPort) throw new Error('This file runs as a thread');
const parent = parentPort;
const { proxies } = workerData as ThreadSettings;

// The scanner needs the optimization. The thread may be a second one, after one that died and left the flags set.
allowWasmOptimization();
Scanner.create().release();
skipWasmOptimization();
/** The people of the daily look stay in this thread, which is the only one that compares them. */
const people = new LatestPeople(hashKeyOf(randomBytes(16).toString('hex')));
const reader = createLocalReader(
  (plan) =>
    new AnswerStream(plan, (figures, fields) => startCounting(figures, fields, people), undefined, people),
  openDispatcher(proxies),
);
const readings = new Map<number, Open>();

/**
 * Each message wakes the main thread, so an event waits this long for the end of its reading. In milliseconds. Ends are
 * sent at once: an answer must not wait for the reading of another one.
 */
const gatherMs = 2;

let replies: ThreadReply[] = [];
let gathering: NodeJS.Timeout | undefined;

function send(reply: ThreadReply): void {
  replies.push(reply);
  if (reply.kind === 'event') gathering ??= setTimeout(sendAll, gatherMs);
  else sendAll();
}

function sendAll(): void {
  clearTimeout(gathering);
  gathering = undefined;
  const rows = replies.flatMap((reply) => {
    if (reply.kind !== 'done') return [];
    const who = reply.read?.file?.who;
    return [reply.read?.newRows?.rows, who === 'too-many' ? undefined : who];
  });
  parent.postMessage(replies, bytesIn(...rows));
  replies = [];
}

parent.on('message', (message: ThreadRequest) => {
  const { id } = message;
  if (message.kind === 'read' && message.plan) {
    readings.set(id, { reading: reader.open(message.plan), cancel: () => {} });
  }
  const open = readings.get(id);
  if (!open) return;
  if (message.kind === 'cancel') return open.cancel();
  take(message, open).then(
    (read) => send({ kind: 'done', id, read }),
    (error) => send({ kind: 'failed', id, failure: serializeError(error) }),
  );
});

async function take(message: ThreadRequest, open: Open): Promise<ReadResult | undefined> {
  const { id } = message;
  const { reading } = open;
  if (message.kind !== 'read') {
    readings.delete(id);
    await reading.discard();
    return undefined;
  }
  const cancelling = new AbortController();
  open.cancel = () => cancelling.abort();
  const { call, isLast } = message;
  const read = await reading.read(call, isLast, cancelling.signal, (event) =>
    send({ kind: 'event', id, event }),
  );
  if (isLast) readings.delete(id);
  return read;
}
