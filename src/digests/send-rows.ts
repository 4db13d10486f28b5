import { fileFits } from '../access/scope.js';
import { retryWrite } from '../posts/post.js';
import type { ReportResult } from '../runner/run-report.js';
import type { DigestRun } from './digest.js';
import { DigestFailed } from './failure.js';
import type { DigestParts } from './ports.js';
import { accessChanged, type ClaimedRun } from './post-run.js';
import { fileClaim, fileFailed, withMessageChannel } from './share-file.js';

/**
 * Sends the rows of a posted run to its owner's direct messages, because its channel may not get them. They are the post
 * that otherwise a file is, and are sent again only if they surely did not arrive.
 */
export async function sendRunRows(
  claimed: ClaimedRun,
  result: ReportResult,
  message: NonNullable<DigestRun['message']>,
  parts: DigestParts,
): Promise<void> {
  const { signal } = claimed;
  const claim = fileClaim(claimed);
  const { store, poster, clock } = parts;
  const { ledger } = store;
  try {
    const digest = await store.digests.find(claimed.digest.id);
    if (!digest || digest.deletedAt !== undefined) {
      await ledger.markFailed(claim, { code: 'deleted' }, clock.now());
      return;
    }
    const { owner } = digest;
    const rights = await poster.rightsOf(withMessageChannel({ ...claimed.digest, owner }, message));
    if (!fileFits(result.scope, rights.scope)) throw new DigestFailed(accessChanged);
    const channel = await poster.directMessagesOf(owner);
    signal.throwIfAborted();
    const requestId = await store.requestLog.ofPost(claimed.run.id);
    if (!(await ledger.markPosting(claim))) return;
    const outcome = await poster.sendRows(claimed.digest, result, channel, requestId);
    const at = clock.now();
    if (outcome.kind === 'not-posted') throw new DigestFailed(outcome.failure);
    if (outcome.kind === 'unconfirmed') {
      const notification = { kind: 'file-unknown', recipients: [owner] } as const;
      await ledger.markUnconfirmed(claim, { code: outcome.code }, at, notification);
      return;
    }
    const { ts } = outcome.message;
    const item = { kind: 'message', channel, item: ts, root: message, isOfDigest: true } as const;
    await retryWrite(() => ledger.markPosted(claim, { fileFollows: false, item }, at));
  } catch (error) {
    await fileFailed(claimed, error, parts);
  }
}
