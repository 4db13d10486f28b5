import type { ResponseHeaders } from './http-response.js';

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
