import type { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { firstOfGzip } from './decoded.js';
import {
  EmptyAnswer,
  NoSuchReport,
  QuestionRefused,
  ServiceBroken,
  ServiceRedirects,
  TokenRefused,
  TooManyRequests,
} from './errors.js';
import type { WireRequest } from './http-request.js';
import { retryAfter } from './retry-after.js';

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** True for a status whose body is to be read as an answer. */
export function mayBeAnAnswer(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

/**
 * The error that a status other than a success means.
 *
 * @param says what the service says about it
 * @param nowMs milliseconds since the epoch, for dates in headers
 */
export function statusFailure(
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
  if (status < 500) return new QuestionRefused(status, says);
  return new ServiceBroken(status, says, retryAfter(headers, nowMs));
}

/** More than this of an error's body is not read, nor for longer. */
const mostOfBody = 4096;
const longestReading = 5000;
const longestMessage = 200;

/**
 * The message in an error's body, if the body is small JSON with one: a line of at most 200 characters
 * without control characters, addresses of people or the token. Pages in HTML say nothing.
 */
export async function messageIn(
  body: Readable,
  { headers, silenceMs }: WireRequest,
): Promise<string | undefined> {
  const message = messageOf(await startOf(body, Math.min(longestReading, silenceMs)));
  if (typeof message !== 'string') return undefined;
  const token = headers.authorization?.replace(/^Bearer /, '') || '\0';
  const line = message
    .replaceAll(token, '…')
    .replace(/\S+@\S+/g, '…')
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : [...line].slice(0, longestMessage).join('');
}

function messageOf(bytes: Buffer): unknown {
  try {
    const isGzip = bytes[0] === firstOfGzip;
    const text = (isGzip ? gunzipSync(bytes, { maxOutputLength: 16 * mostOfBody }) : bytes).toString('utf8');
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
      if (length > mostOfBody) body.destroy();
    });
    // What went wrong with the connection no longer matters: the status has said enough.
    body.on('error', () => {});
    body.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    });
  });
}
