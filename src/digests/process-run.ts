import { createHash } from 'node:crypto';
import { askedEvent, recordEvent } from '../access/record.js';
import type { AccessRefusal, Scope } from '../access/scope.js';
import { comparableNumbers } from '../figures/changes.js';
import { hasErasedFilter } from '../requests/erased-people.js';
import { meansTheAsker, showsRows } from '../requests/request.js';
import type { LastFiguresKey } from '../runner/ports.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import { type Digest, type DigestRun, dedupeKey, type RunEnd } from './digest.js';
import { OwnerAccessRefused } from './failure.js';
import type { Outages } from './outages.js';
import type { DigestParts, DigestRights } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';
import { type ClaimedRun, type PostedSummary, postSummary, recordDelivery } from './post-run.js';
import { catchUnreadable, quarantineDigest, UnreadableDigest } from './quarantine.js';
import { runFailed } from './retry.js';
import { sendRunRows } from './send-rows.js';
import { fileClaim, fileFailed, shareRunFile, withMessageChannel } from './share-file.js';
import type { SharedReport, SharedReports } from './shared-reports.js';

export interface RunContext {
  readonly parts: DigestParts;
  readonly worker: string;
  readonly shared: SharedReports;
  readonly rateLimiter: PostRateLimiter;
  readonly outages: Outages;
  /** Aborts all work in progress. */
  readonly signal: AbortSignal;
}

/** Works on a claimed run until it ends or is released for another attempt. Never throws. */
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
    const claimed = { run, digest, claim, signal };
    if (run.state === 'posted') await deliverFile(claimed, context);
    else await deliverRun(claimed, context);
  } catch (error) {
    // The lease expires, and another attempt follows.
    parts.log.error({ err: error, run: run.id }, 'Processing a digest run failed');
  }
}

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

async function deliverRun(claimed: ClaimedRun, context: RunContext): Promise<void> {
  const { parts, shared, rateLimiter, outages } = context;
  const { claim, digest } = claimed;
  const { ledger } = parts.store;
  try {
    const rights = await parts.poster.rightsOf(digest);
    const report = await reportFor(claimed, rights, { fileOnly: false }, parts, shared);
    try {
      const { result } = report;
      if (digest.skipEmpty && result.rowCount === 0) {
        await parts.store.digests.succeeded(digest.id);
        await recordDelivery(claimed, result, { rights, place: digest.channel }, parts);
        await ledger.markSkipped(claim, parts.clock.now());
        return;
      }
      const posted = await postSummary(claimed, result, rights, parts, rateLimiter);
      if (typeof posted === 'string') return;
      await afterPosting(claimed, result, posted, context);
    } finally {
      await report.release();
    }
  } catch (error) {
    if (error instanceof OwnerAccessRefused) await recordRefusal(claimed, error.refusal.kind, parts);
    await runFailed(claimed, error, parts, outages);
  }
}

async function recordRefusal(
  { digest: { owner, channel, request }, run: { id: post } }: ClaimedRun,
  refused: AccessRefusal['kind'],
  { store, clock, log }: DigestParts,
): Promise<void> {
  const facts = { at: clock.now(), person: owner, place: channel, request, origin: 'digest', post } as const;
  await recordEvent(store.events, askedEvent(facts, { refused }), log);
}

/** A failure here does not change that the summary was delivered. */
async function afterPosting(
  claimed: ClaimedRun,
  result: ReportResult,
  { message, followUp }: Exclude<PostedSummary, string>,
  { parts, outages }: RunContext,
): Promise<void> {
  const { digest, run } = claimed;
  parts.log.info({ digest: digest.id, run: run.id, records: result.records }, 'A digest was delivered');
  try {
    await outages.slackAccepted('run', digest.channel);
    await parts.store.digests.succeeded(digest.id);
    await saveFigures(claimed, result, parts);
    if (followUp === 'file') await shareRunFile(claimed, result, message, parts);
    if (followUp === 'rows') await sendRunRows(claimed, result, message, parts);
  } catch (error) {
    parts.log.error({ err: error, run: run.id }, 'Something failed after a digest was delivered');
  }
}

/** The summary was posted; only its file is missing, or its rows where they go elsewhere. */
async function deliverFile(claimed: ClaimedRun, { parts, shared }: RunContext): Promise<void> {
  const { message } = claimed.run;
  try {
    if (!message) throw new Error('A posted run has no message');
    const rights = await parts.poster.rightsOf(withMessageChannel(claimed.digest, message));
    const hasFile = claimed.digest.request.file !== undefined;
    const report = await reportFor(claimed, rights, { fileOnly: hasFile }, parts, shared);
    try {
      const send = hasFile ? shareRunFile : sendRunRows;
      await send(claimed, report.result, message, parts);
    } finally {
      await report.release();
    }
  } catch (error) {
    await fileFailed(claimed, error, parts);
  }
}

/** Saves the figures that the next run compares with. A run that was sent again is not a new run. */
async function saveFigures(
  { digest, run }: ClaimedRun,
  result: ReportResult,
  parts: DigestParts,
): Promise<void> {
  if (!result.figures || run.settled === 'sent-again') return;
  // Its owner, or a person in a filter, may have been erased since.
  const current = await catchUnreadable(parts.store.digests.find(digest.id));
  if (!current || current instanceof UnreadableDigest || current.owner !== digest.owner) return;
  if (hasErasedFilter(current.request)) return;
  await parts.store.lastFigures.save(
    lastFiguresKey(digest, result.scope),
    comparableNumbers(result.figures, ['last-run']),
    run.dueAt,
  );
}

/** Makes the report with the rights of the owner, or reuses the report of an equal run. */
async function reportFor(
  { digest, run, signal }: ClaimedRun,
  rights: DigestRights,
  { fileOnly }: { readonly fileOnly: boolean },
  parts: DigestParts,
  shared: SharedReports,
): Promise<SharedReport> {
  const { request, schedule } = digest;
  const { asker, route, scope } = rights;
  const report = await shared.get(
    keyOf([
      dedupeKey(request, schedule.zone, run.dueAt),
      scope,
      fileOnly,
      meansTheAsker(request) ? asker.email : null,
    ]),
    (filePath) =>
      runReport(
        request,
        {
          asker,
          requestedAt: run.dueAt,
          filePath: route.file === 'none' ? undefined : filePath,
          rowLimit: fileOnly || !showsRows(request) ? undefined : parts.maxListedRows,
          fileOnly,
          scope,
          urgency: 'digest',
          signal,
        },
        { source: parts.source, weekStart: parts.weekStart },
      ),
  );
  if (fileOnly) return report;
  // Several digests may share a report, and each is compared with its own last run.
  const lastRun = await parts.store.lastFigures.find(lastFiguresKey(digest, scope)).catch(async (error) => {
    await report.release();
    throw error;
  });
  return { ...report, result: { ...report.result, lastRun } };
}

function lastFiguresKey({ id, owner, request }: Digest, scope: Scope): LastFiguresKey {
  return { run: { kind: 'digest', id }, asker: owner, request, scope };
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Reports the end of a run; does nothing if the run waits again or no longer exists. */
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
