import type { Readable } from 'node:stream';
import { type Dispatcher, errors, request as send } from 'undici';
import { Failure } from '../errors/failure.js';
import type { NoConnection } from '../errors/service-failures.js';
import type { HttpCall } from './http-request.js';
import {
  createDecoder,
  errorForStatus,
  isSuccessWithBody,
  readErrorMessage,
  type Write,
} from './http-response.js';

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
  if (signal.aborted) throw new Failure('cancelled', { cause: signal.reason });
  const ended = new AbortController();
  const cancel = () => ended.abort(new Failure('cancelled', { cause: signal.reason }));
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
    if (isSuccessWithBody(statusCode)) return await writeBody(body, withLimit(write, call.maxBytes), watch);
    watch.stop();
    const message = await readErrorMessage(body, call);
    throw errorForStatus(statusCode, headers, message, Date.now());
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  }
}

/** Counts decompressed bytes: a small compressed answer may hold very much. */
function withLimit(write: Write, maxBytes: number | undefined): Write {
  if (maxBytes === undefined) return write;
  let received = 0;
  return (chunk) => {
    received += chunk.length;
    if (received > maxBytes) throw new Failure('answer-too-large', { maxBytes });
    return write(chunk);
  };
}

/** Passes a body on with backpressure. Resolves when all of it is written. */
function writeBody(body: Readable, write: Write, watch: IdleTimeout): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const fail = (error: unknown) => {
      // The bytes of one socket read are passed on together, even if the writer pauses in between.
      over = true;
      reject(error);
      decoder.destroy();
      body.destroy();
    };
    const decoder = createDecoder(write, fail);
    body.on('data', (chunk: Buffer) => {
      if (over) return;
      watch.restart();
      try {
        const pause = decoder.write(chunk);
        if (!pause) return;
        body.pause();
        watch.pause();
        pause.then(() => {
          if (over) return;
          watch.restart();
          body.resume();
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
    body.on('end', () => {
      over = true;
      watch.stop();
      decoder.end().then(resolve, fail);
    });
    body.on('error', (error) => fail(connectionFailure(error, true)));
    body.on('close', () => {
      if (!over) fail(new Failure('connection-lost', { afterFirstByte: true }));
    });
  });
}

/**
 * Maps a connection failure, by the code of Node or undici, to one of our errors. The message is dropped: it may
 * contain addresses.
 *
 * @param afterFirstByte true when the answer had begun
 */
function connectionFailure(error: unknown, afterFirstByte: boolean): Error {
  if (error instanceof errors.HTTPParserError) return brokenHttp(error, afterFirstByte);
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error('The request failed');
  if (lost.has(code)) return new Failure('connection-lost', { afterFirstByte });
  return new Failure('service-unreachable', { reason: reasonOf(code), systemCode: code });
}

/**
 * Maps an error of the HTTP parser. undici 7 gives all of them one class without a code, so only the parser's message
 * distinguishes a connection that ended too early from wrong bytes.
 */
function brokenHttp(error: Error, afterFirstByte: boolean): Error {
  if (error.message.includes('Invalid EOF state')) return new Failure('connection-lost', { afterFirstByte });
  return afterFirstByte
    ? new Failure('damaged-answer', { cutShort: false })
    : new Failure('service-unreachable', { reason: 'not-http', systemCode: error.name });
}

const lost: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'UND_ERR_SOCKET',
  'UND_ERR_CLOSED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
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

function reasonOf(code: string): NoConnection {
  const known = reasons[code];
  if (known) return known;
  // OpenSSL has its own codes for certificates: CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, …
  return /^ERR_(TLS|SSL)_|CERT|SIGNATURE|CRL/.test(code) ? 'not-secure' : 'unreachable';
}

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
