import {
  type AccessEvent,
  type RequestFacts,
  recordEvent,
  recordExport,
  uploadFailedEvent,
} from '../../access/record.js';
import type { NotificationRequest } from '../../digests/notification.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { formatLimit } from '../../figures/format/request.js';
import type { Claim, PostedMessage } from '../../posts/post.js';
import { compact } from '../../requests/compact.js';
import type { Asker } from '../../requests/request.js';
import { exportOf, fileName, holdsPersonLevel, notesOnFile } from '../../runner/answer-parts.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { AnswerRights } from '../answer-rights.js';
import type { SendParts } from '../answer-run.js';
import { escaped } from '../markup.js';
import { rowsVariants } from '../messages/rows.js';
import { postOnce, postVariants } from './post-message.js';
import type { FileDestination } from './upload.js';

/** What follows a summary as a post of its own: its file, or rows that may not be in it. */
export interface FollowUp {
  readonly claim: Claim;
  /** The first message of the thread that has the summary; absent if Slack returned no `ts`. */
  readonly root: PostedMessage | undefined;
  readonly isOfDigest?: true;
  /** The command of the answer, as its reader may read it. */
  readonly command: string;
  /** The request log's ID, for the buttons under rows. */
  readonly requestId: string | undefined;
  /** Of the run, for the record of access. */
  readonly facts: Pick<RequestFacts, 'person' | 'origin' | 'post'>;
  readonly level?: AnswerRights['level'];
  /** The rights of now, which decide where it goes. Called before each try. What it throws stops the post. */
  readonly lookAgain: () => Promise<RightsNow>;
  /** Of rows; 1: the caller waits itself if Slack is rate-limiting. */
  readonly maxTries?: number;
  /** Ends the upload of a file. */
  readonly signal?: AbortSignal;
  readonly question?: NotificationRequest;
}

/** The rights of the person who gets an answer, who may be another owner of a digest by now. */
interface RightsNow extends Pick<AnswerRights, 'conversation' | 'route' | 'released'> {
  readonly asker: Pick<Asker, 'id'>;
}

export interface FileTarget {
  readonly into: FileDestination;
  readonly inThread: boolean;
  readonly namesPeople: boolean;
}

/**
 * Shares the file of an answer in the thread of its summary, or in the direct messages of the person who gets it.
 *
 * @throws `file-not-shared`; `export-not-recorded`; and what `postOnce` throws
 */
export async function sendFile(
  result: ReportResult,
  followUp: FollowUp,
  parts: SendParts,
): Promise<FileTarget> {
  const { file, request, asker, range: days } = result;
  if (!file) throw new Error('This answer has no file');
  const { claim, root, isOfDigest, level, signal, question } = followUp;
  const { clock, log, store } = parts;
  const { path, bytes } = file;
  const name = fileName(result);
  let recorded: AccessEvent | undefined;
  let unconfirmed: unknown;
  try {
    const { now } = await postOnce(
      {
        claim,
        question,
        lookAgain: async () => targetOf(result, await followUp.lookAgain(), followUp, parts),
        async record({ into: { channel: place } }) {
          const facts = { ...followUp.facts, at: clock.now(), place, request, me: asker.email, days };
          const event = exportOf(result, name, facts, level);
          await recordExport(store.events, event);
          recorded = event;
        },
        async send(begin) {
          let channel = '';
          const into = async () => {
            const target = await begin();
            channel = target.into.channel;
            return target.into;
          };
          try {
            const { fileId: ts } = await parts.share({ path, bytes, name, into }, signal);
            return { kind: 'posted', channel, ts };
          } catch (error) {
            if (!isFailure(error, 'file-not-shared') || !error.details.mayHaveArrived) throw error;
            unconfirmed = error;
            return { kind: 'unknown', code: error.details.reason };
          }
        },
        posted: ({ ts: item }, { into: { channel }, inThread }) => ({
          fileFollows: false,
          item: { kind: 'file', channel, item, root: inThread || isOfDigest ? root : undefined, isOfDigest },
        }),
      },
      parts,
    );
    if (unconfirmed) throw unconfirmed;
    return now;
  } catch (error) {
    if (recorded && isFailure(error, 'file-not-shared') && !error.details.mayHaveArrived)
      await recordEvent(store.events, uploadFailedEvent(recorded, clock.now()), log);
    throw error;
  }
}

/**
 * Sends the rows of an answer to the direct messages of the person who gets it: its conversation may not get them.
 *
 * @throws `file-not-shared` if it is unknown whether they arrived; and what `postOnce` throws
 */
export async function sendRows(
  result: ReportResult,
  { claim, root, isOfDigest, command, requestId, lookAgain, maxTries, question }: FollowUp,
  parts: SendParts,
): Promise<void> {
  const { rows } = result;
  if (!rows) throw new Error('This answer has no rows');
  const variants = rowsVariants({ rows, links: parts.learningLinks }, command, result, requestId);
  const { outcome } = await postOnce(
    {
      claim,
      question,
      lookAgain: async () => parts.channels.directWith((await lookAgain()).asker.id),
      async send(begin) {
        const to = { channel: await begin() };
        return (await postVariants(variants, to, parts, { lookAgain, maxTries })).outcome;
      },
      posted: (message, channel) => ({
        fileFollows: false,
        ...(isOfDigest
          ? { item: { kind: 'message', channel, item: message.ts, root, isOfDigest } }
          : { message }),
      }),
    },
    parts,
  );
  if (outcome.kind === 'unknown')
    throw new Failure('file-not-shared', { reason: outcome.code, mayHaveArrived: true });
}

/** In the thread of the summary, if that may have the file; else in the direct messages, with the command of it. */
async function targetOf(
  result: ReportResult,
  { asker, conversation: { kind, personLevel }, route, released }: RightsNow,
  { root, command, isOfDigest }: FollowUp,
  { channels }: Pick<SendParts, 'channels'>,
): Promise<FileTarget> {
  const namesPeople = route.file === 'direct' || holdsPersonLevel(result, personLevel, released);
  const isInChannel = root?.channel.startsWith('D') === false && kind === 'member' && !namesPeople;
  const channel = isInChannel ? root.channel : await channels.directWith(asker.id);
  const notes = notesOnFile(result);
  if (channel === root?.channel) {
    const limit = formatLimit(result.scope, isOfDigest ? 'owner' : 'you');
    // In a channel, the person who asks for a file may not be the asker of the summary.
    const whose = isInChannel && !isOfDigest ? `For <@${asker.id}>: ` : '';
    const comment = compact(limit && `${whose}${limit}.`, notes).join(' ') || undefined;
    return { into: { channel, thread: root.ts, comment }, inThread: true, namesPeople };
  }
  const limit = formatLimit(result.scope, 'you');
  const more = compact(limit && `${limit}.`, notes);
  const why = isOfDigest && namesPeople ? ' names people, so it comes to you alone.' : '';
  const head = `The file for ${escaped(command)}${why || (more.length > 0 ? '.' : '')}`;
  return { into: { channel, comment: [head, ...more].join(' ') }, inThread: false, namesPeople };
}
