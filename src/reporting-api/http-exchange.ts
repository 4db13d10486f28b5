import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, errors, request as send } from 'undici';
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
 * @param write receives the answer's bytes, decompressed; an error that it throws ends the exchange and is rethrown
 * @throws a failure of the service or of its answer, after the connection is closed or free again
 */
export async function exchange(call: HttpCall, write: Write, options: ExchangeOptions): Promise<void> {
  const { dispatcher, signal, onBegun } = options;
  throwIfCancelled(signal);
  const ended = new AbortController();
  const cancel = () => ended.abort(cancelledBy(signal));
  signal.addEventListener('abort', cancel, { once: true });
  let begun = false;
  const watch = watchIdleTimeout(call.idleTimeoutMs, () =>
    ended.abort(
      new Failure('service-timed-out', { idleTimeoutMs: call.idleTimeoutMs, afterFirstByte: begun }),
    ),
  );
  try {
    const { statusCode, headers, body } = await send(call.url, {
      dispatcher,
      method: 'POST',
      headers: call.headers,
      body: call.body,
      signal: ended.signal,
      // `watchIdleTimeout` measures timeouts more exactly.
      headersTimeout: 0,
      bodyTimeout: 0,
    }).catch((error) => {
      throw connectionFailure(error, false);
    });
    begun = true;
    watch.restart();
    onBegun?.();
    if (isSuccessWithBody(statusCode)) return await writeBody(body, write, watch, call.maxBytes);
    watch.stop();
    const message = await readErrorMessage(body, call.headers, call.idleTimeoutMs);
    throw errorForStatus(statusCode, headers, message, Date.now());
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  }
}

/**
 * Passes a body on with backpressure, and decompresses gzip. The first byte of the body decides: services and proxies
 * label compressed answers wrongly in both directions. Resolves when all of it is written.
 */
async function writeBody(
  body: Readable,
  write: Write,
  watch: IdleTimeout,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  let received = 0;
  /** Decompressed bytes: a small compressed answer may hold very much. */
  let written = 0;
  const writeWithinLimit = (chunk: Buffer) => {
    written += chunk.length;
    if (written > maxBytes) throw new Failure('answer-too-large', { maxBytes });
    return write(chunk);
  };
  let failed: { readonly error: unknown } | undefined;
  const writer = new Writable({
    highWaterMark: 4 * chunkBytes,
    write(chunk: Buffer, _encoding, done) {
      // Later, when zlib already decompresses more in a thread of its own.
      Promise.resolve(chunk)
        .then(writeWithinLimit)
        .then(
          () => done(),
          (error) => {
            failed = { error };
            done(error);
          },
        );
    },
  });
  const gunzipped = async () => {
    const gunzip = createGunzip({ chunkSize: chunkBytes });
    gunzip.once('end', () => {
      // zlib ignores zeros after the compressed data. An answer with more bytes after its end is an error.
      if (gunzip.bytesWritten < received) gunzip.destroy(new Failure('damaged-answer', { cutShort: false }));
    });
    await pipeline(body, gunzip, writer);
  };
  try {
    await new Promise((resolve, reject) => {
      body.once('readable', resolve).once('end', resolve).once('error', reject);
    });
    const start: Buffer | null = body.read();
    if (start) body.unshift(start);
    body.on('data', ({ length }: Buffer) => {
      received += length;
      watch.restart();
    });
    body.on('pause', watch.pause).on('resume', watch.restart).on('end', watch.stop);
    await (start?.[0] === firstOfGzip ? gunzipped() : pipeline(body, writer));
  } catch (error) {
    throw failed ? failed.error : connectionFailure(error, true);
  }
}

/** As many bytes as a socket delivers at once. With zlib's 16 KB, each of them would be four turns of the event loop. */
const chunkBytes = 64 * 1024;

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
