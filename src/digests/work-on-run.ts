import type { ReportResult } from '../reports/run-report.js';
import type { DigestRun } from './digest.js';
import { DigestFailed, type Failure, failureOf, waitAfter } from './failure.js';
import type { Outages } from './outages.js';
import type { Pace } from './pace.js';
import type { DigestParts } from './parts.js';
import { type Posted, postSummary } from './post-run.js';
import { type Rights, rightsOf } from './rights.js';
import { type RunAtWork, reportFor, rightsNow } from './run-digest.js';
import { sameAs } from './same-as.js';
import { fileFailed, shareRunFile } from './share-file.js';
import type { SharedReports } from './shared-reports.js';

export interface Workshop {
  readonly parts: DigestParts;
  readonly worker: string;
  readonly shared: SharedReports;
  readonly pace: Pace;
  readonly outages: Outages;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
}

/** So many permanent failures in a row pause a digest. */
const mostFailures = 3;

/** Works on a claimed run until something is known of it, or it waits again. Never throws. */
export async function workOnRun(run: DigestRun, workshop: Workshop): Promise<void> {
  const { parts, worker, signal } = workshop;
  const held = { id: run.id, worker };
  try {
    const digest = await parts.store.digests.find(run.digest);
    if (!digest || digest.deletedAt !== undefined) {
      if (run.state === 'delivered') return await parts.store.ledger.file(held, 'failed', 'deleted');
      return await parts.store.ledger.skipped(held, 0, parts.clock.now());
    }
    const work = { run, digest, held, signal };
    if (run.state === 'delivered') await fileAlone(work, workshop);
    else await deliverRun(work, workshop);
  } catch (error) {
    // The lease runs out by itself; nothing is lost.
    parts.log.error({ err: error, run: run.id }, 'A run of a digest could not be worked on');
  }
}

async function deliverRun(work: RunAtWork, workshop: Workshop): Promise<void> {
  const { parts, shared, pace, outages } = workshop;
  const { held, digest } = work;
  const { ledger } = parts.store;
  try {
    if (!(await ledger.running(held))) return;
    const rights = await rightsOf(digest, parts);
    const report = await reportFor(work, rights, { fileOnly: false }, parts, shared);
    try {
      await outages.serviceAnswered();
      const { result } = report;
      if (digest.skipEmpty && result.records === 0) {
        await parts.store.digests.succeeded(digest.id);
        return await ledger.skipped(held, 0, parts.clock.now());
      }
      const now = await rightsNow(work, rights, parts);
      const posted = await postSummary(work, result, now, parts, pace);
      if (posted === 'lost' || posted === 'unknown') return;
      await afterwards(work, result, now, posted, workshop);
    } finally {
      await report.release();
    }
  } catch (error) {
    await deliveryFailed(work, error, workshop);
  }
}

/** What follows a message that stands; nothing of it changes that it was delivered. */
async function afterwards(
  work: RunAtWork,
  result: ReportResult,
  rights: Rights,
  message: Exclude<Posted, string>,
  { parts, outages }: Workshop,
): Promise<void> {
  const { digest, run } = work;
  parts.log.info({ digest: digest.id, run: run.id, records: result.records }, 'A digest was delivered');
  try {
    await outages.slackTook();
    await parts.store.digests.succeeded(digest.id);
    await rememberFigures(work, result, parts);
    if (rights.route.csv !== 'none' && result.csv) {
      await shareRunFile(work, result, rights, message, parts);
    }
  } catch (error) {
    parts.log.error({ err: error, run: run.id }, 'Something failed after a digest was delivered');
  }
}

/** The message stands: only its file is missing. */
async function fileAlone(work: RunAtWork, { parts, shared }: Workshop): Promise<void> {
  const { message } = work.run;
  try {
    if (!message) throw new Error('A delivered run has no message');
    const rights = await rightsOf(work.digest, parts, true);
    const report = await reportFor(work, rights, { fileOnly: true }, parts, shared);
    try {
      await shareRunFile(work, report.result, rights, message, parts);
    } finally {
      await report.release();
    }
  } catch (error) {
    await fileFailed(work, error, parts);
  }
}

async function deliveryFailed(work: RunAtWork, error: unknown, workshop: Workshop): Promise<void> {
  const { parts, outages, signal } = workshop;
  const { held, digest, run } = work;
  const { ledger } = parts.store;
  const at = parts.clock.now();
  // Whatever went wrong in the middle of posting: nobody can know whether it arrived.
  if (!(error instanceof DigestFailed) && (await ledger.unknown(held, 'unexpected', at))) {
    parts.log.error({ err: error, run: run.id }, 'Nobody can know whether a digest arrived');
    await parts.store.digestNotices.add({ recipient: digest.owner, kind: 'unknown', subject: run.id }, at);
    return;
  }
  if (signal.aborted) return ledger.again(held, at, 'stopped', false);
  const failure = failureOf(error);
  if (!(error instanceof DigestFailed) && failure.code === 'unexpected') {
    parts.log.error({ err: error, run: run.id }, 'A digest failed unexpectedly');
  } else parts.log.warn({ run: run.id, digest: digest.id, code: failure.code }, 'A digest failed');

  if (failure.kind === 'service' || failure.kind === 'slack') {
    await outages.failed(failure, sameAs(digest.request, digest.schedule.zone, run.dueAt), run.attempts);
    if (outages.open().length > 0) return ledger.again(held, at + 30_000, failure.code, false);
  }
  const wait = failure.kind === 'own' ? undefined : waitAfter(run.attempts, failure);
  if (wait !== undefined) return ledger.again(held, at + wait, failure.code, true);
  await ledger.failed(held, failure.code, at);
  await judge(work, failure, parts);
}

/** What a run that failed for good means for its digest, and who hears of it. */
async function judge({ digest, run }: RunAtWork, failure: Failure, parts: DigestParts): Promise<void> {
  const { store } = parts;
  const at = parts.clock.now();
  const pause = async () => {
    const now = await store.digests.find(digest.id);
    if (now?.state !== 'active') return;
    await store.digests.change(now.id, now.revision, {
      state: 'paused',
      pausedWhy: failure.code,
      nextDue: null,
    });
  };
  if (failure.code === 'owner-left') {
    await pause();
    for (const recipient of parts.admins) {
      await store.digestNotices.add({ recipient, kind: 'owner-left', subject: digest.id }, at);
    }
    return;
  }
  if (failure.kind === 'own' && (await store.digests.failed(digest.id)) >= mostFailures) await pause();
  await store.digestNotices.add({ recipient: digest.owner, kind: 'failed', subject: run.id }, at);
}

/** For the report that has no period before: what the next one is compared with. */
async function rememberFigures(
  { digest, run }: RunAtWork,
  result: ReportResult,
  parts: DigestParts,
): Promise<void> {
  if (!result.figures || result.range) return;
  const { people: _people, breakdown: _breakdown, onlyRow: _onlyRow, ...kept } = result.figures;
  const of = { channel: digest.channel, asker: digest.owner, request: digest.request };
  await parts.store.lastFigures.keep(of, kept, run.dueAt);
}
