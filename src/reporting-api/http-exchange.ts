import type { Readable } from 'node:stream';
import { type Dispatcher, request as send } from 'undici';
import { openDecoder, type Write } from './decoded.js';
import { Cancelled, ConnectionLost, ServiceSilent } from './errors.js';
import { connectionFailure } from './failed-request.js';
import type { WireRequest } from './http-request.js';
import { mayBeAnAnswer, messageIn, statusFailure } from './http-response.js';
import { type SilenceWatch, watchSilence } from './silence.js';

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
export async function exchange(wire: WireRequest, write: Write, options: ExchangeOptions): Promise<void> {
  const { dispatcher, signal, onBegun } = options;
  if (signal.aborted) throw new Cancelled({ cause: signal.reason });
  const ended = new AbortController();
  const cancel = () => ended.abort(new Cancelled({ cause: signal.reason }));
  signal.addEventListener('abort', cancel, { once: true });
  let begun = false;
  const watch = watchSilence(wire.silenceMs, () => ended.abort(new ServiceSilent(wire.silenceMs, begun)));
  try {
    const { statusCode, headers, body } = await send(wire.url, {
      dispatcher,
      method: 'POST',
      headers: wire.headers,
      body: wire.body,
      signal: ended.signal,
      // The watch looks after silence, more exactly.
      headersTimeout: 0,
      bodyTimeout: 0,
    }).catch((error) => {
      throw connectionFailure(error, false);
    });
    begun = true;
    watch.heard();
    onBegun?.();
    if (mayBeAnAnswer(statusCode)) return await pour(body, write, watch);
    watch.stop();
    const says = await messageIn(body, wire);
    throw statusFailure(statusCode, headers, says, Date.now());
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    watch.stop();
    signal.removeEventListener('abort', cancel);
  }
}

/** Writes a body on, no faster than it can be taken. Resolves when all of it is written. */
function pour(body: Readable, write: Write, watch: SilenceWatch): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const fail = (error: unknown) => {
      // What one read of the socket brought is handed on in one go, whatever happens on the way.
      over = true;
      reject(error);
      decoder.drop();
      body.destroy();
    };
    const decoder = openDecoder(write, fail);
    body.on('data', (chunk: Buffer) => {
      if (over) return;
      watch.heard();
      try {
        const pause = decoder.write(chunk);
        if (!pause) return;
        body.pause();
        watch.rest();
        pause.then(() => {
          if (over) return;
          watch.heard();
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
