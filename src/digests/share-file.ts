import { filePostId } from '../posts/states.js';
import { formatRequest } from '../requests/parse-request.js';
import { csvName, type ReportResult } from '../runner/run-report.js';
import { FileNotShared, surely } from '../slack/delivery/post-message.js';
import { holdsPersonLevel } from '../slack/delivery/send-answer.js';
import type { FileDestination } from '../slack/delivery/upload.js';
import { escaped } from '../slack/markup.js';
import { describeFailure } from '../slack/messages/failures.js';
import type { Digest, DigestRun } from './digest.js';
import { countsAs, DigestFailed, failureOf, failureOfSlack, ofSlack, waitAfter } from './failure.js';
import type { DigestParts } from './ports.js';
import { type ClaimedRun, rightsNow } from './process-run.js';

/** Somebody else has the run: its file is not for us to share. */
class LeaseLost extends Error {}

/** Nobody wants it any more. */
class DigestDeleted extends Error {}

type Message = NonNullable<DigestRun['message']>;

/**
 * Puts the file of a delivered run into its thread, or into its owner's direct messages where it names people. Tried
 * again only when it is known not to have arrived.
 */
export async function shareRunFile(
  work: ClaimedRun,
  result: ReportResult,
  message: Message,
  parts: DigestParts,
): Promise<void> {
  const { signal } = work;
  const held = heldFile(work);
  const { csv } = result;
  const { ledger } = parts.store;
  if (!csv) return fileFailed(work, new DigestFailed({ kind: 'own', code: 'no-file' }), parts);
  try {
    await parts.share(
      {
        path: csv.path,
        bytes: csv.bytes,
        name: csvName(result),
        title: csvName(result),
        // The upload may have taken long.
        into: async () => {
          const place = await placeNow(work, result, message, parts);
          signal.throwIfAborted();
          if (!(await ledger.markPosting(held))) throw new LeaseLost();
          return place;
        },
      },
      signal,
    );
    await surely(() => ledger.markPosted(held, { fileFollows: false }, parts.clock.now()));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (error instanceof DigestDeleted) {
      await ledger.markFailed(held, { code: 'deleted' }, parts.clock.now());
      return;
    }
    await fileFailed(work, error, parts);
  }
}

/** Its file is a post of its own, in the same hands. */
export function heldFile({ run, held }: Pick<ClaimedRun, 'run' | 'held'>): ClaimedRun['held'] {
  return { ...held, id: filePostId(run.id) };
}

/** A digest as it concerns a message that stands: it may have got another channel since. */
export function messagePlaced(digest: Digest, { channel }: Message): Digest {
  return channel.startsWith('D') ? digest : { ...digest, channel };
}

/** Where the file goes by the rights of this moment. */
async function placeNow(
  work: ClaimedRun,
  result: ReportResult,
  message: Message,
  parts: DigestParts,
): Promise<FileDestination> {
  const digest = await parts.store.digests.find(work.digest.id);
  if (!digest || digest.deletedAt !== undefined) throw new DigestDeleted();
  const { owner } = digest;
  const { request } = work.digest;
  const rights = await rightsNow(
    messagePlaced({ ...work.digest, owner }, message),
    // What it would be kept back for in a place that may not have it.
    ({ route, released }) => route.csv === 'here' && holdsPersonLevel(result, 'not-approved', released),
    parts,
  );
  const inThread = { channel: message.channel, thread: message.ts };
  const named =
    rights.route.csv === 'direct' || holdsPersonLevel(result, rights.place.personLevel, rights.released);
  if (!named && !message.channel.startsWith('D')) return inThread;
  const direct = await parts.channels.directWith(owner);
  if (direct === message.channel) return inThread;
  const why = named ? ' names people, so it comes to you alone.' : '';
  return { channel: direct, comment: `The file for ${escaped(`/report ${formatRequest(request)}`)}${why}` };
}

/** What becomes of a file that was not shared, or not surely. */
export async function fileFailed(work: ClaimedRun, thrown: unknown, parts: DigestParts): Promise<void> {
  const { run, digest, signal } = work;
  const held = heldFile(work);
  const { ledger } = parts.store;
  const at = parts.clock.now();
  if (thrown instanceof FileNotShared && thrown.mayHaveArrived) {
    const asked = { kind: 'file-unknown', recipients: [digest.owner] } as const;
    await ledger.markUnconfirmed(held, { code: thrown.reason }, at, asked);
    return;
  }
  if (signal.aborted) {
    await ledger.release(held, at, { code: 'stopped' }, 'not');
    return;
  }
  const error = ofSlack(thrown);
  const failure =
    error instanceof FileNotShared ? failureOfSlack(error.reason, error.retryAfterSeconds) : failureOf(error);
  if (failure.code === 'unexpected')
    parts.log.error({ err: error, run: run.id }, 'A file failed unexpectedly');
  const why = { code: failure.code, reason: describeFailure(error, run.id).reason };
  const wait = failure.kind === 'own' ? undefined : waitAfter(run, failure);
  if (wait !== undefined) await ledger.release(held, at + wait, why, countsAs(failure));
  else await ledger.markFailed(held, why, at, { kind: 'file-failed', recipients: [digest.owner] });
}
