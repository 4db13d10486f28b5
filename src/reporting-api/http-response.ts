import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip, gunzipSync } from 'node:zlib';
import {
  DamagedAnswer,
  EmptyAnswer,
  NoSuchReport,
  QueryRefused,
  ServiceBroken,
  ServiceRedirects,
  TokenRefused,
  TooManyRequests,
} from './errors.js';
import type { HttpCall } from './http-request.js';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** True for a status whose body is to be read as an answer. */
export function isSuccessWithBody(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

/**
 * The error that a status other than a success means.
 *
 * @param says what the service says about it
 * @param nowMs milliseconds since the epoch, for dates in headers
 */
export function errorForStatus(
  status: number,
  headers: ResponseHeaders,
  says: string | undefined,
  nowMs: number,
): Error {
  if (status < 300) return new EmptyAnswer(status);
  if (status < 400) return new ServiceRedirects(status);
  if (status === 401 || status === 403) return new TokenRefused(status);
  if (status === 404) return new NoSuchReport();
  if (status === 429) return new TooManyRequests(retryAfter(headers, nowMs));
  if (status < 500) return new QueryRefused(status, says);
  return new ServiceBroken(status, says, retryAfter(headers, nowMs));
}

/** More than this of an error's body is not read, nor for longer. */
const maxErrorBodyBytes = 4096;
const errorBodyTimeoutMs = 5000;
const maxMessageLength = 200;

/**
 * The message in an error's body, if the body is small JSON with one: a line of at most 200 characters
 * without control characters, addresses of people or the token. Pages in HTML say nothing.
 */
export async function readErrorMessage(
  body: Readable,
  { headers, idleTimeoutMs }: HttpCall,
): Promise<string | undefined> {
  const message = messageOf(await startOf(body, Math.min(errorBodyTimeoutMs, idleTimeoutMs)));
  if (typeof message !== 'string') return undefined;
  const token = headers.authorization?.replace(/^Bearer /, '') || '\0';
  const line = message
    .replaceAll(token, '…')
    .replace(/\S+@\S+/g, '…')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : [...line].slice(0, maxMessageLength).join('');
}

function messageOf(bytes: Buffer): unknown {
  try {
    const isGzip = bytes[0] === firstOfGzip;
    const text = (isGzip ? gunzipSync(bytes, { maxOutputLength: 16 * maxErrorBodyBytes }) : bytes).toString(
      'utf8',
    );
    return textIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Nobody has described the service's errors: whichever of the usual members holds a text, or an object with one. */
function textIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  for (const member of usualMembers) {
    const inside: unknown = Reflect.get(body, member);
    const text = typeof inside === 'string' ? inside : textIn(inside);
    if (text !== undefined) return text;
  }
  return undefined;
}

const usualMembers = ['message', 'error', 'detail', 'title'] as const;

function startOf(body: Readable, milliseconds: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(() => body.destroy(), milliseconds);
    body.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxErrorBodyBytes) body.destroy();
    });
    // What went wrong with the connection no longer matters: the status has said enough.
    body.on('error', () => {});
    body.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
  });
}

/**
 * How long a `Retry-After` asks to wait, in milliseconds: it holds seconds or an HTTP date. Undefined where there is
 * none, or none that makes sense.
 *
 * @param nowMs milliseconds since the epoch, used for a date where the service does not say what time it has itself
 */
export function retryAfter(headers: ResponseHeaders, nowMs: number): number | undefined {
  const value = textOf(headers['retry-after']);
  if (value === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const then = httpDate(value);
  if (then === undefined) return undefined;
  // Measured by the service's own clock, since ours may differ from it.
  return Math.max(0, then - (httpDate(textOf(headers.date)) ?? nowMs));
}

/** Only dates in words: other text that Date would take, such as `-5`, is no date here. */
function httpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.trim();
}

/** Takes bytes. It may throw; a promise asks for a pause until it resolves. */
export type Write = (chunk: Buffer) => Promise<void> | undefined;

/** Takes the bytes of a body as they come over the wire. */
export interface Decoder {
  readonly write: Write;
  /** No more comes. Resolves when everything has been written on, and rejects where that failed. */
  end(): Promise<void>;
  /** Lets go of everything half-way. */
  destroy(): void;
}

/** No JSON text begins with this byte, and every gzip stream does. */
const firstOfGzip = 0x1f;

/**
 * Writes a body's bytes on, decompressed if they are gzip. The body's own first byte tells: services and what stands
 * before them mislabel compressed answers both ways.
 *
 * @param fail is told at once what went wrong with bytes that were taken before
 */
export function createDecoder(write: Write, fail: (error: unknown) => void): Decoder {
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
    destroy: () => inner?.destroy(),
  };
}

function openPlain(write: Write): Decoder {
  return { write, end: async () => {}, destroy: () => {} };
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
    destroy: () => gunzip.destroy(),
  };
}

function drained(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => gunzip.once('drain', resolve));
}

function isCutShort(error: Error): boolean {
  return 'code' in error && error.code === 'Z_BUF_ERROR';
}
