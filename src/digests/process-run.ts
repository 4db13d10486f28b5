import { numbersOf } from '../figures/changes.js';
import type { ReportResult } from '../runner/run-report.js';
import type { DigestRun } from './digest.js';
import type { Outages } from './outages.js';
import type { DigestParts } from './ports.js';
import type { Pace } from './post-rate-limiter.js';
import { type Posted, postSummary } from './post-run.js';
import { setAside } from './quarantine.js';
import { runFailed } from './retry.js';
import { rightsOf } from './rights.js';
import { figuresOf, type RunAtWork, reportFor } from './run-digest.js';
import { fileFailed, heldFile, messagePlaced, shareRunFile } from './share-file.js';
import type { SharedReports } from './shared-reports.js';
import { evenUnreadable, UnreadableDigest } from './unreadable.js';

export interface Workshop {
  readonly parts: DigestParts;
  readonly worker: string;
  readonly shared: SharedReports;
  readonly pace: Pace;
  readonly outages: Outages;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
}

/** Works on a claimed run until something is known of it, or it waits again. Never throws. */
export async function workOnRun(run: DigestRun, workshop: Workshop): Promise<void> {
  const { parts, worker, signal } = workshop;
  const held = { id: run.id, worker };
  try {
    const digest = await evenUnreadable(parts.store.digests.find(run.digest));
    if (digest instanceof UnreadableDigest) return await endUnreadable(run, digest, workshop);
    if (!digest || digest.deletedAt !== undefined) {
      const { ledger } = parts.store;
      if (run.state === 'posted')
        await ledger.failed(heldFile({ run, held }), { code: 'deleted' }, parts.clock.now());
      else await ledger.dropped(held, parts.clock.now());
      return;
    }
    const work = { run, digest, held, signal };
    if (run.state === 'posted') await fileAlone(work, workshop);
    else await deliverRun(work, workshop);
  } catch (error) {
    // The lease runs out by itself; nothing is lost.
    parts.log.error({ err: error, run: run.id }, 'A run of a digest could not be worked on');
  }
}

/** Nobody can say what would have been delivered. */
async function endUnreadable(
  run: DigestRun,
  digest: UnreadableDigest,
  { parts, worker }: Workshop,
): Promise<void> {
  const { ledger } = parts.store;
  const why = { code: digest.code };
  const held = { id: run.id, worker };
  await ledger.failed(run.state === 'posted' ? heldFile({ run, held }) : held, why, parts.clock.now());
  await setAside(digest, digest, parts);
}

async function deliverRun(work: RunAtWork, workshop: Workshop): Promise<void> {
  const { parts, shared, pace, outages } = workshop;
  const { held, digest } = work;
  const { ledger } = parts.store;
  try {
    const rights = await rightsOf(digest, parts);
    const report = await reportFor(work, rights, { fileOnly: false }, parts, shared);
    try {
      const { result } = report;
      if (digest.skipEmpty && result.rows === 0) {
        await parts.store.digests.succeeded(digest.id);
        await ledger.skipped(held, parts.clock.now());
        return;
      }
      const posted = await postSummary(work, result, rights, parts, pace);
      if (posted === 'lost' || posted === 'unknown') return;
      await afterwards(work, result, posted, workshop);
    } finally {
      await report.release();
    }
  } catch (error) {
    await runFailed(work, error, parts, outages);
  }
}

/** What follows a message that stands; nothing of it changes that it was delivered. */
async function afterwards(
  work: RunAtWork,
  result: ReportResult,
  message: Exclude<Posted, string>,
  { parts, outages }: Workshop,
): Promise<void> {
  const { digest, run } = work;
  parts.log.info({ digest: digest.id, run: run.id, records: result.records }, 'A digest was delivered');
  try {
    await outages.slackTook('run', digest.channel);
    await parts.store.digests.succeeded(digest.id);
    await rememberFigures(work, result, parts);
    if (digest.request.csv && result.csv) await shareRunFile(work, result, message, parts);
  } catch (error) {
    parts.log.error({ err: error, run: run.id }, 'Something failed after a digest was delivered');
  }
}

/** The message stands: only its file is missing. */
async function fileAlone(work: RunAtWork, { parts, shared }: Workshop): Promise<void> {
  const { message } = work.run;
  try {
    if (!message) throw new Error('A posted run has no message');
    const rights = await rightsOf(messagePlaced(work.digest, message), parts);
    const report = await reportFor(work, rights, { fileOnly: true }, parts, shared);
    try {
      await shareRunFile(work, report.result, message, parts);
    } finally {
      await report.release();
    }
  } catch (error) {
    await fileFailed(work, error, parts);
  }
}

/** What the figures of a state now are compared with in the next run. One that was sent again is not a run of its own. */
async function rememberFigures(
  { digest, run }: RunAtWork,
  result: ReportResult,
  parts: DigestParts,
): Promise<void> {
  if (!result.figures || run.settled === 'sent-again') return;
  await parts.store.lastFigures.keep(figuresOf(digest), numbersOf(result.figures, ['last-run']), run.dueAt);
}
