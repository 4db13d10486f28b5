import { createGunzip, type Gunzip } from 'node:zlib';
import { DamagedAnswer } from './errors.js';

/** Takes bytes. It may throw; a promise asks for a pause until it resolves. */
export type Write = (chunk: Buffer) => Promise<void> | undefined;

/** Takes the bytes of a body as they come over the wire. */
export interface Decoder {
  readonly write: Write;
  /** No more comes. Resolves when everything has been written on, and rejects where that failed. */
  end(): Promise<void>;
  /** Lets go of everything half-way. */
  drop(): void;
}

/** No JSON text begins with this byte, and every gzip stream does. */
export const firstOfGzip = 0x1f;

/**
 * Writes a body's bytes on, decompressed if they are gzip. The body's own first byte tells: services and what stands
 * before them mislabel compressed answers both ways.
 *
 * @param fail is told at once what went wrong with bytes that were taken before
 */
export function openDecoder(write: Write, fail: (error: unknown) => void): Decoder {
  let inner: Decoder | undefined;
  // A stream that is paused ends all the same when its end is already buffered.
  let lastPause: Promise<void> | undefined;
  const writeOn: Write = (chunk) => {
    lastPause = write(chunk);
    return lastPause;
  };
  return {
    write(chunk) {
      if (chunk.length === 0) return undefined;
      inner ??= chunk[0] === firstOfGzip ? openGunzip(writeOn, fail) : openPlain(writeOn);
      return inner.write(chunk);
    },
    async end() {
      await inner?.end();
      await lastPause;
    },
    drop: () => inner?.drop(),
  };
}

function openPlain(write: Write): Decoder {
  return { write, end: async () => {}, drop: () => {} };
}

function openGunzip(write: Write, fail: (error: unknown) => void): Decoder {
  const gunzip = createGunzip();
  let taken = 0;
  let over = () => {};

  function stop(error: unknown) {
    gunzip.destroy();
    fail(error);
  }
  gunzip.on('error', (error) => stop(new DamagedAnswer(isCutShort(error))));
  gunzip.on('data', (chunk: Buffer) => {
    if (gunzip.destroyed) return;
    try {
      const pause = write(chunk);
      if (!pause) return;
      gunzip.pause();
      pause.then(() => gunzip.resume(), stop);
    } catch (error) {
      stop(error);
    }
  });
  gunzip.on('end', () => {
    // zlib passes over zeros behind the compressed data; an answer that goes on is none, whatever with.
    if (gunzip.bytesWritten < taken) stop(new DamagedAnswer(false));
    else over();
  });

  return {
    write(chunk) {
      if (gunzip.destroyed) return undefined;
      taken += chunk.length;
      return gunzip.write(chunk) ? undefined : drained(gunzip);
    },
    end: () =>
      new Promise((resolve) => {
        over = resolve;
        gunzip.end();
      }),
    drop: () => gunzip.destroy(),
  };
}

function drained(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => gunzip.once('drain', resolve));
}

function isCutShort(error: Error): boolean {
  return 'code' in error && error.code === 'Z_BUF_ERROR';
}
