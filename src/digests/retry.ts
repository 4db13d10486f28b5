import { dedupeKey } from './digest.js';
import {
  attemptCountFor,
  DigestFailed,
  type Failure,
  type FailureReason,
  failureOf,
  retryDelay,
} from './failure.js';
import type { Outages } from './outages.js';
import type { DigestParts } from './ports.js';
import type { ClaimedRun } from './post-run.js';
import type { NotificationRequest } from './store-ports.js';

/** Permanent failures in a row that pause a digest. */
const maxFailures = 3;

/** While nobody can tell yet whether it is the service that does not work. */
const earlyRetryDelayMs = 30_000;

/** Releases a run that failed for another attempt, or ends it and has people notified. */
export async function runFailed(
  work: ClaimedRun,
  thrown: unknown,
  parts: DigestParts,
  outages: Outages,
): Promise<void> {
  const { claim, digest, run, signal } = work;
  const { ledger } = parts.store;
  const at = parts.clock.now();
  // Whatever went wrong in the middle of posting: nobody can know whether it arrived.
  const asked = { kind: 'unknown', recipients: [digest.owner] } as const;
  if (
    !(thrown instanceof DigestFailed) &&
    (await ledger.markUnconfirmed(claim, { code: 'unexpected' }, at, asked))
  ) {
    parts.log.error({ err: thrown, run: run.id }, 'The delivery of a digest is unconfirmed');
    return;
  }
  if (signal.aborted) {
    await ledger.release(claim, at, { code: 'stopped' }, 'none');
    return;
  }
  const failure = failureOf(thrown);
  if (failure.code === 'unexpected') {
    parts.log.error({ err: thrown, run: run.id }, 'A digest failed unexpectedly');
  } else parts.log.warn({ run: run.id, digest: digest.id, code: failure.code }, 'A digest failed');

  const why: FailureReason = { code: failure.code, reason: parts.poster.describeFailure(thrown, run.id) };
  const request = dedupeKey(digest.request, digest.schedule.zone, run.dueAt);
  const whose = await outages.failed(failure, why, { channel: digest.channel, request });
  if (whose === 'all') {
    await ledger.release(claim, at, why, 'none');
    return;
  }
  const wait = delayFor(work, failure, whose === 'possibly-all');
  if (wait !== undefined) {
    await ledger.release(claim, at + wait, why, attemptCountFor(failure));
    return;
  }
  const { told, pauseAfter } = consequencesOf(work, failure, parts);
  await ledger.markFailed(claim, why, at, told, pauseAfter);
}

function delayFor({ run }: ClaimedRun, failure: Failure, isEarly: boolean): number | undefined {
  if (failure.kind === 'own') return undefined;
  return isEarly ? earlyRetryDelayMs : retryDelay(run, failure);
}

/** What a run that failed for good means for its digest, and who hears of it. */
function consequencesOf(
  { digest }: ClaimedRun,
  { code, kind }: Failure,
  { admins }: DigestParts,
): { readonly told: NotificationRequest; readonly pauseAfter?: number } {
  if (code === 'owner-left' || code === 'owner-may-not-ask') {
    // Where no admins are named, whoever made it may hand it over.
    const others = admins.length > 0 ? admins : [digest.createdBy];
    const recipients = code === 'owner-left' ? others : [digest.owner, ...others];
    return { told: { kind: 'without-owner', recipients }, pauseAfter: 1 };
  }
  const told: NotificationRequest = { kind: 'failed', recipients: [digest.owner] };
  return kind === 'own' ? { told, pauseAfter: maxFailures } : { told };
}
