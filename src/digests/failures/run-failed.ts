import type { NoticeKind } from '../../store/digests-notices.js';
import { wordsForFailure } from '../../words-for-failures.js';
import type { RunAtWork } from '../delivery/run-digest.js';
import type { DigestParts } from '../parts.js';
import { sameAs } from '../same-as.js';
import { DigestFailed, type Failure, failureOf, ofSlack, waitAfter } from './failure.js';
import type { Outages } from './outages.js';
import type { Why } from './words-for-codes.js';

/** So many permanent failures in a row pause a digest. */
const mostFailures = 3;

/** While nobody can tell yet whether it is the service that does not work. */
const soon = 30_000;

/** What becomes of a run that was not posted, or not surely: it waits, or it is over and somebody hears of it. */
export async function runFailed(
  work: RunAtWork,
  thrown: unknown,
  parts: DigestParts,
  outages: Outages,
): Promise<void> {
  const { held, digest, run, signal } = work;
  const { ledger } = parts.store;
  const at = parts.clock.now();
  // Whatever went wrong in the middle of posting: nobody can know whether it arrived.
  if (!(thrown instanceof DigestFailed) && (await ledger.unknown(held, 'unexpected', at))) {
    parts.log.error({ err: thrown, run: run.id }, 'Nobody can know whether a digest arrived');
    await parts.store.digestNotices.add({ recipient: digest.owner, kind: 'unknown', subject: run.id }, at);
    return;
  }
  if (signal.aborted) return ledger.again(held, at, { code: 'stopped' }, false);
  const error = ofSlack(thrown);
  const failure = failureOf(error);
  if (failure.code === 'unexpected') {
    parts.log.error({ err: error, run: run.id }, 'A digest failed unexpectedly');
  } else parts.log.warn({ run: run.id, digest: digest.id, code: failure.code }, 'A digest failed');

  const why: Why = { code: failure.code, reason: wordsForFailure(error, run.id).reason };
  const question = sameAs(digest.request, digest.schedule.zone, run.dueAt);
  const whose = await outages.failed(failure, why, { channel: digest.channel, question });
  if (whose === 'everybody') return ledger.again(held, at, why, false);
  const wait = waitFor(work, failure, whose === 'perhaps everybody');
  if (wait !== undefined) return ledger.again(held, at + wait, why, true);
  await ledger.failed(held, why, at);
  await judge(work, failure, parts);
}

function waitFor({ run }: RunAtWork, failure: Failure, isEarly: boolean): number | undefined {
  if (failure.kind === 'own') return undefined;
  return isEarly ? soon : waitAfter(run.attempts, failure);
}

/** What a run that failed for good means for its digest, and who hears of it. */
async function judge(work: RunAtWork, failure: Failure, parts: DigestParts): Promise<void> {
  const { digest } = work;
  const { code, kind } = failure;
  const { admins } = parts;
  if (code === 'owner-left' || code === 'owner-may-not-ask') {
    await pause(work, code, parts);
    // Where no admins are named, whoever made it may hand it over.
    const others = admins.length > 0 ? admins : [digest.madeBy];
    const told = code === 'owner-left' ? others : [digest.owner, ...others];
    return tell(new Set(told), 'without-owner', work, parts);
  }
  if (kind === 'own' && (await parts.store.digests.failed(digest.id)) >= mostFailures) {
    await pause(work, code, parts);
  }
  await tell(new Set([digest.owner]), 'failed', work, parts);
}

async function pause({ digest }: RunAtWork, pausedWhy: string, { store }: DigestParts): Promise<void> {
  const now = await store.digests.find(digest.id);
  if (now?.state !== 'active') return;
  await store.digests.change(now.id, now.revision, { state: 'paused', pausedWhy, nextDue: null });
}

async function tell(
  people: ReadonlySet<string>,
  kind: NoticeKind,
  { run }: RunAtWork,
  { store, clock }: DigestParts,
): Promise<void> {
  for (const recipient of people) {
    await store.digestNotices.add({ recipient, kind, subject: run.id }, clock.now());
  }
}
