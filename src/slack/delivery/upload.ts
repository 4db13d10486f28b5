import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { type Dispatcher, request } from 'undici';
import { FileNotShared } from '../../posts/post.js';
import { outcomeOfFailure } from './post-message.js';

/** Where a file is shown. */
export interface FileDestination {
  readonly channel: string;
  /** The `ts` of the message in whose thread it is shown. */
  readonly thread?: string | undefined;
  /** A line of text above the file. */
  readonly comment?: string;
}

/** A file on disk on its way into a channel. */
interface FileToShare {
  readonly path: string;
  /** More than 0: Slack takes no empty files. */
  readonly bytes: number;
  /** With its ending: `engagement_2026-11-09_2026-11-15.csv`. */
  readonly name: string;
  readonly title: string;
  /** A function is awaited before the one step that shows the file; what it throws calls the upload off. */
  readonly into: FileDestination | (() => Promise<FileDestination>);
}

/** Uploads a file and shares it. Nothing but the last step shows anything to anybody. */
export type ShareFile = (file: FileToShare, signal?: AbortSignal) => Promise<{ readonly fileId: string }>;

/**
 * Slack's three-step upload, streamed from disk with its length known.
 * The SDK's own `filesUploadV2` reads the whole file into memory several times over.
 *
 * @param client makes its calls once, with no retries of its own
 * @param dispatcher the way out of this network, proxies included
 * @throws FileNotShared
 */
export function shareFile(client: WebClient, dispatcher: Dispatcher): ShareFile {
  return async (file, signal) => {
    const { uploadUrl, fileId } = await askForAddress(client, file);
    await sendBytes(dispatcher, uploadUrl, file, signal);
    signal?.throwIfAborted();
    const place = typeof file.into === 'function' ? await file.into() : file.into;
    await complete(client, fileId, file.title, place);
    return { fileId };
  };
}

async function askForAddress(client: WebClient, file: FileToShare) {
  try {
    const answer = await client.files.getUploadURLExternal({ filename: file.name, length: file.bytes });
    if (answer.upload_url && answer.file_id) return { uploadUrl: answer.upload_url, fileId: answer.file_id };
  } catch (error) {
    throw notShared(error, false);
  }
  throw new FileNotShared('no_upload_url', false);
}

async function sendBytes(
  dispatcher: Dispatcher,
  url: string,
  file: FileToShare,
  signal: AbortSignal | undefined,
) {
  const source = await open(file.path);
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(file.bytes) },
      body: Readable.from(piecesOf(source), { highWaterMark: 1 }),
      dispatcher,
      signal,
    });
    await response.body.dump();
    if (response.statusCode !== 200) throw new FileNotShared(`http_${response.statusCode}`, false);
  } catch (error) {
    if (error instanceof FileNotShared) throw error;
    signal?.throwIfAborted();
    throw new FileNotShared('connection_lost', false, { cause: error });
  } finally {
    await source.close();
  }
}

/** No smaller than what a socket buffers, so that each piece is on its way before the next one is asked for. */
const pieceBytes = 256 * 1024;

/**
 * A file piece by piece, through a few buffers that are used again and again: fresh ones would pile up faster than
 * they are collected. A piece is not touched again before three more have been asked for.
 */
async function* piecesOf(source: FileHandle): AsyncGenerator<Buffer> {
  const buffers = Array.from({ length: 4 }, () => Buffer.allocUnsafeSlow(pieceBytes));
  for (let turn = 0; ; turn += 1) {
    const buffer = buffers[turn % buffers.length] as Buffer;
    const { bytesRead } = await source.read(buffer, 0, pieceBytes);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function complete(client: WebClient, fileId: string, title: string, place: FileDestination) {
  try {
    await client.files.completeUploadExternal({
      files: [{ id: fileId, title }],
      channel_id: place.channel,
      thread_ts: place.thread,
      initial_comment: place.comment,
    });
  } catch (error) {
    throw notShared(error, outcomeOfFailure(error).kind === 'unknown');
  }
}

function notShared(error: unknown, mayHaveArrived: boolean): FileNotShared {
  const outcome = outcomeOfFailure(error);
  const retryAfterSeconds = outcome.kind === 'not-posted' ? outcome.retryAfterSeconds : undefined;
  return new FileNotShared(outcome.code, mayHaveArrived, { cause: error, retryAfterSeconds });
}

/** Where the CSV of a run lies while it is written and uploaded. Only the account that runs the bot can read it. */
export interface AnswerFiles {
  pathFor(requestId: string): string;
  remove(requestId: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a folder of this process's own inside `folder`, and clears away those of processes that are gone.
 *
 * @param isAlive whether a process of that number is running
 */
export async function openAnswerFiles(
  folder: string,
  pid: number,
  isAlive: (pid: number) => boolean,
): Promise<AnswerFiles> {
  const own = join(folder, String(pid));
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const other = Number(name);
    if (Number.isSafeInteger(other) && other !== pid && !isAlive(other)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
  return {
    pathFor: (requestId) => join(own, `${requestId}.csv`),
    remove: (requestId) => rm(join(own, `${requestId}.csv`), { force: true }),
    close: () => rm(own, { recursive: true, force: true }),
  };
}
