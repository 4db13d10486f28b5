import { createGunzip, type Gunzip } from 'node:zlib';
import { AnswerCutShort, AnswerGoesOn } from '../answer/errors.js';
import { DamagedAnswer } from './errors.js';

/** Takes bytes. It may throw; a promise asks for a pause until it resolves. */
export type Write = (chunk: Buffer) => Promise<void> | undefined;

/** Takes the bytes of a body as they come over the wire. */
export interface Decoder {
  readonly write: Write;
  /** No more comes. Resolves when everything has been written on; throws where the compressed bytes are incomplete. */
  end(): Promise<void>;
  /** Lets go of everything half-way. */
  drop(): void;
}

/** No JSON text begins with this byte, and every gzip stream does. */
export const firstOfGzip = 0x1f;

/**
 * Writes a body's bytes on, decompressed if they are gzip. The body's own first byte tells: services and what stands
 * before them mislabel compressed answers both ways.
 */
export function openDecoder(write: Write): Decoder {
  let inner: Decoder | undefined;
  return {
    write(chunk) {
      if (chunk.length === 0) return undefined;
      inner ??= chunk[0] === firstOfGzip ? openGunzip(write) : openPlain(write);
      return inner.write(chunk);
    },
    end: async () => inner?.end(),
    drop: () => inner?.drop(),
  };
}

function openPlain(write: Write): Decoder {
  return { write, end: async () => {}, drop: () => {} };
}

function openGunzip(write: Write): Decoder {
  const gunzip = createGunzip();
  const over = outcomeOf(gunzip, write);
  // Whoever waits for `end` or a pause hears of it; until then nobody may be listening.
  over.catch(() => {});
  let taken = 0;

  return {
    write(chunk) {
      if (gunzip.destroyed) return over;
      taken += chunk.length;
      return gunzip.write(chunk) ? undefined : Promise.race([drained(gunzip), over]);
    },
    async end() {
      gunzip.end();
      await over;
      // What follows the compressed data is ignored by zlib, but an answer that goes on is no answer.
      if (gunzip.bytesWritten < taken) throw new AnswerGoesOn(0);
    },
    drop: () => gunzip.destroy(),
  };
}

/** Resolves when all decompressed bytes are written on. */
function outcomeOf(gunzip: Gunzip, write: Write): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(error);
      gunzip.destroy();
    };
    gunzip.on('data', (chunk: Buffer) => {
      if (gunzip.destroyed) return;
      try {
        const pause = write(chunk);
        if (!pause) return;
        gunzip.pause();
        pause.then(() => gunzip.resume(), fail);
      } catch (error) {
        fail(error);
      }
    });
    gunzip.on('end', resolve);
    gunzip.on('error', (error) => fail(isCutShort(error) ? new AnswerCutShort(0) : new DamagedAnswer()));
  });
}

function drained(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => gunzip.once('drain', resolve));
}

function isCutShort(error: Error): boolean {
  return 'code' in error && error.code === 'Z_BUF_ERROR';
}
