import { errors } from 'undici';
import { ConnectionLost, DamagedAnswer, type NoConnection, ServiceUnreachable } from './errors.js';

/**
 * What a failure of the connection means, from the code that Node or undici gives it. Its message is not kept: it may
 * hold addresses.
 *
 * @param afterFirstByte true when the answer had begun
 */
export function connectionFailure(error: unknown, afterFirstByte: boolean): Error {
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
