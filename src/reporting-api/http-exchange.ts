import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, errors } from 'undici';
import { cancelledBy, Failure, isFailure, throwIfCancelled } from '../errors/failure.js';
import type { NoConnection } from '../errors/service-failures.js';
import { errorForStatus, firstOfGzip, isSuccessWithBody, readErrorMessage } from './http-response.js';

/** One POST to the Reporting Service, ready to send. Plain data: it crosses to the thread that reads. */
export interface HttpCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** Timeout for the first byte, and between bytes, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Maximum bytes of the answer, decompressed; absent: no limit. */
  readonly maxBytes?: number | undefined;
}

/** Receives bytes. It may throw. If it returns a promise, the caller pauses until that resolves. */
type Write = (chunk: Buffer) => Promise<void> | undefined;

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  /** Ends the exchange and its connection. */
  readonly signal: AbortSignal;
  /** Called when the service begins to answer, with any status. */
  readonly onBegun?: () => void;
}

/**
 * Sends one request and passes the bytes of its answer on as they arrive. Redirects are not followed.
 *
 * undici's handlers take half the processor time of its streams, which counts for small answers.
 *
 * @param write receives the answer's bytes, decompressed; an error that it throws ends the exchange and is rethrown
 * @throws a failure of the service or of its answer, after the connection is closed or free again
 */
export async function exchange(call: HttpCall, write: Write, options: ExchangeOptions): Promise<void> {
  const { dispatcher, signal, onBegun } = options;
  const { url, headers, body: json, idleTimeoutMs, maxBytes } = call;
  throwIfCancelled(signal);
  let controller: Dispatcher.DispatchController | undefined;
  let body: Body | undefined;
  /** Set once this side has ended the exchange: what the connection says after that is only a consequence. */
  let ended: { readonly error: unknown } | undefined;
  const end = (error: unknown) => {
    ended ??= { error };
    controller?.abort(error instanceof Error ? error : new Error('The exchange was ended'));
  };
  const cancel = () => end(cancelledBy(signal));
  signal.addEventListener('abort', cancel, { once: true });
  const watch = watchIdleTimeout(idleTimeoutMs, () =>
    end(new Failure('service-timed-out', { idleTimeoutMs, afterFirstByte: body !== undefined })),
  );
  const { origin, pathname, search } = new URL(url);
  const request = {
    origin,
    path: pathname + search,
    method: 'POST',
    headers,
    body: json,
    // `watchIdleTimeout` measures timeouts more exactly.
    headersTimeout: 0,
    bodyTimeout: 0,
  } as const;
  try {
    await new Promise<void>((resolve, reject) => {
      const handler: Dispatcher.DispatchHandler = {
        onRequestStart(started) {
          controller = started;
          if (ended) end(ended.error);
        },
        onResponseStart(started, status, responseHeaders) {
          // The service only says that it will answer.
          if (status < 200) return;
          onBegun?.();
          if (isSuccessWithBody(status)) {
            watch.restart();
            body = answerBody(write, { controller: started, watch, end, maxBytes });
          } else {
            watch.stop();
            const errorWith = (message: string | undefined) =>
              errorForStatus(status, responseHeaders, message, Date.now());
            body = errorBody(errorWith, call, end);
          }
        },
        onResponseData(_controller, chunk) {
          watch.restart();
          body?.write(chunk);
        },
        onResponseEnd() {
          watch.stop();
          body?.end().then(resolve, reject);
        },
        onResponseError(_controller, error) {
          reject(body ? body.broken(error) : connectionFailure(error, false));
        },
      };
      try {
        dispatcher.dispatch(request, handler);
      } catch (error) {
        reject(connectionFailure(error, false));
      }
    });
    // The last bytes may have been written while it was ended.
    if (ended) throw ended.error;
  } catch (error) {
    throw ended ? ended.error : error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  }
}

/** What the bytes of a response go to. */
interface Body {
  write(chunk: Buffer): void;
  /** Resolves when all bytes are written. @throws where they are no whole answer */
  end(): Promise<void>;
  /** The connection broke, or this side ended it. Returns the error that this is. */
  broken(error: unknown): unknown;
}

interface Reading {
  readonly controller: Dispatcher.DispatchController;
  readonly watch: IdleTimeout;
  /** Ends the exchange. */
  readonly end: (error: unknown) => void;
  readonly maxBytes: number | undefined;
}

/**
 * Passes a body on with backpressure, and decompresses gzip. The first byte of the body decides: services and proxies
 * label compressed answers wrongly in both directions.
 */
function answerBody(
  write: Write,
  { controller, watch, end, maxBytes = Number.POSITIVE_INFINITY }: Reading,
): Body {
  let received = 0;
  /** Decompressed bytes: a small compressed answer may hold very much. */
  let written = 0;
  let failed: { readonly error: unknown } | undefined;
  let isBroken = false;
  let target: Writable | undefined;
  let done: Promise<void> | undefined;

  const writer = new Writable({
    highWaterMark: maxWaitingBytes,
    write(chunk: Buffer, _encoding, next) {
      // Later, when zlib already decompresses more in a thread of its own.
      Promise.resolve(chunk)
        .then(writeWithinLimit)
        .then(
          () => next(),
          (error) => {
            failed = { error };
            next(error);
          },
        );
    },
  });

  function writeWithinLimit(chunk: Buffer) {
    written += chunk.length;
    if (written > maxBytes) throw new Failure('answer-too-large', { maxBytes });
    return write(chunk);
  }

  function begin(isGzip: boolean): Writable {
    const gunzip = isGzip ? createGunzip(gunzipOptions) : undefined;
    gunzip?.once('end', () => {
      // zlib ignores zeros after the compressed data. An answer with more bytes after its end is an error.
      if (gunzip.bytesWritten < received) gunzip.destroy(new Failure('damaged-answer', { cutShort: false }));
    });
    done = (gunzip ? pipeline(gunzip, writer) : finished(writer)).catch((error: unknown) => {
      if (!isBroken) end(failed ? failed.error : connectionFailure(error, true));
    });
    return (gunzip ?? writer).on('drain', () => {
      watch.restart();
      controller.resume();
    });
  }

  return {
    write(chunk) {
      target ??= begin(chunk[0] === firstOfGzip);
      received += chunk.length;
      if (target.write(chunk)) return;
      watch.pause();
      controller.pause();
    },
    async end() {
      target?.end();
      await done;
    },
    broken(error) {
      isBroken = true;
      target?.destroy();
      return connectionFailure(error, true);
    },
  };
}

/** Limits on reading the body of an error, in bytes and in milliseconds. */
const maxErrorBodyBytes = 4096;
const errorBodyTimeoutMs = 5000;

/** Reads the beginning of an error's body. Whatever becomes of it, the status is known. */
function errorBody(
  errorWith: (message: string | undefined) => Error,
  { headers, idleTimeoutMs }: HttpCall,
  end: (error: unknown) => void,
): Body {
  const chunks: Buffer[] = [];
  let length = 0;
  const conclude = () => end(found());
  const timer = setTimeout(conclude, Math.min(errorBodyTimeoutMs, idleTimeoutMs));
  function found() {
    clearTimeout(timer);
    return errorWith(readErrorMessage(Buffer.concat(chunks), headers));
  }
  return {
    write(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxErrorBodyBytes) conclude();
    },
    async end() {
      throw found();
    },
    broken: found,
  };
}

/** So many bytes may wait to be decompressed or written before the service has to wait. */
const maxWaitingBytes = 256 * 1024;

/** As many bytes as a socket delivers at once. With zlib's 16 KB, each of them would be four turns of the event loop. */
const chunkBytes = 64 * 1024;

const gunzipOptions = { chunkSize: chunkBytes, writableHighWaterMark: maxWaitingBytes };

/**
 * Keeps the end of a connection from undici 7 while the reading of an answer pauses. Its parser would fail outside of any
 * request, and the thread with it (https://github.com/nodejs/undici/issues/5360). undici 8 is mended, and needs Node 22.
 */
subscribe('undici:client:connected', (message) => {
  const { socket } = message as { readonly socket: Socket };
  const name = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  if (!name) return;
  const read = socket.read;
  socket.read = (size?: number) => {
    const parser: { readonly paused: boolean } | null = Reflect.get(socket, name);
    if (parser?.paused) return null;
    // Without a size, the last bytes would end the connection at once, although they may make the parser pause.
    const all = Math.min(socket.readableLength, socket.readableHighWaterMark);
    return read.call(socket, size ?? (all || undefined));
  };
});

/**
 * Maps a failure of the connection or of zlib, by the code of Node or undici, to one of our errors. The message is dropped: it may
 * contain addresses.
 *
 * @param afterFirstByte true when the answer had begun
 */
function connectionFailure(error: unknown, afterFirstByte: boolean): Error {
  if (isFailure(error)) return error;
  // undici 7 gives all errors of its parser one class without a code, so only the parser's message distinguishes a
  // connection that ended too early from wrong bytes.
  if (error instanceof errors.HTTPParserError) {
    if (error.message.includes('Invalid EOF state'))
      return new Failure('connection-lost', { afterFirstByte });
    if (afterFirstByte) return new Failure('damaged-answer', { cutShort: false });
    return new Failure('service-unreachable', { reason: 'not-http', systemCode: error.name });
  }
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error('The request failed');
  if (code.startsWith('Z_')) return new Failure('damaged-answer', { cutShort: code === 'Z_BUF_ERROR' });
  if (lost.has(code)) return new Failure('connection-lost', { afterFirstByte });
  // OpenSSL has its own codes for certificates: CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, …
  const isNotSecure = /^ERR_(TLS|SSL)_|CERT|SIGNATURE|CRL/.test(code);
  const reason = reasons[code] ?? (isNotSecure ? 'not-secure' : 'unreachable');
  return new Failure('service-unreachable', { reason, systemCode: code });
}

const lost: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

const reasons: Readonly<Record<string, NoConnection>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EAI_NODATA: 'unknown-host',
  EAI_FAIL: 'unknown-host',
  EPROTO: 'not-secure',
  UND_ERR_PRX_TLS: 'not-secure',
  UND_ERR_ABORTED: 'proxy',
  UND_ERR_INVALID_ARG: 'proxy',
  UND_ERR_HEADERS_OVERFLOW: 'not-http',
};

/** The code of an error, or of the first error inside it. Both undici and Node's dual-stack connect wrap errors. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

/** A timeout that starts again with each byte. */
type IdleTimeout = ReturnType<typeof watchIdleTimeout>;

/**
 * Calls back once after that long without a byte. undici has such timeouts too, but its timers run in steps of half a
 * second, and they keep counting while the reader itself pauses the answer.
 */
function watchIdleTimeout(milliseconds: number, onTimeout: () => void) {
  let last = performance.now();
  let isReading = true;
  let stopped = false;
  let timer = setTimeout(look, milliseconds);

  return {
    /** Bytes arrived, or reading continues after a pause. */
    restart() {
      last = performance.now();
      isReading = true;
    },
    /** Reading pauses on our side. No time counts until `restart`. */
    pause() {
      isReading = false;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  function look() {
    const left = isReading ? last + milliseconds - performance.now() : milliseconds;
    if (left > 0) timer = setTimeout(look, Math.ceil(left));
    // If this thread was busy, bytes may still be unread. They arrive before the next immediate.
    else setImmediate(conclude);
  }

  function conclude() {
    if (stopped) return;
    if (isReading && last + milliseconds <= performance.now()) onTimeout();
    else look();
  }
}
