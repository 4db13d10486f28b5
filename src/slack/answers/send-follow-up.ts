import manifest from '../../../package.json' with { type: 'json' };
import {
  type AccessEvent,
  type RequestFacts,
  recordEvent,
  recordExport,
  type SentPlace,
  uploadFailedEvent,
} from '../../access/record.js';
import type { NotificationRequest } from '../../digests/notification.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { makeEvidence } from '../../evidence/make-evidence.js';
import { formatLimit } from '../../figures/summary/request.js';
import { type Claim, OutcomeNotSaved, type PostedMessage } from '../../posts/post.js';
import type { Asker } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { exportOf, fileName, holdsPersonLevel, notesOnFile } from '../../runner/answer-parts.js';
import type { ReportResult } from '../../runner/run-report.js';
import { deliver, postOnce } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import { rowsVariants, shownRows } from '../messages/rows.js';
import { peopleOfRows } from '../messages/summary-parts.js';
import type { AnswerRights, SendParts } from './answer-run.js';

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
  /** Ends the making of evidence before its upload. */
  readonly making?: AbortSignal;
  readonly question?: NotificationRequest;
}

/** The rights of the person who gets an answer, who may be another owner of a digest by now. */
interface RightsNow extends Pick<AnswerRights, 'conversation' | 'level' | 'route' | 'released'> {
  readonly asker: Pick<Asker, 'id'>;
}

/**
 * Shares the file of an answer in the thread of its summary, or in the direct messages of the person who gets it.
 *
 * @throws `file-not-shared`; `export-not-recorded`; and what `postOnce` throws
 */
export async function sendFile(result: ReportResult, followUp: FollowUp, parts: SendParts) {
  const { file, request, asker, range: days } = result;
  const { claim, root, isOfDigest, level, signal, question } = followUp;
  const { clock, log, store } = parts;
  const name = fileName(result);
  const people = file?.people;
  /** What the record has of the file, from the moment on when it has it. */
  let recorded: AccessEvent | undefined;
  const eventIn = (place: string, levelNow = level) => {
    const facts = { ...followUp.facts, at: clock.now(), place, request, me: asker.email, days };
    return exportOf(result, name, facts, levelNow);
  };

  /** The ZIP of evidence, which the record has before anything is uploaded; else the file of the answer. */
  async function fileToShare() {
    if (request.file !== 'evidence') return file ?? missingFile();
    const now = await followUp.lookAgain();
    const { into } = await targetOf(result, now, followUp, parts);
    const event = eventIn(into.channel, now.level);
    const { person = '' } = followUp.facts;
    const facts = {
      person,
      address: asker.email,
      level: now.level,
      file: name,
      madeAt: event.at,
      version: manifest.version,
    };
    const noted = (made: AccessEvent) => {
      recorded = made;
    };
    return makeEvidence(
      result,
      facts,
      event,
      parts,
      noted,
      AbortSignal.any(compact(signal, followUp.making)),
    );
  }

  async function upload() {
    const { path, bytes } = await fileToShare();
    const share = await parts.share({ path, bytes, name }, signal);
    const target = await targetOf(result, await followUp.lookAgain(), followUp, parts);
    const { into, inThread } = target;
    const { channel } = into;
    async function send() {
      if (!recorded) {
        const event = eventIn(channel);
        await recordExport(store.events, event);
        recorded = event;
      }
      try {
        const { fileId: ts } = await share(into);
        return { kind: 'posted', channel, ts } as const;
      } catch (error) {
        if (!isFailure(error, 'file-not-shared')) throw error;
        const { reason: code, mayHaveArrived } = error.details;
        if (mayHaveArrived) return { kind: 'unknown', code } as const;
        throw error;
      }
    }
    const posted = ({ ts: item }: PostedMessage) => ({
      fileFollows: false,
      item: {
        kind: 'file',
        channel,
        item,
        root: inThread || isOfDigest ? root : undefined,
        isOfDigest,
      } as const,
    });
    const sent = people && {
      recipient: followUp.facts.person,
      report: request.report,
      what: 'file' as const,
      place: placeOf(channel),
      people,
    };
    return { target, outcome: await postOnce({ claim, question, sent, send, posted }, parts) };
  }

  try {
    const { target, outcome } = await upload();
    throwIfUnconfirmed(outcome);
    return target;
  } catch (error) {
    const mayHaveArrived = isFailure(error, 'file-not-shared') && error.details.mayHaveArrived;
    if (recorded && !mayHaveArrived && !(error instanceof OutcomeNotSaved))
      await recordEvent(store.events, uploadFailedEvent(recorded, clock.now()), log);
    throw error;
  }
}

function missingFile(): never {
  throw new Error('This answer has no file');
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
  const rows = shownRows(result, parts.learningLinks);
  if (!rows) throw new Error('This answer has no rows');
  const variants = rowsVariants(rows, command, result, requestId);
  const recipient = (await lookAgain()).asker.id;
  const channel = await parts.channels.directWith(recipient);
  const place = placeOf(channel);
  const sent = { ...peopleOfRows(rows.rows, variants), recipient, report: result.report.name, place };
  const send = async () => (await deliver(variants, { channel }, parts, { lookAgain, maxTries })).outcome;
  const posted = (message: PostedMessage) => {
    const item = { kind: 'message', channel, item: message.ts, root, isOfDigest } as const;
    return { fileFollows: false, ...(isOfDigest ? { item } : { message }) };
  };
  throwIfUnconfirmed(await postOnce({ claim, question, sent, send, posted }, parts));
}

export function placeOf(channel: string): SentPlace {
  return channel.startsWith('D') ? 'direct' : 'channel';
}

function throwIfUnconfirmed(outcome: Awaited<ReturnType<typeof postOnce>>) {
  if (outcome.kind === 'unknown')
    throw new Failure('file-not-shared', { reason: outcome.code, mayHaveArrived: true });
}

/** In the thread of the summary, if that may have the file; else in the direct messages, with the command of it. */
async function targetOf(
  result: ReportResult,
  { asker, conversation: { kind, personLevel }, route, released }: RightsNow,
  { root, command, isOfDigest }: FollowUp,
  { channels }: SendParts,
) {
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
