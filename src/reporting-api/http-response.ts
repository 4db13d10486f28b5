import { gunzipSync } from 'node:zlib';
import { Failure } from '../errors/failure.js';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** True for a status with an answer in its body. */
export function isSuccessWithBody(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

/**
 * The error for an unsuccessful status.
 *
 * @param nowMs milliseconds since the epoch, for dates in headers
 */
export function errorForStatus(
  status: number,
  headers: ResponseHeaders,
  message: string | undefined,
  nowMs: number,
): Error {
  if (status < 300) return new Failure('empty-answer', { status });
  if (status < 400) return new Failure('service-redirects', { status });
  if (status === 401 || status === 403) return new Failure('token-refused', { status });
  if (status === 404) return new Failure('no-such-report');
  if (status === 429) return new Failure('too-many-requests', { retryAfterMs: retryAfter(headers, nowMs) });
  if (status < 500) return new Failure('query-refused', { status, serviceMessage: message });
  return new Failure('service-broken', { status, retryAfterMs: retryAfter(headers, nowMs) });
}

/** No JSON text begins with this byte, and every gzip stream does. */
export const firstOfGzip = 0x1f;

const maxMessageLength = 200;
/** Of the body of an error, decompressed. */
const maxMessageBytes = 64 * 1024;

/**
 * The message in an error's body, if the body is small JSON with one: a line of at most 200 characters without control
 * characters, addresses of people or the token. HTML pages have no message.
 */
export function readErrorMessage(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  const message = messageOf(body);
  if (typeof message !== 'string') return undefined;
  const token = headers.authorization?.replace(/^Bearer /, '') || '\0';
  const line = message
    .replaceAll(token, '…')
    .replace(/\S+@\S+/g, '…')
    // It is quoted, and does not end its own quotation.
    .replace(/[“”„‟"]/g, "'")
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : [...line].slice(0, maxMessageLength).join('');
}

function messageOf(bytes: Buffer): unknown {
  try {
    const isGzip = bytes[0] === firstOfGzip;
    const text = (isGzip ? gunzipSync(bytes, { maxOutputLength: maxMessageBytes }) : bytes).toString('utf8');
    return textIn(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The service's errors are not documented, so this takes any usual member with a text, or an object with one. */
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

/**
 * The wait of a `Retry-After` header in milliseconds. The header has seconds or an HTTP date. Undefined if it is absent
 * or invalid.
 *
 * @param nowMs milliseconds since the epoch; used if the answer has no `Date` header
 */
export function retryAfter(headers: ResponseHeaders, nowMs: number): number | undefined {
  const value = textOf(headers['retry-after']);
  if (value === undefined) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const then = httpDate(value);
  if (then === undefined) return undefined;
  // The service's own clock counts, since ours may differ.
  return Math.max(0, then - (httpDate(textOf(headers.date)) ?? nowMs));
}

/** Only HTTP dates: `Date` would also accept other texts, such as `-5`. */
function httpDate(text: string | undefined): number | undefined {
  if (text === undefined || !/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function textOf(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.trim();
}
