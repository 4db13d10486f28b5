import { type ClaimedRun, dedupeKey, followUpClaim } from '../digests/digest.js';
import {
  attemptCountFor,
  type FailureReason,
  failureOf,
  type RunFailure,
  retryDelay,
} from '../digests/failure.js';
import type { NotificationRequest } from '../digests/notification.js';
import { isFailure, isNotPosted } from '../errors/failure.js';
import { OutcomeNotSaved } from '../posts/post.js';
import type { Outages } from './outages.js';
import type { DigestParts } from './ports.js';

/** Permanent failures in a row that pause a digest. */
const maxFailures = 3;

/** Short, because the next attempt shows whether the service is down for all digests. */
const earlyRetryDelayMs = 30_000;

/** Releases a run that failed for another attempt, or ends it and has people notified. */
export async function runFailed(
  claimed: ClaimedRun,
  error: unknown,
  parts: DigestParts,
  outages: Outages,
): Promise<void> {
  const { claim, digest, run, signal } = claimed;
  const { ledger } = parts.store;
  const at = parts.clock.now();
  // After an unexpected error during the post, it is unknown whether the message arrived.
  const question = { kind: 'unknown', recipients: [digest.owner] } as const;
  if (!isNotPosted(error) && (await ledger.markUnconfirmed(claim, { code: 'unexpected' }, at, question))) {
    parts.log.error({ err: error, run: run.id }, 'The delivery of a digest is unconfirmed');
    return;
  }
  if (signal.aborted) {
    await ledger.release(claim, at, { code: 'stopped' }, 'none');
    return;
  }
  const { failure, why } = noted(claimed, error, 'A digest', parts);
  const request = dedupeKey(digest.request, digest.schedule.zone, run.dueAt);
  const scope = await outages.failed(failure, why, { channel: digest.channel, request });
  if (scope === 'all') {
    await ledger.release(claim, at, why, 'none');
    return;
  }
  const wait = scope === 'possibly-all' ? earlyRetryDelayMs : retryDelay(run, failure);
  if (wait !== undefined) {
    await ledger.release(claim, at + wait, why, attemptCountFor(failure));
    return;
  }
  const { notification, pauseAfter } = consequencesOf(claimed, failure, await parts.admins());
  await ledger.markFailed(claim, why, at, notification, pauseAfter);
}

/** Retries a file or rows that were not sent, or records that they failed. */
export async function followUpFailed(claimed: ClaimedRun, error: unknown, parts: DigestParts): Promise<void> {
  const { run, digest, signal } = claimed;
  const claim = followUpClaim(claimed);
  const { ledger } = parts.store;
  const at = parts.clock.now();
  // The ledger says that it is unknown whether they arrived.
  if (isFailure(error, 'file-not-shared') && error.details.mayHaveArrived) return;
  if (error instanceof OutcomeNotSaved) {
    const question = { kind: 'file-unknown', recipients: [digest.owner] } as const;
    await ledger.markUnconfirmed(claim, { code: 'unexpected' }, at, question);
    return;
  }
  if (signal.aborted) {
    await ledger.release(claim, at, { code: 'stopped' }, 'none');
    return;
  }
  const { failure, why } = noted(claimed, error, 'A file', parts);
  const delayMs = retryDelay(run, failure);
  if (delayMs !== undefined) await ledger.release(claim, at + delayMs, why, attemptCountFor(failure));
  else {
    const recipients = failure.code === 'deleted' ? [] : [digest.owner];
    await ledger.markFailed(claim, why, at, { kind: 'file-failed', recipients });
  }
}

/** Notes a failure in the log. Returns what it means, and what the ledger has of it. */
function noted({ digest, run }: ClaimedRun, error: unknown, what: 'A digest' | 'A file', parts: DigestParts) {
  const { log, poster } = parts;
  const failure = failureOf(error);
  const { code } = failure;
  const details = { run: run.id, digest: digest.id, code };
  if (code === 'unexpected') log.error({ err: error, run: run.id }, `${what} failed unexpectedly`);
  else if (code === 'rows-outside-scope')
    log.error(details, 'The Reporting Service returned records of other people, so a digest was refused');
  else log.warn(details, `${what} failed`);
  const why: FailureReason = { code, reason: poster.describeFailure(error, run.id) };
  return { failure, why };
}

/** Who is notified of a permanent failure, and after how many in a row the digest pauses. */
function consequencesOf(
  { digest }: ClaimedRun,
  { code, kind }: RunFailure,
  admins: readonly string[],
): { readonly notification: NotificationRequest; readonly pauseAfter?: number } {
  if (code === 'owner-left' || code === 'owner-may-not-ask') {
    // Without named admins, the creator of the digest can hand it over.
    const others = admins.length > 0 ? admins : [digest.createdBy];
    const recipients = code === 'owner-left' ? others : [digest.owner, ...others];
    return { notification: { kind: 'without-owner', recipients }, pauseAfter: 1 };
  }
  const notification: NotificationRequest = { kind: 'failed', recipients: [digest.owner] };
  // It would fail at every run until a person acts.
  if (code === 'access-refused') return { notification, pauseAfter: 1 };
  return kind === 'own' ? { notification, pauseAfter: maxFailures } : { notification };
}
