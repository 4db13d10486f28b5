import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, systemCodeOf } from '../../errors/failure.js';
import { blockBytes } from './scanner.js';

/**
 * A file never takes the last of a disk: the database may be on it. SQLite needs room for its log, and for a copy of a
 * page that it changes.
 */
export const minFreeBytes = 64 * 1024 * 1024;
/** The free space is looked at again after so many bytes. */
const bytesBetweenChecks = 8 * 1024 * 1024;
/** Full blocks that may wait for the disk before the writer has to pause. */
const maxWaitingBlocks = 4;

interface Block {
  readonly bytes: Buffer;
  used: number;
}

/** The parts of an open file that are used here. */
export interface OpenFile extends Pick<FileHandle, 'truncate' | 'close'> {
  write(bytes: Buffer, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}

/**
 * A file that is written from start to end. Writes go into the current block of memory, and full blocks go to disk in
 * the background. Blocks are reused. Only the file's owner may read it.
 */
export class AnswerFile {
  /** The current block. Call `reserve`, then write from `at` on. */
  out: Buffer = Buffer.alloc(0);
  at = 0;
  private before = 0;
  private readonly waiting: Block[] = [];
  private readonly free: Buffer[] = [];
  private writing: Promise<void> | undefined;
  private failure: unknown;
  private uncheckedBytes = 0;

  constructor(
    readonly path: string,
    private readonly handle: OpenFile,
    private readonly freeBytes: FreeBytes = freeBytesOf,
    private readonly newBlock: NewBlock = newPlainBlock,
  ) {}

  /**
   * Creates the file, which must not exist.
   *
   * @throws `file-not-written`
   */
  static async create(
    path: string,
    freeBytes: FreeBytes = freeBytesOf,
    newBlock: NewBlock = newPlainBlock,
  ): Promise<AnswerFile> {
    await attempt(assertRoom(path, freeBytes));
    return new AnswerFile(path, await attempt(open(path, 'wx+', 0o600)), freeBytes, newBlock);
  }

  /** Bytes written so far, on disk or not yet. */
  get length(): number {
    return this.before + this.at;
  }

  /** True while too many blocks wait for the disk, or the disk has failed. Await `drain` before the next write. */
  get isBacklogged(): boolean {
    return this.waiting.length >= maxWaitingBlocks || this.failure !== undefined;
  }

  /** Makes room for this many bytes from `at` on. */
  reserve(bytes: number): void {
    if (this.out.length - this.at >= bytes) return;
    this.queueBlock();
    this.out = bytes <= blockBytes ? (this.free.pop() ?? this.newBlock()) : Buffer.allocUnsafe(bytes);
  }

  write(bytes: Buffer, start = 0, end = bytes.length): void {
    this.reserve(end - start);
    bytes.copy(this.out, this.at, start, end);
    this.at += end - start;
  }

  /** Resolves when all full blocks are written. Rejects if the disk failed. */
  async drain(): Promise<void> {
    while (this.writing) await this.writing;
    if (this.failure !== undefined) throw notWritten(this.failure);
  }

  /** Resolves when everything is on disk. */
  async flush(): Promise<void> {
    this.queueBlock();
    await this.drain();
  }

  /** Truncates to a length that it had when it was flushed. */
  async truncate(length: number): Promise<void> {
    this.at = 0;
    this.waiting.length = 0;
    while (this.writing) await this.writing;
    this.failure = undefined;
    await attempt(this.handle.truncate(length));
    this.before = length;
  }

  /**
   * Reads from the disk at an offset. Resolves to the number of bytes: 0 at the end.
   *
   * @throws Error if the file is shorter than what was written
   */
  async read(into: Buffer, from: number): Promise<number> {
    const { bytesRead } = await attempt(this.handle.read(into, 0, into.length, from));
    if (bytesRead === 0 && from < this.before) throw new Error('The file is shorter than what was written');
    return bytesRead;
  }

  async close(): Promise<void> {
    this.waiting.length = 0;
    while (this.writing) await this.writing;
    await attempt(this.handle.close());
  }

  /** Replaces another file with this one. */
  async moveTo(path: string): Promise<void> {
    await attempt(rename(this.path, path));
  }

  async closeAndRemove(): Promise<void> {
    await this.close().catch(() => {});
    await attempt(rm(this.path, { force: true }));
  }

  private queueBlock(): void {
    if (this.at === 0) return;
    this.waiting.push({ bytes: this.out, used: this.at });
    this.before += this.at;
    this.at = 0;
    this.out = Buffer.alloc(0);
    if (this.failure === undefined) this.writing ??= this.writeWaiting();
  }

  private async writeWaiting(): Promise<void> {
    let from = this.before - this.waiting.reduce((sum, { used }) => sum + used, 0);
    try {
      for (let block = this.waiting[0]; block; block = this.waiting[0]) {
        for (let done = 0; done < block.used; ) {
          const { bytesWritten } = await this.handle.write(block.bytes, done, block.used - done, from);
          done += bytesWritten;
          from += bytesWritten;
        }
        this.uncheckedBytes += block.used;
        if (this.uncheckedBytes >= bytesBetweenChecks) {
          this.uncheckedBytes = 0;
          await assertRoom(this.path, this.freeBytes);
        }
        this.waiting.shift();
        if (block.bytes.length === blockBytes && this.free.length <= maxWaitingBlocks)
          this.free.push(block.bytes);
      }
    } catch (error) {
      this.failure = error;
      this.waiting.length = 0;
    } finally {
      this.writing = undefined;
    }
  }
}

/** Allocates a block of `blockBytes`. */
type NewBlock = () => Buffer;

const newPlainBlock: NewBlock = () => Buffer.allocUnsafe(blockBytes);

/** Free bytes of the disk that a path is on, for accounts without privileges. */
type FreeBytes = (path: string) => Promise<number>;

async function freeBytesOf(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}

/** @throws an error with the code of a full disk */
async function assertRoom(path: string, freeBytes: FreeBytes): Promise<void> {
  if ((await freeBytes(path)) >= minFreeBytes) return;
  throw Object.assign(new Error('Too little space is free'), { code: 'ENOSPC' });
}

async function attempt<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw notWritten(error);
  }
}

function notWritten(error: unknown): Failure {
  return new Failure('file-not-written', { reason: systemCodeOf(error), cause: error });
}
