import { createHash } from 'node:crypto';
import { comparableNumbers } from '../figures/changes.js';
import { meansTheAsker } from '../requests/request.js';
import type { LastFiguresKey } from '../runner/last-figures.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import { type Digest, type DigestRun, dedupeKey, type RunEnd } from './digest.js';
import type { Outages } from './outages.js';
import type { DigestParts, DigestRights } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';
import { type ClaimedRun, type PostedSummary, postSummary } from './post-run.js';
import { catchUnreadable, quarantineDigest, UnreadableDigest } from './quarantine.js';
import { runFailed } from './retry.js';
import { fileClaim, fileFailed, shareRunFile, withMessageChannel } from './share-file.js';
import type { SharedReport, SharedReports } from './shared-reports.js';

export interface RunContext {
  readonly parts: DigestParts;
  readonly worker: string;
  readonly shared: SharedReports;
  readonly rateLimiter: PostRateLimiter;
  readonly outages: Outages;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
}

/** Works on a claimed run until something is known of it, or it waits again. Never throws. */
export async function processRun(run: DigestRun, context: RunContext): Promise<void> {
  const { parts, worker, signal } = context;
  const claim = { id: run.id, worker };
  try {
    const digest = await catchUnreadable(parts.store.digests.find(run.digest));
    if (digest instanceof UnreadableDigest) return await failUnreadable(run, digest, context);
    if (!digest || digest.deletedAt !== undefined) {
      const { ledger } = parts.store;
      if (run.state === 'posted')
        await ledger.markFailed(fileClaim({ run, claim }), { code: 'deleted' }, parts.clock.now());
      else await ledger.markDeleted(claim, parts.clock.now());
      return;
    }
    const work = { run, digest, claim, signal };
    if (run.state === 'posted') await deliverFile(work, context);
    else await deliverRun(work, context);
  } catch (error) {
    // The lease runs out by itself; nothing is lost.
    parts.log.error({ err: error, run: run.id }, 'A run of a digest could not be worked on');
  }
}

/** Nobody can say what would have been delivered. */
async function failUnreadable(
  run: DigestRun,
  digest: UnreadableDigest,
  { parts, worker }: RunContext,
): Promise<void> {
  const { ledger } = parts.store;
  const why = { code: digest.code };
  const claim = { id: run.id, worker };
  await ledger.markFailed(run.state === 'posted' ? fileClaim({ run, claim }) : claim, why, parts.clock.now());
  await quarantineDigest(digest, digest, parts);
}

async function deliverRun(work: ClaimedRun, context: RunContext): Promise<void> {
  const { parts, shared, rateLimiter, outages } = context;
  const { claim, digest } = work;
  const { ledger } = parts.store;
  try {
    const rights = await parts.poster.rightsOf(digest);
    const report = await reportFor(work, rights, { fileOnly: false }, parts, shared);
    try {
      const { result } = report;
      if (digest.skipEmpty && result.rows === 0) {
        await parts.store.digests.succeeded(digest.id);
        await ledger.markSkipped(claim, parts.clock.now());
        return;
      }
      const posted = await postSummary(work, result, rights, parts, rateLimiter);
      if (typeof posted === 'string') return;
      await afterPosting(work, result, posted, context);
    } finally {
      await report.release();
    }
  } catch (error) {
    await runFailed(work, error, parts, outages);
  }
}

/** What follows a message that stands; nothing of it changes that it was delivered. */
async function afterPosting(
  work: ClaimedRun,
  result: ReportResult,
  message: Exclude<PostedSummary, string>,
  { parts, outages }: RunContext,
): Promise<void> {
  const { digest, run } = work;
  parts.log.info({ digest: digest.id, run: run.id, records: result.records }, 'A digest was delivered');
  try {
    await outages.slackAccepted('run', digest.channel);
    await parts.store.digests.succeeded(digest.id);
    await saveFigures(work, result, parts);
    if (digest.request.csv && result.csv) await shareRunFile(work, result, message, parts);
  } catch (error) {
    parts.log.error({ err: error, run: run.id }, 'Something failed after a digest was delivered');
  }
}

/** The message stands: only its file is missing. */
async function deliverFile(work: ClaimedRun, { parts, shared }: RunContext): Promise<void> {
  const { message } = work.run;
  try {
    if (!message) throw new Error('A posted run has no message');
    const rights = await parts.poster.rightsOf(withMessageChannel(work.digest, message));
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
async function saveFigures(
  { digest, run }: ClaimedRun,
  result: ReportResult,
  parts: DigestParts,
): Promise<void> {
  if (!result.figures || run.settled === 'sent-again') return;
  await parts.store.lastFigures.save(
    lastFiguresKey(digest),
    comparableNumbers(result.figures, ['last-run']),
    run.dueAt,
  );
}

/** Makes the report of a run with its owner's rights, or takes the one that another run has made of the same. */
async function reportFor(
  { digest, run, signal }: ClaimedRun,
  rights: DigestRights,
  { fileOnly }: { readonly fileOnly: boolean },
  parts: DigestParts,
  shared: SharedReports,
): Promise<SharedReport> {
  const { request, schedule } = digest;
  const { asker, route, isDirect } = rights;
  const namesPeople = route.summary === 'direct' || isDirect;
  const report = await shared.get(
    keyOf([
      dedupeKey(request, schedule.zone, run.dueAt),
      namesPeople,
      fileOnly,
      meansTheAsker(request) ? asker.email : null,
    ]),
    (csvPath) =>
      runReport(
        request,
        {
          asker,
          askedAt: run.dueAt,
          csvPath: route.csv === 'none' ? undefined : csvPath,
          fileOnly,
          namesPeople,
          urgency: 'digest',
          signal,
        },
        { source: parts.source, weekStart: parts.weekStart },
      ),
  );
  if (fileOnly) return report;
  // Several digests may share a report, and each is compared with its own last run.
  const lastRun = await parts.store.lastFigures.find(lastFiguresKey(digest)).catch(async (error) => {
    await report.release();
    throw error;
  });
  return { ...report, result: { ...report.result, ...(lastRun ? { lastRun } : {}) } };
}

function lastFiguresKey({ id, owner, request }: Digest): LastFiguresKey {
  return { run: { kind: 'digest', id }, asker: owner, request };
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Tells of a run as it stands in the ledger; nothing, where it waits again or is gone. */
export async function reportRunEnd(
  id: string,
  { store, onRunEnd }: Pick<DigestParts, 'store' | 'onRunEnd'>,
): Promise<void> {
  if (!onRunEnd) return;
  const run = await store.ledger.find(id);
  const outcome = run && outcomeOf(run);
  if (!outcome) return;
  const { dueAt, finishedAt = dueAt, errorCode } = run;
  const code = outcome !== 'delivered' && errorCode !== undefined ? { code: errorCode } : {};
  onRunEnd({ outcome, ...code, secondsLate: Math.max(0, finishedAt - dueAt) / 1000 });
}

function outcomeOf({ state }: DigestRun): RunEnd['outcome'] | undefined {
  if (state === 'posted') return 'delivered';
  return state === 'skipped' || state === 'failed' || state === 'unknown' ? state : undefined;
}
