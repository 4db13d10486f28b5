import { describeFailureCode, isFailure } from '../errors/failure.js';
import type { AttemptCount } from '../posts/post.js';
import type { DigestRun } from './digest.js';

/**
 * The cause of a failure, which decides what happens to the run.
 * - `own`: the digest itself; the next attempt would fail too.
 * - `temporary`: a later attempt may succeed.
 * - `service`, `slack`: a dependency of all digests may be down.
 */
type FailureKind = 'own' | 'temporary' | 'service' | 'slack';

export interface RunFailure {
  readonly kind: FailureKind;
  readonly code: string;
  /** From Slack's `Retry-After` header. */
  readonly retryAfterSeconds?: number;
}

/** Failures that a new owner fixes. */
export const ownerFailures: ReadonlySet<string> = new Set([
  'owner-left',
  'owner-may-not-ask',
  'owner-not-member',
  'access-refused',
]);

/** Why a digest is paused, where three failures in a row of its requests are not the reason. */
export const pauseReasons: ReadonlySet<string> = new Set([
  ...ownerFailures,
  'no-file',
  'no-purpose',
  'no-next-time',
  'owner-erased',
  'person-erased',
  'uninstalled',
  'unreadable',
]);

/** Slack errors of the token or the workspace. They do not resolve without a person. */
const lastingFailureCodes = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'org_login_required',
  'team_added_to_org',
  'message_limit_exceeded',
];

/** Slack errors that stop every post. */
const workspaceFailureCodes: ReadonlySet<string> = new Set([...lastingFailureCodes, 'connection_refused']);

/** Slack errors that may affect one channel, one method or the whole workspace. One error alone does not show which. */
const ambiguousFailureCodes: ReadonlySet<string> = new Set([
  'missing_scope',
  'ekm_access_denied',
  'team_access_not_granted',
]);

/** Failures that do not resolve without a person, so people are notified at once. */
export const notifiedAtOnce: ReadonlySet<string> = new Set([
  'token-refused',
  'no-such-report',
  'service-redirects',
  ...lastingFailureCodes,
  ...ambiguousFailureCodes,
]);

/** Whether the error shows that none of the bot's posts can work. */
export function stopsEveryPost({ kind, code }: RunFailure): boolean {
  return kind === 'slack' && workspaceFailureCodes.has(code);
}

export function failureOf(error: unknown): RunFailure {
  if (isFailure(error, 'cancelled', 'stopped')) return { kind: 'temporary', code: 'stopped' };
  if (isFailure(error, 'slack-refused', 'answer-not-posted', 'file-not-shared'))
    return failureOfSlack(error.details.reason, error.details.retryAfterSeconds);
  if (!isFailure(error)) return { kind: 'temporary', code: 'unexpected' };
  const { code, scope, isRetryable } = error;
  if (scope === 'asker' && !isRetryable) return { kind: 'own', code };
  return { kind: scope === 'service' ? 'service' : 'temporary', code };
}

/** Classifies the error code of a message or file that Slack refused. */
export function failureOfSlack(code: string, retryAfterSeconds?: number): RunFailure {
  if (code === 'ratelimited') {
    return { kind: 'temporary', code, retryAfterSeconds };
  }
  if (workspaceFailureCodes.has(code) || ambiguousFailureCodes.has(code)) return { kind: 'slack', code };
  return { kind: isSlackFault(code) ? 'temporary' : 'own', code };
}

function isSlackFault(code: string): boolean {
  return /^http_|^connection_|^no_upload_url$|^(?:internal_error|fatal_error|service_unavailable|request_timeout)$/.test(
    code,
  );
}

const minute = 60_000;
const retryDelaysMs = [1, 2, 5, 10, 20].map((minutes) => minutes * minute);

/** Slack limits lookups of people and channels per minute, so many runs may wait for hours. */
const slowLookupCodes: ReadonlySet<string> = new Set(['owner-not-described', 'channel-not-described']);
const maxLookupAttempts = 7 * 60;

const maxRateLimited = 12;

/** A rate limit does not count as an attempt, because it says nothing about the run. */
export function attemptCountFor({ code }: RunFailure): AttemptCount {
  return code === 'ratelimited' ? 'rate-limit' : 'attempt';
}

/**
 * Milliseconds before the next attempt; undefined if no attempt is left.
 *
 * @param run its attempts including the one that has just failed, and earlier rate limits
 */
export function retryDelay(
  { attempts, rateLimited }: Pick<DigestRun, 'attempts' | 'rateLimited'>,
  { kind, code, retryAfterSeconds }: RunFailure,
): number | undefined {
  if (kind === 'own') return undefined;
  if (code === 'ratelimited') {
    return rateLimited + 1 < maxRateLimited ? Math.max(1, retryAfterSeconds ?? 30) * 1000 : undefined;
  }
  // Every minute, the limit admits some of the waiting runs.
  if (slowLookupCodes.has(code)) return attempts < maxLookupAttempts ? minute : undefined;
  return retryDelaysMs[attempts - 1];
}

/** The stored reason of a failure or a skip. */
export interface FailureReason {
  readonly code: string;
  /** Text for people, made when the error happened; absent if no error caused it. */
  readonly reason?: string;
}

/** One or two sentences for people; undefined if the reason is unknown. */
export function describeReason(code: string | undefined, reason: string | undefined): string | undefined {
  return reason ?? describeFailureCode(code ?? '');
}

/** Why a run of a digest failed. Only its owner reads the stored reason. */
export function reasonForReader(
  { errorCode, reason }: { readonly errorCode?: string; readonly reason?: string },
  isOwner: boolean,
): string | undefined {
  return describeReason(errorCode, isOwner ? reason : undefined);
}
