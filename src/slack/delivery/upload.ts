import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { type Dispatcher, request } from 'undici';
import { Failure, isFailure } from '../../errors/failure.js';
import { randomId } from '../../logging/logger.js';
import { evidencePathOf, personsPathOf } from '../../runner/answer-parts.js';
import { lockFile } from '../../store/database/file-lock.js';
import { outcomeOfFailure } from './post-message.js';

export interface FileDestination {
  readonly channel: string;
  /** The `ts` of the first message of the thread. */
  readonly thread?: string | undefined;
  /** A line of text above the file. */
  readonly comment?: string | undefined;
}

/** A file on disk to share in a channel. */
interface FileToShare {
  readonly path: string;
  /** More than 0: Slack rejects empty files. */
  readonly bytes: number;
  /** With its extension: `engagement_2026-11-09_2026-11-15.csv`. */
  readonly name: string;
}

/** Uploads a file. The returned function shares it, which makes it visible. Both throw `file-not-shared`. */
export type ShareFile = (
  file: FileToShare,
  signal?: AbortSignal,
) => Promise<(into: FileDestination) => Promise<{ readonly fileId: string }>>;

/**
 * Slack's upload in three steps, streamed from disk. The SDK's `filesUploadV2` holds a file in memory several times.
 *
 * @param client makes each call once, without retries
 * @param dispatcher uses the proxies of the settings
 */
export function shareFile(client: WebClient, dispatcher: Dispatcher): ShareFile {
  async function requestUploadUrl({ name, bytes }: FileToShare) {
    try {
      const answer = await client.files.getUploadURLExternal({ filename: name, length: bytes });
      if (answer.upload_url && answer.file_id) return { url: answer.upload_url, fileId: answer.file_id };
    } catch (error) {
      throw notShared(error, false);
    }
    throw new Failure('file-not-shared', { reason: 'no_upload_url', mayHaveArrived: false });
  }

  async function sendBytes(url: string, { path, bytes }: FileToShare, signal: AbortSignal | undefined) {
    const source = await open(path);
    try {
      const { body, statusCode } = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
        body: Readable.from(chunksOf(source), { highWaterMark: 1 }),
        dispatcher,
        signal,
      });
      await body.dump();
      if (statusCode !== 200)
        throw new Failure('file-not-shared', { reason: `http_${statusCode}`, mayHaveArrived: false });
    } catch (error) {
      if (isFailure(error, 'file-not-shared')) throw error;
      signal?.throwIfAborted();
      throw new Failure('file-not-shared', {
        reason: 'connection_lost',
        mayHaveArrived: false,
        cause: error,
      });
    } finally {
      await source.close();
    }
  }

  return async (file, signal) => {
    const { url, fileId } = await requestUploadUrl(file);
    await sendBytes(url, file, signal);
    signal?.throwIfAborted();
    return async ({ channel, thread, comment }) => {
      try {
        await client.files.completeUploadExternal({
          files: [{ id: fileId, title: file.name }],
          channel_id: channel,
          thread_ts: thread,
          initial_comment: comment,
        });
        return { fileId };
      } catch (error) {
        throw notShared(error, outcomeOfFailure(error).kind === 'unknown');
      }
    };
  };
}

/** At least a socket's buffer, so that each chunk is on its way before the next one is read. */
const chunkBytes = 256 * 1024;

/**
 * Reads a file in chunks into a few reused buffers. New buffers would fill memory faster than they are collected. A
 * chunk's buffer is reused after three more chunks.
 */
async function* chunksOf(source: FileHandle): AsyncGenerator<Buffer> {
  const buffers = Array.from({ length: 4 }, () => Buffer.allocUnsafeSlow(chunkBytes));
  for (let turn = 0; ; turn += 1) {
    const buffer = buffers[turn % buffers.length] as Buffer;
    const { bytesRead } = await source.read(buffer, 0, chunkBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

function notShared(error: unknown, mayHaveArrived: boolean): Failure {
  const outcome = outcomeOfFailure(error);
  const retryAfterSeconds = outcome.kind === 'not-posted' ? outcome.retryAfterSeconds : undefined;
  return new Failure('file-not-shared', {
    reason: outcome.code,
    mayHaveArrived,
    cause: error,
    retryAfterSeconds,
  });
}

/** One process opens or cleans at a time, so that no process deletes a folder before its owner has locked it. */
const openingLock = 'opening.lock';
const openingTimeoutMs = 5_000;

/**
 * Opens a folder for the files of running requests inside `folder`, and deletes the folders of processes that have ended.
 * Only the account of the bot can read them.
 */
export async function openAnswerFiles(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const opening = lockFile(join(folder, openingLock), openingTimeoutMs);
  if (!opening) throw new Error('Another process does not finish opening the folder of answers');
  try {
    await removeAbandoned(folder);
    const own = join(folder, randomId());
    const lock = lockFile(lockOf(own));
    await mkdir(own, { mode: 0o700 });
    return {
      pathFor: (requestId: string) => join(own, `${requestId}.rows`),
      async remove(requestId: string) {
        const path = join(own, `${requestId}.rows`);
        for (const one of [path, personsPathOf(path), evidencePathOf(path)]) await rm(one, { force: true });
      },
      async close() {
        await rm(own, { recursive: true, force: true });
        lock?.release();
        await rm(lockOf(own), { force: true });
      },
    };
  } finally {
    opening.release();
  }
}

export type AnswerFiles = Awaited<ReturnType<typeof openAnswerFiles>>;

function lockOf(folder: string) {
  return `${folder}.lock`;
}

/** Deletes everything whose lock no process holds, and what has no lock at all. */
async function removeAbandoned(folder: string) {
  const names = await readdir(folder);
  for (const name of names.filter((one) => !one.endsWith('.lock'))) {
    const path = join(folder, name);
    const isLocked = names.includes(lockOf(name)) && isHeld(lockOf(path));
    if (!isLocked) await rm(path, { recursive: true, force: true });
  }
  for (const name of names.filter((one) => one.endsWith('.lock') && one !== openingLock)) {
    const path = join(folder, name);
    if (!isHeld(path)) await rm(path, { force: true });
  }
}

/** Also true for a lock that cannot be opened, because it belongs to another account. */
function isHeld(path: string) {
  try {
    const lock = lockFile(path);
    lock?.release();
    return lock === undefined;
  } catch {
    return true;
  }
}
