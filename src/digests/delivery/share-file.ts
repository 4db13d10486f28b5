import { sayRequest } from '../../language/index.js';
import { csvName } from '../../reports/csv-name.js';
import type { ReportResult } from '../../reports/run-report.js';
import { FileNotShared } from '../../slack/errors.js';
import { holdsPersonLevel } from '../../slack/send-answer.js';
import { escaped } from '../../slack/views/parts/text.js';
import { wordsForFailure } from '../../words-for-failures.js';
import { DigestFailed, failureOf, failureOfSlack, ofSlack, waitAfter } from '../failures/failure.js';
import type { DigestParts } from '../parts.js';
import type { Rights } from './rights.js';
import type { RunAtWork } from './run-digest.js';

/** Somebody else has the run: its file is not for us to share. */
class LeaseLost extends Error {}

/**
 * Puts the file of a delivered run into its thread, or into its owner's direct messages where it names people. Tried
 * again only when it is known not to have arrived.
 */
export async function shareRunFile(
  work: RunAtWork,
  result: ReportResult,
  rights: Rights,
  message: { readonly channel: string; readonly ts: string },
  parts: DigestParts,
): Promise<void> {
  const { held, signal, digest } = work;
  const { csv } = result;
  const { ledger } = parts.store;
  if (!csv) return fileFailed(work, new DigestFailed({ kind: 'own', code: 'no-file' }), parts);
  const isDirect = rights.place.kind === 'direct' || message.channel.startsWith('D');
  const named = rights.route.csv === 'direct' || holdsPersonLevel(result, rights, rights.released);
  const where =
    isDirect || !named
      ? { channel: message.channel, thread: message.ts }
      : {
          channel: await parts.channels.directWith(digest.owner),
          comment: `The file for ${escaped(`/report ${sayRequest(digest.request)}`)}`,
        };
  try {
    await parts.share(
      {
        path: csv.path,
        bytes: csv.bytes,
        name: csvName(result),
        title: csvName(result),
        ...where,
        beforeShown: async () => {
          if (!(await ledger.sharing(held))) throw new LeaseLost();
        },
      },
      signal,
    );
    await ledger.file(held, 'shared');
  } catch (error) {
    if (error instanceof LeaseLost) return;
    await fileFailed(work, error, parts);
  }
}

/** What becomes of a file that was not shared, or not surely. */
export async function fileFailed(work: RunAtWork, thrown: unknown, parts: DigestParts): Promise<void> {
  const { held, run, digest, signal } = work;
  const { ledger, digestNotices } = parts.store;
  const at = parts.clock.now();
  if (thrown instanceof FileNotShared && thrown.mayHaveArrived) {
    await ledger.file(held, 'unknown', { code: thrown.reason });
    await digestNotices.add({ recipient: digest.owner, kind: 'file-unknown', subject: run.id }, at);
    return;
  }
  if (signal.aborted) return ledger.fileAgain(held, at, { code: 'stopped' }, false);
  const error = ofSlack(thrown);
  const failure = error instanceof FileNotShared ? failureOfSlack(error.reason) : failureOf(error);
  if (failure.code === 'unexpected')
    parts.log.error({ err: error, run: run.id }, 'A file failed unexpectedly');
  const why = { code: failure.code, reason: wordsForFailure(error, run.id).reason };
  const wait = failure.kind === 'own' ? undefined : waitAfter(run.attempts, failure);
  if (wait !== undefined) return ledger.fileAgain(held, at + wait, why, true);
  await ledger.file(held, 'failed', why);
  await digestNotices.add({ recipient: digest.owner, kind: 'file-failed', subject: run.id }, at);
}
