import { type AccessEvent, recordEvent, recordExport, uploadFailedEvent } from '../../access/record.js';
import { KnownError } from '../../errors/known-error.js';
import { formatLimit } from '../../figures/format/request.js';
import { FileNotShared, type PostedMessage, retryWrite } from '../../posts/post.js';
import type { NewPostedItem } from '../../posts/posted-items.js';
import { filePostId } from '../../posts/states.js';
import type { Asker } from '../../requests/request.js';

import { exportOf, fileName, holdsPersonLevel, notesOnFile } from '../../runner/answer-file.js';
import type { ReportResult } from '../../runner/run-report.js';
import { escaped } from '../markup.js';
import { describeFailure } from '../messages/failures.js';
import { failureMessage, fileNotAMemberMessage, fileSentDirectlyMessage } from '../messages/notices.js';
import {
  type AnswerRun,
  commandOf,
  outcomeNotSaved,
  requestForReader,
  type SendParts,
} from './answer-run.js';
import { notifyAsker } from './notify-asker.js';
import { AccessChanged, EndedElsewhere } from './post-message.js';
import type { FileDestination } from './upload.js';

/** A posted summary. */
export interface SentSummary {
  /** Absent if Slack returned no `ts`. */
  readonly message?: PostedMessage | undefined;
  /** True if it went to direct messages from elsewhere. */
  readonly wentDirectly?: boolean;
}

/** Shares the file of an answer in the thread of its summary, or in the asker's direct messages. */
export async function sendFile(
  result: ReportResult,
  run: AnswerRun,
  parts: SendParts,
  {
    post,
    summary: { message, wentDirectly },
    isStillAllowed,
  }: {
    readonly post: string;
    readonly summary: SentSummary;
    readonly isStillAllowed: () => Promise<boolean>;
  },
): Promise<void> {
  const { file, request } = result;
  if (!file) return;
  const { id, asker, conversation, route, typed, released } = run;
  const { kind, thread, personLevel } = conversation;
  const { ledger } = parts.store;
  const held = { id: post, worker: null };
  const name = fileName(result);
  let recorded: AccessEvent | undefined;
  const shareInto = async (destination: FileDestination) => {
    const into = async () => {
      // The upload may have taken long.
      if (!(await isStillAllowed())) throw new AccessChanged();
      if (!(await ledger.markPosting(held))) throw new EndedElsewhere();
      const facts = { at: parts.clock.now(), person: asker.id, place: destination.channel, request };
      const origin = run.fileInto === undefined ? 'request' : 'file-button';
      const event = exportOf(
        result,
        name,
        { ...facts, origin, me: asker.email, days: result.range, post: id },
        run.level,
      );
      await recordExport(parts.store.events, event);
      recorded = event;
      return destination;
    };
    const sharing = parts.share({ path: file.path, bytes: file.bytes, name, title: name, into });
    const { fileId } = await sharing.catch(async (error: unknown) => {
      const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
      if (recorded && !mayHaveArrived) {
        const failed = uploadFailedEvent(recorded, parts.clock.now());
        await recordEvent(parts.store.events, failed, parts.log);
      }
      throw error;
    });
    const { channel: shared, thread: root } = destination;
    const item: NewPostedItem = {
      kind: 'file',
      channel: shared,
      item: fileId,
      root: root === undefined ? undefined : { channel: shared, ts: root },
    };
    // Slack has the file, so the asker need not know that this failed.
    await retryWrite(() => ledger.markPosted(held, { fileFollows: false, item }, parts.clock.now())).catch(
      (err: unknown) => parts.log.error({ err, requestId: id }, outcomeNotSaved),
    );
  };
  const namesPeople = route.file === 'direct' || holdsPersonLevel(result, personLevel, released);
  const isDirect = kind === 'direct' || wentDirectly === true;
  if (message && (isDirect || (kind === 'member' && !namesPeople))) {
    const comment = threadComment(asker, result, isDirect);
    return shareInto({ channel: message.channel, thread: thread ?? message.ts, comment });
  }
  await shareInto({
    channel: await parts.channels.directWith(asker.id),
    comment: fileComment(commandOf(typed, requestForReader(request, run)), result),
  });
  const where = namesPeople ? fileSentDirectlyMessage(conversation) : fileNotAMemberMessage();
  await notifyAsker(where, asker.id, conversation, parts.client, true);
}

/** The message of a file that does not go into the thread of its summary. */
function fileComment(command: string, result: ReportResult): string {
  const limit = formatLimit(result.scope, 'you');
  const more = [...(limit ? [`${limit}.`] : []), ...notesOnFile(result)].join(' ');
  return `The file for ${escaped(command)}${more ? `. ${more}` : ''}`;
}

/**
 * The message of a file in a thread: whose rows it has, and notes on it. In a channel it names the asker, who may not be
 * the asker of the summary.
 */
function threadComment({ id }: Asker, result: ReportResult, isDirect: boolean): string | undefined {
  const limit = formatLimit(result.scope, 'you');
  const whose = isDirect ? `${limit}.` : `For <@${id}>: ${limit}.`;
  return [...(limit === undefined ? [] : [whose]), ...notesOnFile(result)].join(' ') || undefined;
}

/** Ends a file that failed or is unconfirmed, after its summary was posted. */
export async function endFailedFile(
  error: unknown,
  { id, asker, conversation }: AnswerRun,
  { store: { ledger }, clock, log, client }: SendParts,
): Promise<void> {
  log.warn({ err: error, requestId: id }, 'The file of an answer was not shared');
  if (error instanceof EndedElsewhere) return;
  const held = { id: filePostId(id), worker: null };
  const why = { code: error instanceof KnownError ? error.code : 'unexpected' };
  const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
  const end = mayHaveArrived ? ledger.markUnconfirmed : ledger.markFailed;
  await end(held, why, clock.now()).catch((err: unknown) =>
    log.error({ err, requestId: id }, outcomeNotSaved),
  );
  const message = failureMessage(describeFailure(error, id), undefined);
  await notifyAsker(message, asker.id, conversation, client);
}
