import type { Readable } from 'node:stream';
import { type Dispatcher, errors, request as send } from 'undici';
import {
  Cancelled,
  ConnectionLost,
  DamagedAnswer,
  type NoConnection,
  ServiceTimedOut,
  ServiceUnreachable,
} from './errors.js';
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
  /** Called when the service begins to answer, whatever it answers. */
  readonly onBegun?: () => void;
}

/**
 * Sends one request and writes the bytes of its answer on as they come. Redirects are not followed.
 *
 * @param write gets the answer's bytes, decompressed; what it throws ends the exchange and is thrown on
 * @throws one of the errors of `errors.ts`; by then the connection is closed or free again
 */
export async function exchange(call: HttpCall, write: Write, options: ExchangeOptions): Promise<void> {
  const { dispatcher, signal, onBegun } = options;
  if (signal.aborted) throw new Cancelled({ cause: signal.reason });
  const ended = new AbortController();
  const cancel = () => ended.abort(new Cancelled({ cause: signal.reason }));
  signal.addEventListener('abort', cancel, { once: true });
  let begun = false;
  const watch = watchIdleTimeout(call.idleTimeoutMs, () =>
    ended.abort(new ServiceTimedOut(call.idleTimeoutMs, begun)),
  );
  try {
    const { statusCode, headers, body } = await send(call.url, {
      dispatcher,
      method: 'POST',
      headers: call.headers,
      body: call.body,
      signal: ended.signal,
      // The watch looks after silence, more exactly.
      headersTimeout: 0,
      bodyTimeout: 0,
    }).catch((error) => {
      throw connectionFailure(error, false);
    });
    begun = true;
    watch.restart();
    onBegun?.();
    if (isSuccessWithBody(statusCode)) return await writeBody(body, write, watch);
    watch.stop();
    const says = await readErrorMessage(body, call);
    throw errorForStatus(statusCode, headers, says, Date.now());
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  }
}

/** Writes a body on, no faster than it can be taken. Resolves when all of it is written. */
function writeBody(body: Readable, write: Write, watch: IdleTimeout): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const fail = (error: unknown) => {
      // What one read of the socket brought is handed on in one go, whatever happens on the way.
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
      if (!over) fail(new ConnectionLost(true));
    });
  });
}

/**
 * What a failure of the connection means, from the code that Node or undici gives it. Its message is not kept: it may
 * hold addresses.
 *
 * @param afterFirstByte true when the answer had begun
 */
function connectionFailure(error: unknown, afterFirstByte: boolean): Error {
  if (error instanceof errors.HTTPParserError) return brokenHttp(error, afterFirstByte);
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error('The request failed');
  if (lost.has(code)) return new ConnectionLost(afterFirstByte);
  return new ServiceUnreachable(reasonOf(code), code);
}

/**
 * What it means that bytes were not HTTP. undici 7 gives all such errors one class without a code; the parser's own
 * words alone tell a connection that ended too early from bytes that are wrong.
 */
function brokenHttp(error: Error, afterFirstByte: boolean): Error {
  if (error.message.includes('Invalid EOF state')) return new ConnectionLost(afterFirstByte);
  return afterFirstByte ? new DamagedAnswer(false) : new ServiceUnreachable('not-http', error.name);
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
  // OpenSSL's verdicts on certificates have names of their own: CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, …
  return /^ERR_(TLS|SSL)_|CERT|SIGNATURE|CRL/.test(code) ? 'not-secure' : 'no-way';
}

/** The code of an error, or of the first one inside it: undici and Node's dual-stack connecting both wrap them. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}

/** Watches that something keeps coming. */
interface IdleTimeout {
  /** Something came, or listening goes on after a rest. */
  restart(): void;
  /** Listening has stopped on our side: silence does not count until `heard`. */
  pause(): void;
  stop(): void;
}

/**
 * Calls once when nothing was heard for that long. undici has such limits too, but its timers run in steps of half a
 * second, and they keep counting while the reader itself holds the answer up.
 */
function watchIdleTimeout(milliseconds: number, onSilence: () => void): IdleTimeout {
  let last = performance.now();
  let listening = true;
  let stopped = false;
  let timer = setTimeout(look, milliseconds);

  return {
    restart() {
      last = performance.now();
      listening = true;
    },
    pause() {
      listening = false;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };

  function look() {
    const left = listening ? last + milliseconds - performance.now() : milliseconds;
    if (left > 0) timer = setTimeout(look, Math.ceil(left));
    // Where this thread itself was busy, bytes may lie unread: they come in before the next immediate.
    else setImmediate(conclude);
  }

  function conclude() {
    if (stopped) return;
    if (listening && last + milliseconds <= performance.now()) onSilence();
    else look();
  }
}
