import { type AccessEvent, recordEvent, recordExport, uploadFailedEvent } from '../access/record.js';
import { fileFits } from '../access/scope.js';
import { FileNotShared, retryWrite } from '../posts/post.js';
import { filePostId } from '../posts/states.js';

import { exportOf, fileName, holdsPersonLevel } from '../runner/answer-file.js';
import type { ReportResult } from '../runner/run-report.js';
import type { Digest, DigestRun } from './digest.js';
import { attemptCountFor, DigestFailed, failureOf, failureOfSlack, retryDelay } from './failure.js';
import type { DigestParts, FileTarget } from './ports.js';
import { accessChanged, type ClaimedRun, currentRights } from './post-run.js';

/** Another worker has the run, so this one must not share its file. */
class LeaseLost extends Error {}

class DigestDeleted extends Error {}

type Message = NonNullable<DigestRun['message']>;

/**
 * Shares the file of a posted run in its thread, or in its owner's direct messages if the file names people. A file is
 * shared again only if it surely did not arrive.
 */
export async function shareRunFile(
  claimed: ClaimedRun,
  result: ReportResult,
  message: Message,
  parts: DigestParts,
): Promise<void> {
  const { signal } = claimed;
  const claim = fileClaim(claimed);
  const { ledger } = parts.store;
  if (!result.file) return fileFailed(claimed, new DigestFailed({ kind: 'own', code: 'no-file' }), parts);
  if (parts.asksPurpose && claimed.digest.request.purpose === undefined)
    return fileFailed(claimed, new DigestFailed({ kind: 'own', code: 'no-purpose' }), parts);
  let recorded: AccessEvent | undefined;
  try {
    let channel = message.channel;
    const destination = async () => {
      // The upload may have taken long.
      const target = await targetNow(claimed, result, message, parts);
      signal.throwIfAborted();
      if (!(await ledger.markPosting(claim))) throw new LeaseLost();
      recorded = await recordFile(claimed, result, target, parts);
      channel = target.channel;
      return target;
    };
    const { fileId } = await parts.poster.shareFile(result, destination, signal);
    const item = { kind: 'file', channel, item: fileId, root: message, isOfDigest: true } as const;
    await retryWrite(() => ledger.markPosted(claim, { fileFollows: false, item }, parts.clock.now()));
  } catch (error) {
    const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
    if (recorded && !mayHaveArrived) {
      const failed = uploadFailedEvent(recorded, parts.clock.now());
      await recordEvent(parts.store.events, failed, parts.log);
    }
    if (error instanceof LeaseLost) return;
    if (error instanceof DigestDeleted) {
      await ledger.markFailed(claim, { code: 'deleted' }, parts.clock.now());
      return;
    }
    await fileFailed(claimed, error, parts);
  }
}

/** @throws ExportNotRecorded */
async function recordFile(
  { digest: { owner, request }, run: { id: post } }: ClaimedRun,
  result: ReportResult,
  { channel: place }: FileTarget,
  { store, clock }: DigestParts,
): Promise<AccessEvent> {
  const { asker, range: days } = result;
  const facts = { at: clock.now(), person: owner, place, request, me: asker.email, days, post } as const;
  const event = exportOf(result, fileName(result), { ...facts, origin: 'digest' }, undefined);
  await recordExport(store.events, event);
  return event;
}

/** The file is a post of its own, claimed by the same worker. */
export function fileClaim({ run, claim }: Pick<ClaimedRun, 'run' | 'claim'>): ClaimedRun['claim'] {
  return { ...claim, id: filePostId(run.id) };
}

/** The digest with the channel of a posted message: the digest's own channel may have changed since. */
export function withMessageChannel(digest: Digest, { channel }: Message): Digest {
  return channel.startsWith('D') ? digest : { ...digest, channel };
}

/** The destination of the file by the owner's current rights. */
async function targetNow(
  claimed: ClaimedRun,
  result: ReportResult,
  message: Message,
  parts: DigestParts,
): Promise<FileTarget> {
  const digest = await parts.store.digests.find(claimed.digest.id);
  if (!digest || digest.deletedAt !== undefined) throw new DigestDeleted();
  const { owner } = digest;
  const { request } = claimed.digest;
  const rights = await currentRights(
    withMessageChannel({ ...claimed.digest, owner }, message),
    // A file that an unapproved channel would not get.
    ({ route, released }) => route.file === 'here' && holdsPersonLevel(result, 'not-approved', released),
    parts,
  );
  if (!fileFits(result.scope, rights.scope)) throw new DigestFailed(accessChanged);
  const inThread = { channel: message.channel, thread: message.ts };
  const namesPeople =
    rights.route.file === 'direct' || holdsPersonLevel(result, rights.personLevel, rights.released);
  if (!namesPeople && !message.channel.startsWith('D')) return inThread;
  const direct = await parts.poster.directMessagesOf(owner);
  return direct === message.channel ? inThread : { channel: direct, request, namesPeople };
}

/** Retries a file that was not shared, or records that it failed or is unconfirmed. */
export async function fileFailed(claimed: ClaimedRun, error: unknown, parts: DigestParts): Promise<void> {
  const { run, digest, signal } = claimed;
  const claim = fileClaim(claimed);
  const { ledger } = parts.store;
  const at = parts.clock.now();
  const recipients = [digest.owner];
  if (error instanceof FileNotShared && error.mayHaveArrived) {
    await ledger.markUnconfirmed(claim, { code: error.reason }, at, { kind: 'file-unknown', recipients });
    return;
  }
  if (signal.aborted) {
    await ledger.release(claim, at, { code: 'stopped' }, 'none');
    return;
  }
  const failure =
    error instanceof FileNotShared ? failureOfSlack(error.reason, error.retryAfterSeconds) : failureOf(error);
  if (failure.code === 'unexpected')
    parts.log.error({ err: error, run: run.id }, 'A file failed unexpectedly');
  const why = { code: failure.code, reason: parts.poster.describeFailure(error, run.id) };
  const delayMs = failure.kind === 'own' ? undefined : retryDelay(run, failure);
  if (delayMs !== undefined) await ledger.release(claim, at + delayMs, why, attemptCountFor(failure));
  else await ledger.markFailed(claim, why, at, { kind: 'file-failed', recipients });
}
