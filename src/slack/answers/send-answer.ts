import type { SentPlace } from '../../access/record.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { OutcomeNotSaved, type PostedMessage } from '../../posts/post.js';
import { filePostId } from '../../posts/states.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import { compact } from '../../requests/text.js';
import { followUpOf, type KeptAnswer, keptAnswer } from '../../runner/answer-parts.js';
import type { PeriodBefore, ReportResult } from '../../runner/run-report.js';
import { logFailure, notifyAsker } from '../context/notify-asker.js';
import {
  deliver,
  EndedElsewhere,
  type MessageVariants,
  type OutgoingMessage,
  permalinkOf,
  postOnce,
} from '../delivery/post-message.js';
import { describeFailure } from '../messages/failures.js';
import {
  answerNotSavedMessage,
  answerSentDirectlyMessage,
  failureMessage,
  fileNotAMemberMessage,
  sentDirectlyMessage,
  unconfirmedAnswerMessage,
} from '../messages/notices.js';
import { type SummaryMessageInput, summaryVariants, summaryWithPeople } from '../messages/summary.js';
import {
  type AnswerRights,
  type AnswerRun,
  commandOf,
  endPost,
  requestForReader,
  responseUrlOf,
  type SendParts,
} from './answer-run.js';
import type { Progress } from './progress.js';
import { type FollowUp, sendFile, sendRows } from './send-follow-up.js';

interface Sending {
  readonly progress: Progress;
  /** The rights of now. Called before each further try, and before the file is shared. @throws `access-changed` */
  readonly lookAgain: () => Promise<AnswerRights>;
  /** Ends the making of evidence. */
  readonly signal: AbortSignal;
}

/**
 * Sends an answer: the summary along its route, then the file. A posted summary is an answer even if its file fails;
 * then the asker is notified, and can press CSV to try again.
 *
 * @returns the summary, if Slack has it, without a `message` if Slack returned no `ts`; `root`: the first message of its
 *   thread; `variant`: the index of the one that Slack accepted
 * @throws `answer-not-posted`; `access-changed`; `file-not-shared` where only the file was wanted; EndedElsewhere; nothing after a post
 */
export async function sendAnswer(result: ReportResult, run: AnswerRun, sending: Sending, parts: SendParts) {
  if (run.fileInto !== undefined) return sendParts(result, undefined, run, sending, parts);
  const kept = keptAnswer(run.asker.id, result, parts.smallestGroup);
  if (kept?.recent) parts.recentAnswers.set(run.id, kept.recent);
  const { range, rowCount: rows } = result;
  const input = summaryInputOf(result, run, parts);
  const { variants, people } = summaryWithPeople(input);
  const place: SentPlace = input.isDirect ? 'direct' : 'channel';
  const sent = people && { ...people, recipient: run.asker.id, report: result.report.name, place };
  const summary = { variants, range, rows, kept, sent };
  return sendParts(result, summary, run, sending, parts);
}

/** A message that answers a request, and what the ledger notes of it. */
interface SummaryToSend {
  readonly variants: MessageVariants;
  readonly range: ReportResult['range'];
  readonly rows: number | undefined;
  readonly kept: KeptAnswer | undefined;
  /** Whom the message names, for everybody's own record. */
  readonly sent?: Parameters<typeof postOnce>[0]['sent'];
}

/** As `sendAnswer`, of an answer that is one message: nothing follows it. */
export function sendScorecard(summary: SummaryToSend, run: AnswerRun, sending: Sending, parts: SendParts) {
  return sendParts(undefined, summary, run, sending, parts);
}

async function sendParts(
  result: ReportResult | undefined,
  toSend: SummaryToSend | undefined,
  run: AnswerRun,
  { progress, lookAgain, signal: making }: Sending,
  parts: SendParts,
) {
  const { id, asker, conversation, route, fileInto } = run;
  const { channels, client, clock, log } = parts;
  const notify = (message: OutgoingMessage, onlyHere?: boolean) =>
    notifyAsker(message, asker.id, conversation, client, onlyHere);

  /** Sends the file or the rows of an answer, and says in its conversation where they went. */
  async function sendFollowUp(
    result: ReportResult,
    what: 'file' | 'rows',
    post: string,
    root: PostedMessage | undefined,
  ) {
    const followUp: FollowUp = {
      claim: { id: post, worker: null },
      root,
      command: commandOf(run.typed, requestForReader(result.request, run)),
      requestId: id,
      facts: { person: asker.id, origin: fileInto === undefined ? 'request' : 'file-button', post: id },
      level: run.level,
      lookAgain: async () => ({ ...(await lookAgain()), asker }),
      making,
    };
    try {
      if (what === 'rows') {
        await sendRows(result, followUp, parts);
        await notify(sentDirectlyMessage('rows', conversation), true);
      } else {
        const { inThread, namesPeople } = await sendFile(result, followUp, parts);
        const where = namesPeople ? sentDirectlyMessage('files', conversation) : fileNotAMemberMessage();
        if (!inThread) await notify(where, true);
      }
    } catch (error) {
      if (!(error instanceof OutcomeNotSaved)) throw error;
      log.error({ err: error, requestId: id }, error.message);
      // Where Slack has it, the asker need not know that this failed.
      if (error.isUnconfirmed)
        throw new Failure('file-not-shared', { reason: 'connection_lost', mayHaveArrived: true });
    }
  }

  /** Ends a file or rows that failed or are unconfirmed, after the summary was posted. */
  async function endFailedFile(error: unknown) {
    log.warn({ err: error, requestId: id }, 'The file of an answer was not shared');
    if (error instanceof EndedElsewhere) return;
    const mayHaveArrived = isFailure(error, 'file-not-shared') && error.details.mayHaveArrived;
    if (!mayHaveArrived) await endPost(filePostId(id), error, parts);
    await notify(failureMessage(describeFailure(error, id), undefined));
  }

  let wentDirectly = false;

  /** Posts to the conversation, or to direct messages if the bot cannot post there. */
  async function postSummary(variants: MessageVariants) {
    const { kind, channel, thread } = conversation;
    if (kind === 'direct' || (kind === 'member' && route.summary === 'here'))
      return deliver(variants, { channel, thread, progress, answer: id }, parts, { lookAgain });
    const responseUrl = responseUrlOf(run);
    if (responseUrl) {
      await progress.finishFor(channel);
      const [full] = variants;
      // A response URL has few uses, so only the first and the last variant are tried.
      const tried = [full, variants.at(-1) ?? full] as const;
      const sent = await deliver(tried, { channel, reply: responseUrl.toChannel }, parts, { lookAgain });
      if (sent.outcome.kind !== 'not-posted') return sent;
    }
    wentDirectly = true;
    const to = { channel: await channels.directWith(asker.id), progress, answer: id };
    return deliver(variants, to, parts, { lookAgain });
  }

  /** Undefined: its delivery is unconfirmed or not saved, so that nothing follows it. The rights were found just before. */
  async function sendSummary({ variants, range, rows, kept, sent }: SummaryToSend, fileFollows: boolean) {
    let variant = 0;
    try {
      const posted = await postOnce(
        {
          claim: { id, worker: null },
          facts: { rows, late: false, answer: { range, kept, at: clock.now() } },
          sent,
          async send() {
            const delivered = await postSummary(variants);
            variant = delivered.variant;
            return delivered.outcome;
          },
          posted({ channel, ts }) {
            // A response URL gives no `ts`.
            if (ts === '') return { message: undefined, fileFollows };
            const thread = channel === conversation.channel ? conversation.thread : undefined;
            const message = { channel, ts, link: permalinkOf(parts.workspaceUrl, { channel, ts }, thread) };
            const root = thread === undefined ? undefined : { channel, ts: thread };
            const holdsRows = route.rows === 'in-summary';
            const item = { kind: 'message', channel, item: ts, root, holdsRows } as const;
            return { message, item: root || holdsRows ? item : undefined, fileFollows };
          },
        },
        parts,
      );
      if (posted.kind === 'unknown') {
        log.warn({ requestId: id, code: posted.code }, 'The delivery of an answer is unconfirmed');
        await notify(unconfirmedAnswerMessage(id));
        return undefined;
      }
      if (wentDirectly) await notify(answerSentDirectlyMessage(route, conversation), true);
      const { message, item } = posted.noted;
      return { message, root: item?.root ?? message, variant };
    } catch (error) {
      if (!(error instanceof OutcomeNotSaved)) throw error;
      log.error({ err: error, requestId: id }, error.message);
      await notify(error.isUnconfirmed ? unconfirmedAnswerMessage(id) : answerNotSavedMessage(fileFollows));
      return undefined;
    }
  }

  if (!toSend) {
    if (result && fileInto !== undefined)
      await sendFollowUp(result, 'file', id, { channel: conversation.channel, ts: fileInto });
    await progress.remove();
    return undefined;
  }
  const followUp = result && followUpOf(route, result);
  const summary = await sendSummary(toSend, followUp !== undefined);
  if (summary && result && followUp)
    await sendFollowUp(result, followUp, filePostId(id), summary.root).catch(endFailedFile);
  return summary;
}

/**
 * Gives an answer to the assistant that asked for it. Nothing is posted: the ledger has that it was given, and a
 * cancellation or an erasure ends it before, as with a message.
 *
 * @throws EndedElsewhere
 */
export async function giveFigures(
  result: ReportResult,
  run: AnswerRun,
  lookAgain: () => Promise<unknown>,
  parts: SendParts,
): Promise<undefined> {
  const { id, conversation, typed } = run;
  const { range, rowCount: rows } = result;
  const shown = requestForReader(result.request, run);
  const figures = { result: { ...result, request: shown }, command: commandOf(typed, shown), lookAgain };
  await postOnce(
    {
      claim: { id, worker: null },
      facts: { rows, late: false, answer: { range, kept: undefined, at: parts.clock.now() } },
      async send() {
        conversation.assistant?.takeFigures?.(figures);
        return { kind: 'posted', channel: '', ts: '' };
      },
      posted: () => ({ message: undefined, fileFollows: false }),
    },
    parts,
  );
}

/** What a test shows, and what of it goes elsewhere than to the channel. */
function testRemark({ summary, file, rows }: AnswerRun['route']) {
  if (summary === 'direct') return 'A test. It comes to its owner’s direct messages, and not to the channel.';
  const shown = 'A test: this is what the channel will see.';
  if (file === 'direct') return `${shown} The file names people, so it comes to its owner’s direct messages.`;
  if (rows === 'direct') return `${shown} The rows name people, so they come to its owner’s direct messages.`;
  return shown;
}

/** What the message of a summary is made of. */
function summaryInputOf(
  result: ReportResult,
  run: AnswerRun,
  { defaultZone, learningLinks: links }: SendParts,
): SummaryMessageInput {
  const { id, asker, conversation, route, typed, released } = run;
  const { figures, request, scope, rows } = result;
  const shown = requestForReader(request, run);
  if (!figures) throw new Error('An answer without figures has no summary');
  const isTest = conversation.testOf !== undefined;
  const isDirect = route.summary === 'direct' || (conversation.kind === 'direct' && !isTest);
  const canShare = isDirect && scope.rows === 'all' && !requestIsPersonLevel(request, released);
  const kinds = compact(
    figures.counted > 0 && 'details',
    'csv',
    'xlsx',
    'change',
    'save',
    'schedule',
    // A line of a scorecard has no units.
    request.over === undefined && 'addToScorecard',
    canShare && 'share',
  );
  return {
    result: { ...result, request: shown, figures },
    command: commandOf(typed, shown),
    askedBy: asker.id,
    remarks: isTest ? [testRemark(route)] : [],
    rows: route.rows === 'in-summary' && rows ? { rows, links } : undefined,
    isDirect,
    zone: isDirect ? asker.zone : defaultZone,
    buttons: kinds.map((kind) => ({ kind, value: id })),
  };
}

/** The period before of a posted answer may take this much longer than the answer. */
export const maxWaitForBeforeMs = 60_000;

/** An answer that was posted without the period before. */
export interface PostedAnswer {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly run: AnswerRun;
  readonly before: PeriodBefore;
  readonly message: PostedMessage;
  /** The variant that Slack accepted. */
  readonly variant: number;
  /** Throws if the asker no longer has the same rights in the same conversation. */
  readonly lookAgain: () => Promise<unknown>;
}

/**
 * Waits for the period before of a posted answer, and edits the answer once. Nothing here ever posts. An edit that a stop
 * interrupts is not made, because the message is complete without it. Never throws.
 */
export async function addChanges(
  answer: PostedAnswer,
  parts: SendParts,
  stopping: AbortSignal,
): Promise<void> {
  const { result, before, run } = answer;
  const { store, log } = parts;
  const stop = () => before.stop();
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  /** Before the edit, because Details may be pressed as soon as the message has changes. False after an erasure. */
  const save = async (changed: ReportResult) => {
    const kept = keptAnswer(run.asker.id, changed, parts.smallestGroup);
    const isWanted = await store.answerTotals.addChanges(run.id, kept?.totals);
    if (isWanted && kept?.recent) parts.recentAnswers.set(run.id, kept.recent);
    return isWanted;
  };
  try {
    const figures = await before.within(maxWaitForBeforeMs).catch(async (error: unknown) => {
      await save({ ...result, before: 'late' });
      throw error;
    });
    const changed: ReportResult = { ...result, before: figures ?? 'late' };
    if ((await save(changed)) && !stopping.aborted) await edit(changed, answer, parts);
  } catch (err) {
    if (stopping.aborted) return;
    logFailure(err, { requestId: run.id, report: result.request.report }, notEdited, log, 'info');
  } finally {
    stopping.removeEventListener('abort', stop);
    stop();
  }
}

async function edit(
  result: ReportResult,
  { run, message: { channel, ts }, variant, lookAgain }: PostedAnswer,
  parts: SendParts,
) {
  const variants = summaryVariants(summaryInputOf(result, run, parts));
  const withoutChanges = summaryVariants(summaryInputOf({ ...result, before: 'not-yet' }, run, parts));
  if (JSON.stringify(variants) === JSON.stringify(withoutChanges)) return;
  await lookAgain();
  const [fullest] = variants;
  const accepted = [variants[variant] ?? fullest, ...variants.slice(variant + 1)] as const;
  const { outcome } = await deliver(accepted, { channel, edits: ts }, parts, { lookAgain });
  if (outcome.kind !== 'posted') parts.log.info({ requestId: run.id, code: outcome.code }, notEdited);
}

const notEdited = 'An answer was not edited, so it has no changes';
