import { KnownError } from '../errors/known-error.js';
import type { AttemptCount } from '../posts/post.js';
import { Cancelled } from '../reporting-api/errors.js';
import type { DigestRun } from './digest.js';

/**
 * Whose failure it is, and so what becomes of a run.
 * - `own`: the digest's, and it will be the same the next time.
 * - `passing`: it may well work in a while.
 * - `service`, `slack`: something that all digests need may not work.
 */
type FailureKind = 'own' | 'passing' | 'service' | 'slack';

export interface Failure {
  readonly kind: FailureKind;
  readonly code: string;
  /** Slack asks to wait so long. */
  readonly retryAfterSeconds?: number;
}

/** A delivery that cannot be, for a reason that has a code. */
export class DigestFailed extends KnownError {
  readonly code: string;
  constructor(readonly failure: Failure) {
    super(`A digest could not be delivered: ${failure.code}`);
    this.code = failure.code;
  }
}

/** Failures of its owner's: handing the digest over mends them, and nothing else need be changed. */
export const ownerFailures: ReadonlySet<string> = new Set([
  'owner-left',
  'owner-may-not-ask',
  'owner-not-member',
]);

/** Slack's errors that stop every post: of the token, of the workspace, or because Slack is unreachable. */
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

/** Slack's errors that may stop one channel, one kind of call or everything. One alone does not tell which. */
const ambiguousFailureCodes: ReadonlySet<string> = new Set([
  'missing_scope',
  'ekm_access_denied',
  'team_access_not_granted',
]);

const passingCodes: ReadonlySet<string> = new Set(['connection_refused']);

/** Failures that do not pass without somebody's help, so people are notified at once. */
export const notifiedAtOnce: ReadonlySet<string> = new Set(
  [
    'token-refused',
    'no-such-report',
    'service-redirects',
    ...workspaceFailureCodes,
    ...ambiguousFailureCodes,
  ].filter((code) => !passingCodes.has(code)),
);

/** Whether Slack can mean nothing but that no post of the bot's works. */
export function stopsEveryPost({ kind, code }: Failure): boolean {
  return kind === 'slack' && workspaceFailureCodes.has(code);
}

/** What an error means for the run. Errors of calls to Slack arrive as DigestFailed. */
export function failureOf(error: unknown): Failure {
  if (error instanceof DigestFailed) return error.failure;
  if (error instanceof Cancelled) return { kind: 'passing', code: 'stopped' };
  if (!(error instanceof KnownError)) return { kind: 'passing', code: 'unexpected' };
  const { code, scope } = error;
  return { kind: scope === 'asker' ? 'own' : scope === 'service' ? 'service' : 'passing', code };
}

/** What Slack said when it did not take a message, or a file. */
export function failureOfSlack(code: string, retryAfterSeconds?: number): Failure {
  if (code === 'ratelimited') {
    return { kind: 'passing', code, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  }
  if (workspaceFailureCodes.has(code) || ambiguousFailureCodes.has(code)) return { kind: 'slack', code };
  return { kind: isSlackFault(code) ? 'passing' : 'own', code };
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

/** Maximum times that Slack may rate-limit one run. */
const maxRateLimited = 12;

/** Whether a failed attempt counts. A rate limit of Slack's says nothing about the run. */
export function attemptCountFor({ code }: Failure): AttemptCount {
  return code === 'ratelimited' ? 'rate-limit' : 'attempt';
}

/**
 * Milliseconds to wait before the next try; undefined: there were enough.
 *
 * @param run its tries with the one that has just failed, and how often Slack asked to wait before that
 */
export function retryDelay(
  { attempts, rateLimited }: Pick<DigestRun, 'attempts' | 'rateLimited'>,
  { code, retryAfterSeconds }: Failure,
): number | undefined {
  if (code === 'ratelimited') {
    return rateLimited + 1 < maxRateLimited ? Math.max(1, retryAfterSeconds ?? 30) * 1000 : undefined;
  }
  // Each minute some of them get what they need.
  if (slowLookupCodes.has(code)) return attempts < maxLookupAttempts ? minute : undefined;
  return retryDelaysMs[attempts - 1];
}

/** What digests themselves know of why a run was left out or failed, or why one of them does not run. */
const reasonTexts: Readonly<Record<string, string>> = {
  superseded: 'A later one took its place.',
  'by-hand': 'Somebody paused it.',
  deleted: 'It was deleted.',
  unreadable: 'I can’t read this digest’s settings.',
  'no-next-time': 'I cannot work out any more when it comes.',
  stopped: 'I was stopped in the middle of it.',
  interrupted: 'I was stopped in the middle of it.',
  'owner-left': 'Its owner has left this workspace.',
  'owner-erased': 'Its owner’s data was erased.',
  'owner-may-not-ask': 'Its owner may not ask for reports any more.',
  'owner-not-member': 'Its owner is not a member of the channel any more.',
  'owner-not-described': 'Slack could not tell me who its owner is.',
  'channel-not-described': 'Slack could not tell me about the channel.',
  'no-file': 'The report came without a file.',
};

/** What is kept of why something did not happen. */
export interface FailureReason {
  readonly code: string;
  /** The sentences that were made of the error when it happened; absent where it was none. */
  readonly reason?: string;
}

/** Why something did not happen, in one or two sentences; undefined where no more is known than that it did not. */
export function describeReason(code: string | undefined, reason: string | undefined): string | undefined {
  return reason ?? reasonTexts[code ?? ''];
}
