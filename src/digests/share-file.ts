import { sayRequest } from '../language/index.js';
import { csvName } from '../reports/csv-name.js';
import type { ReportResult } from '../reports/run-report.js';
import { FileNotShared } from '../slack/errors.js';
import { holdsPersonLevel } from '../slack/send-answer.js';
import { escaped } from '../slack/views/parts/text.js';
import { failureOfSlack, waitAfter } from './failure.js';
import type { DigestParts } from './parts.js';
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
  if (!csv) return ledger.file(held, 'failed', 'no-file');
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
export async function fileFailed(work: RunAtWork, error: unknown, parts: DigestParts): Promise<void> {
  const { held, run, digest, signal } = work;
  const { ledger, digestNotices } = parts.store;
  const at = parts.clock.now();
  if (error instanceof FileNotShared && error.mayHaveArrived) {
    await ledger.file(held, 'unknown', error.reason);
    await digestNotices.add({ recipient: digest.owner, kind: 'file-unknown', subject: run.id }, at);
    return;
  }
  if (signal.aborted) return ledger.fileAgain(held, at, 'stopped', false);
  const reason = error instanceof FileNotShared ? error.reason : 'unexpected';
  const failure = failureOfSlack(reason);
  const wait =
    failure.kind === 'own' && reason !== 'unexpected' ? undefined : waitAfter(run.attempts, failure);
  if (wait !== undefined) return ledger.fileAgain(held, at + wait, reason, true);
  await ledger.file(held, 'failed', reason);
  await digestNotices.add({ recipient: digest.owner, kind: 'file-failed', subject: run.id }, at);
}
