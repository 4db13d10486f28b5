import { randomUUID } from 'node:crypto';
import { askedEvent, recordEvent } from '../access/record.js';
import type { AccessRefusal, Scope } from '../access/scope.js';
import { comparableNumbers } from '../figures/changes.js';
import { hasErasedFilter } from '../requests/erased-people.js';
import { showsRows } from '../requests/request.js';
import type { LastFiguresKey } from '../runner/ports.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import {
  type ClaimedRun,
  type Digest,
  type DigestRun,
  followUpClaim,
  type RunEnd,
  withMessageChannel,
} from './digest.js';
import { OwnerAccessRefused } from './failure.js';
import type { Outages } from './outages.js';
import type { DigestParts, DigestRights } from './ports.js';
import type { PostRateLimiter } from './post-rate-limiter.js';
import { type PostedSummary, postSummary, recordDelivery } from './post-run.js';
import { catchUnreadable, quarantineDigest, UnreadableDigest } from './quarantine.js';
import { followUpFailed, runFailed } from './retry.js';

export interface RunContext {
  readonly parts: DigestParts;
  readonly rateLimiter: PostRateLimiter;
  readonly outages: Outages;
  /** Aborts all work in progress. */
  readonly signal: AbortSignal;
}

/** Processes a claimed run until it ends or is released for another attempt. Never throws. */
export async function processRun(run: DigestRun, context: RunContext): Promise<void> {
  const { parts, signal } = context;
  const claim = { id: run.id, worker: parts.worker };
  try {
    const digest = await catchUnreadable(parts.store.digests.find(run.digest));
    if (digest instanceof UnreadableDigest) return await failUnreadable(run, digest, context);
    if (!digest || digest.deletedAt !== undefined) {
      const { ledger } = parts.store;
      if (run.state === 'posted')
        await ledger.markFailed(followUpClaim({ run, claim }), { code: 'deleted' }, parts.clock.now());
      else await ledger.markDeleted(claim, parts.clock.now());
      return;
    }
    const claimed = { run, digest, claim, signal };
    if (run.state === 'posted') await deliverFollowUp(claimed, parts);
    else await deliverRun(claimed, context);
  } catch (error) {
    // The lease expires, and another attempt follows.
    parts.log.error({ err: error, run: run.id }, 'Processing a digest run failed');
  }
}

async function failUnreadable(
  run: DigestRun,
  digest: UnreadableDigest,
  { parts }: RunContext,
): Promise<void> {
  const { ledger } = parts.store;
  const why = { code: digest.code };
  const claim = { id: run.id, worker: parts.worker };
  await ledger.markFailed(
    run.state === 'posted' ? followUpClaim({ run, claim }) : claim,
    why,
    parts.clock.now(),
  );
  await quarantineDigest(digest, digest, parts);
}

async function deliverRun(claimed: ClaimedRun, context: RunContext): Promise<void> {
  const { parts, rateLimiter, outages } = context;
  const { claim, digest } = claimed;
  const { ledger } = parts.store;
  try {
    const rights = await parts.poster.rightsOf(digest);
    await withReport(claimed, rights, { fileOnly: false }, parts, async (result) => {
      if (digest.skipEmpty && (result.rowCount === 0 || result.figures?.tooFew !== undefined)) {
        await parts.store.digests.succeeded(digest.id);
        await recordDelivery(claimed, result, { rights, place: digest.channel }, parts);
        await ledger.markSkipped(claim, parts.clock.now());
        return;
      }
      const posted = await postSummary(claimed, result, rights, parts, rateLimiter);
      if (typeof posted === 'string') return;
      await afterPosting(claimed, result, posted, context);
    });
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
    if (followUp) await sendFollowUp(claimed, result, message, parts);
  } catch (error) {
    parts.log.error({ err: error, run: run.id }, 'Something failed after a digest was delivered');
  }
}

/** Sends the file of a posted run, or its rows. They are sent again only if they surely did not arrive. */
async function sendFollowUp(
  claimed: ClaimedRun,
  result: ReportResult,
  message: NonNullable<DigestRun['message']>,
  parts: DigestParts,
): Promise<void> {
  await parts.poster
    .sendFollowUp(claimed, result, message)
    .catch((error: unknown) => followUpFailed(claimed, error, parts));
}

/** The summary was posted; only its file is missing, or its rows where they go elsewhere. */
async function deliverFollowUp(claimed: ClaimedRun, parts: DigestParts): Promise<void> {
  const { digest, run } = claimed;
  const { message } = run;
  try {
    if (!message) throw new Error('A posted run has no message');
    const rights = await parts.poster.rightsOf(withMessageChannel(digest, message));
    const fileOnly = digest.request.file !== undefined;
    await withReport(claimed, rights, { fileOnly }, parts, (result) =>
      sendFollowUp(claimed, result, message, parts),
    );
  } catch (error) {
    await followUpFailed(claimed, error, parts);
  }
}

/** Saves the figures that the next run compares with. A run that was sent again is not a new run. */
async function saveFigures(
  { digest, run }: ClaimedRun,
  result: ReportResult,
  parts: DigestParts,
): Promise<void> {
  if (!result.figures || run.settled === 'sent-again') return;
  // The owner or a person in a filter may have been erased since.
  const current = await catchUnreadable(parts.store.digests.find(digest.id));
  if (!current || current instanceof UnreadableDigest || current.owner !== digest.owner) return;
  if (hasErasedFilter(current.request)) return;
  await parts.store.lastFigures.save(
    lastFiguresKey(digest, result.scope),
    comparableNumbers(result.figures, ['last-run']),
    run.dueAt,
  );
}

/** Equal runs are due together, but a channel or an outage may delay some of them. */
const maxSharedAgeMs = 10 * 60_000;

/** Makes the report with the rights of the owner. Its file is deleted after `use`. */
async function withReport(
  { digest, run, signal }: ClaimedRun,
  { asker, route, scope }: DigestRights,
  { fileOnly }: { readonly fileOnly: boolean },
  { files, maxListedRows, source, store, weekStart }: DigestParts,
  use: (result: ReportResult) => Promise<void>,
): Promise<void> {
  const { request } = digest;
  const file = route.file === 'none' ? undefined : randomUUID();
  try {
    const result = await runReport(
      request,
      {
        asker,
        requestedAt: run.dueAt,
        filePath: file && files.pathFor(file),
        rowLimit: fileOnly || !showsRows(request) ? undefined : maxListedRows,
        fileOnly,
        scope,
        urgency: 'digest',
        refusesEmptyTeam: true,
        maxSharedAgeMs,
        signal,
      },
      { source, weekStart },
    );
    const lastRun = fileOnly ? undefined : await store.lastFigures.find(lastFiguresKey(digest, scope));
    await use({ ...result, lastRun });
  } finally {
    if (file !== undefined) await files.remove(file);
  }
}

function lastFiguresKey({ id, owner, request }: Digest, scope: Scope): LastFiguresKey {
  return { run: { kind: 'digest', id }, asker: owner, request, scope };
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
