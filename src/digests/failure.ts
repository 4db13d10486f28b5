import type { AccessRefusal } from '../access/scope.js';
import { isFailure } from '../errors/failure.js';
import { KnownError } from '../errors/known-error.js';
import type { AttemptCount } from '../posts/post.js';
import type { DigestRun } from './digest.js';

/**
 * The cause of a failure, which decides what happens to the run.
 * - `own`: the digest itself; the next attempt would fail too.
 * - `temporary`: a later attempt may succeed.
 * - `service`, `slack`: a dependency of all digests may be down.
 */
type FailureKind = 'own' | 'temporary' | 'service' | 'slack';

export interface Failure {
  readonly kind: FailureKind;
  readonly code: string;
  /** From Slack's `Retry-After` header. */
  readonly retryAfterSeconds?: number;
}

/** A delivery that failed for a known reason. */
export class DigestFailed extends KnownError {
  readonly code: string;
  constructor(readonly failure: Failure) {
    super(`A digest could not be delivered: ${failure.code}`);
    this.code = failure.code;
  }
}

/** The owner's level of access does not allow what the digest wants. */
export class OwnerAccessRefused extends DigestFailed {
  constructor(readonly refusal: AccessRefusal) {
    super({ kind: 'own', code: accessRefused });
  }
}

/** The owner's rights have narrowed since the report was made. The next attempt makes it again. */
export const accessChanged = { kind: 'temporary', code: 'access-changed' } as const satisfies Failure;

/** The code of `OwnerAccessRefused`. It pauses a digest at once. */
export const accessRefused = 'access-refused';

/** The code of `FileTooLargeForExcel`. */
export const tooLargeForExcel = 'too-large-for-excel';

/** Failures that a new owner fixes. */
export const ownerFailures: ReadonlySet<string> = new Set([
  'owner-left',
  'owner-may-not-ask',
  'owner-not-member',
  accessRefused,
]);

/** Slack errors that stop every post: token, workspace or connection errors. */
const workspaceFailureCodes: ReadonlySet<string> = new Set([
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'org_login_required',
  'team_added_to_org',
  'message_limit_exceeded',
  'connection_refused',
]);

/** Slack errors that may affect one channel, one method or the whole workspace. One error alone does not show which. */
const ambiguousFailureCodes: ReadonlySet<string> = new Set([
  'missing_scope',
  'ekm_access_denied',
  'team_access_not_granted',
]);

const temporaryCodes: ReadonlySet<string> = new Set(['connection_refused']);

/** Failures that do not resolve without a person, so people are notified at once. */
export const notifiedAtOnce: ReadonlySet<string> = new Set(
  [
    'token-refused',
    'no-such-report',
    'service-redirects',
    ...workspaceFailureCodes,
    ...ambiguousFailureCodes,
  ].filter((code) => !temporaryCodes.has(code)),
);

/** Whether the error shows that none of the bot's posts can work. */
export function stopsEveryPost({ kind, code }: Failure): boolean {
  return kind === 'slack' && workspaceFailureCodes.has(code);
}

/** Classifies an error of a run. Errors of Slack calls arrive as DigestFailed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DigestFailed) return error.failure;
  if (isFailure(error, 'cancelled', 'stopped')) return { kind: 'temporary', code: 'stopped' };
  if (!(error instanceof KnownError)) return { kind: 'temporary', code: 'unexpected' };
  const { code, scope } = error;
  if (scope === 'asker') return { kind: 'own', code };
  return { kind: scope === 'service' ? 'service' : 'temporary', code };
}

/** Classifies the error code of a message or file that Slack refused. */
export function failureOfSlack(code: string, retryAfterSeconds?: number): Failure {
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
export function attemptCountFor({ code }: Failure): AttemptCount {
  return code === 'ratelimited' ? 'rate-limit' : 'attempt';
}

/**
 * Milliseconds before the next attempt; undefined if no attempt is left.
 *
 * @param run its attempts including the one that has just failed, and earlier rate limits
 */
export function retryDelay(
  { attempts, rateLimited }: Pick<DigestRun, 'attempts' | 'rateLimited'>,
  { code, retryAfterSeconds }: Failure,
): number | undefined {
  if (code === 'ratelimited') {
    return rateLimited + 1 < maxRateLimited ? Math.max(1, retryAfterSeconds ?? 30) * 1000 : undefined;
  }
  // Every minute, the limit admits some of the waiting runs.
  if (slowLookupCodes.has(code)) return attempts < maxLookupAttempts ? minute : undefined;
  return retryDelaysMs[attempts - 1];
}

/** Texts for codes that digests themselves set on runs and pauses. */
const reasonTexts: Readonly<Record<string, string>> = {
  superseded: 'A later run replaced it.',
  'by-hand': 'Someone paused it.',
  deleted: 'It was deleted.',
  unreadable: "I can't read this digest's settings.",
  'no-next-time': "I can't work out when it runs next.",
  stopped: 'I was stopped while it was running.',
  interrupted: 'I was stopped while it was running.',
  'owner-left': 'Its owner has left this workspace.',
  'owner-erased': 'Its owner’s data was erased.',
  'person-erased': 'A filter named a person whose data was erased. Change the filters to run it again.',
  uninstalled: 'Rollcall was uninstalled from this workspace.',
  'owner-may-not-ask': 'Its owner can no longer request reports.',
  'owner-not-member': 'Its owner is no longer a member of the channel.',
  [accessRefused]: 'Its owner’s access level does not allow it.',
  'owner-level-unknown': 'Slack did not say which user groups its owner is in.',
  'owner-not-described': 'Slack did not return the profile of its owner.',
  'channel-not-described': 'Slack did not return details of the channel.',
  'no-file': 'The report has no file.',
  'no-purpose': 'Files need a purpose now. Edit the digest, and say what its file is for.',
};

/** The stored reason of a failure or a skip. */
export interface FailureReason {
  readonly code: string;
  /** Text for people, made when the error happened; absent if no error caused it. */
  readonly reason?: string;
}

/** One or two sentences for people; undefined if the reason is unknown. */
export function describeReason(code: string | undefined, reason: string | undefined): string | undefined {
  return reason ?? reasonTexts[code ?? ''];
}
