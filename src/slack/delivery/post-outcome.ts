import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';

/**
 * What is known of a message after the attempt to post it.
 * - `posted`: Slack said so.
 * - `not-posted`: Slack refused it, or was never reached, so it may be posted again.
 * - `unknown`: nobody can tell, so no machine may repeat it.
 */
export type PostOutcome =
  | { readonly kind: 'posted'; readonly channel: string; readonly ts: string }
  | NotPosted
  | { readonly kind: 'unknown'; readonly code: string };

export interface NotPosted {
  readonly kind: 'not-posted';
  /** Slack's own error, `ratelimited` or `connection_refused`. */
  readonly code: string;
  readonly retryAfterSeconds?: number;
  /** What Slack objects to in the payload, in its own words. */
  readonly objections: readonly string[];
}

/** Answers of Slack that say that something broke, not whether the message was recorded before it did. */
const inconclusive = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);

/** What a failed call says about the message. Rethrows what did not come from calling Slack. */
export function outcomeOfFailure(error: unknown): Exclude<PostOutcome, { kind: 'posted' }> {
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error;
    if (inconclusive.has(code)) return { kind: 'unknown', code };
    return { kind: 'not-posted', code, objections: error.data.response_metadata?.messages ?? [] };
  }
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'not-posted', code: 'ratelimited', retryAfterSeconds: error.retryAfter, objections: [] };
  }
  if (error instanceof WebAPIRequestError) {
    return wasRefused(error)
      ? { kind: 'not-posted', code: 'connection_refused', objections: [] }
      : { kind: 'unknown', code: 'connection_lost' };
  }
  if (error instanceof WebAPIHTTPError) return { kind: 'unknown', code: `http_${error.statusCode}` };
  throw error;
}

/** True when the connection was never made: somewhere in the chain of causes is ECONNREFUSED, and only that. */
export function wasRefused(error: unknown): boolean {
  for (let cause: unknown = error; cause instanceof Error; cause = nextCause(cause)) {
    if ('code' in cause && cause.code === 'ECONNREFUSED') return true;
    if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(wasRefused);
  }
  return false;
}

function nextCause(error: Error): unknown {
  return error.cause ?? ('original' in error ? error.original : undefined);
}
