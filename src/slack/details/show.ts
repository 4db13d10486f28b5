import { askedEvent, type RequestFacts, type RequestOutcome, recordEvent } from '../../access/record.js';
import { levelForReport, summaryFits } from '../../access/scope.js';
import { reportNamed } from '../../catalogue/index.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { formatTitle } from '../../figures/format/request.js';
import { OutcomeNotSaved, type PostedMessage } from '../../posts/post.js';
import { detailsPostId } from '../../posts/states.js';
import { randomId } from '../../store/database.js';
import { requestForReader } from '../delivery/answer-run.js';
import { deliver, EndedElsewhere, postOnce } from '../delivery/post-message.js';
import {
  type Progress,
  type ProgressDestination,
  replyDestination,
  showProgress,
} from '../delivery/progress.js';
import type { ListenerParts } from '../listeners/context.js';
import { describeAccessRefusal } from '../messages/access-levels.js';
import { detailsStateMessage, detailsVariants } from '../messages/details.js';
import { describeFailure } from '../messages/failures.js';
import { failureMessage, notice } from '../messages/notices.js';
import { type RequestContext, resolveConversation } from '../request-context.js';
import { type DetailsPress, DetailsRefused, detailsOf, type MadeDetails, scopeInPlace } from './make.js';

/**
 * Puts the details of an answer into its thread, once, even if several people press. If the bot cannot post, the person who
 * pressed gets them alone. They show what the answer above could show, and never more than the place may get now.
 */
export async function showDetails(press: DetailsPress, parts: ListenerParts): Promise<void> {
  const { entry, context, root, again, reply } = press;
  const access = await parts.access.accessOf(context.asker, entry.request.report);
  const level = levelForReport(entry.request, access);
  if (level === 'nothing') {
    await recordPress(press, { level, refused: 'nothing' }, undefined, parts);
    const refusal = { kind: 'nothing', admins: access.admins } as const;
    const failure = describeFailure(
      new Failure('access-refused', { refusal, level, sentence: describeAccessRefusal(refusal) }),
      entry.id,
    );
    return reply(failureMessage(failure, undefined));
  }
  const { conversation } = context;
  const thread = conversation.kind === 'elsewhere' ? undefined : root;
  if (thread !== undefined) {
    const at = parts.clock.now();
    const state = await parts.store.ledger.beginDetails(entry.id, context.channel, at, { again });
    if (state !== 'begun') return reply(detailsStateMessage(state, entry.id, thread));
  }
  const id = thread === undefined ? randomId() : detailsPostId(entry.id);
  const { report } = entry.request;
  const title = formatTitle({ report: reportNamed(report), request: entry.request });
  const progress = showProgress(id, title, progressDestination({ ...context, thread }), parts);
  let variants: DetailsVariants | undefined;
  try {
    const made = await detailsOf(press, { id, conversation, progress }, parts);
    const request = requestForReader(made.result.request, { ...entry, level, conversation });
    variants = detailsVariants({
      ...made,
      result: { ...made.result, request },
      isDirect: conversation.kind === 'direct',
      askedBy: entry.asker,
      isDigest: entry.post !== entry.id,
    });
    const record = () => recordPress(press, { level, scope: made.scope }, made.me, parts);
    if (thread !== undefined)
      return await postDetails(press, thread, made, { id, variants, progress, record }, parts);
    await progress.remove();
    await record();
    await sendPrivately(variants, press);
  } catch (error) {
    await progress.remove();
    if (error instanceof EndedElsewhere) return;
    if (error instanceof OutcomeNotSaved)
      return parts.log.error({ err: error, requestId: entry.id }, error.message);
    if (thread !== undefined) await endFailedDetails(id, error, parts);
    // Slack takes no message in this thread, such as in a channel that is read-only by now.
    if (isFailure(error, 'answer-not-posted') && variants) return sendPrivately(variants, press);
    await replyFailure(error, press, parts);
  }
}

type DetailsVariants = ReturnType<typeof detailsVariants>;

/** @throws `answer-not-posted`, and what `postOnce` throws */
async function postDetails(
  { entry, context, reply }: DetailsPress,
  thread: string,
  made: MadeDetails,
  { id, variants, progress, record }: DetailsToPost,
  parts: ListenerParts,
): Promise<void> {
  const { channel } = context;
  const lookAgain = async () => {
    const known = await resolveConversation(context, parts);
    // Only a channel with an approval can lose it.
    const place = known.personLevel === 'allowed' ? await resolveConversation(context, parts, true) : known;
    if (!summaryFits(made.scope, await scopeInPlace(made.scope, entry, place, parts)))
      throw new Failure('access-changed');
  };
  const send = async (begin: () => Promise<void>) => {
    await begin();
    const replaces = await progress.finishFor(channel);
    const destination = { kind: 'channel', channel, thread, replaces } as const;
    const shown = variants.slice(parts.refused.firstVariant());
    const { outcome, isEdit } = await deliver(shown, destination, parts.client, { lookAgain });
    if (outcome.kind !== 'not-posted' && isEdit) progress.markReplaced();
    await progress.remove();
    return outcome;
  };
  // The message of a digest is the first of its thread. What is below it goes with it, however late it comes.
  const isOfDigest = entry.message?.ts === thread;
  const posted = (message: PostedMessage) => {
    const root = { channel, ts: thread };
    const item = { kind: 'message', channel: message.channel, item: message.ts, root, isOfDigest } as const;
    return { message, fileFollows: false, item };
  };
  const claim = { id, worker: null };
  const { outcome } = await postOnce({ claim, lookAgain, record, send, posted }, parts);
  if (outcome.kind === 'not-posted') throw new Failure('answer-not-posted', { reason: outcome.code });
  if (outcome.kind === 'unknown') await reply(detailsStateMessage('unknown', entry.id, thread));
}

interface DetailsToPost {
  /** Of the post. */
  readonly id: string;
  readonly variants: DetailsVariants;
  readonly progress: Progress;
  readonly record: () => Promise<void>;
}

async function endFailedDetails(
  id: string,
  error: unknown,
  { store, clock, log }: ListenerParts,
): Promise<void> {
  const code = isFailure(error) ? error.code : 'unexpected';
  await store.ledger
    .markFailed({ id, worker: null }, { code }, clock.now())
    // The next start finds the post and decides.
    .catch((err: unknown) => log.error({ err, post: id }, 'The end of details could not be saved'));
}

function progressDestination({
  responseUrl,
  channel,
  thread,
}: Pick<RequestContext, 'responseUrl' | 'channel' | 'thread'>): ProgressDestination {
  const isPrivate = thread === undefined && responseUrl;
  return isPrivate ? replyDestination(responseUrl) : { kind: 'message', channel, thread };
}

async function sendPrivately(
  variants: DetailsVariants,
  { context: { responseUrl }, reply }: DetailsPress,
): Promise<void> {
  const [full] = variants;
  // Slack's reply does not say which blocks it refuses, and a response URL has few uses.
  if (responseUrl?.isOpen() && (await responseUrl.toAsker(full)).kind !== 'not-posted') return;
  await reply(variants.at(-1) ?? full);
}

async function replyFailure(error: unknown, { entry, reply }: DetailsPress, { log }: ListenerParts) {
  if (error instanceof DetailsRefused) return reply(notice(error.message));
  if (isFailure(error, 'cancelled')) return reply(notice('Cancelled. Press Details to start again.'));
  const { report } = entry.request;
  if (isFailure(error))
    log.warn({ requestId: entry.id, code: error.code, report }, 'The details of an answer failed');
  else log.error({ err: error, requestId: entry.id }, 'The details of an answer failed unexpectedly');
  const failure = describeFailure(error, entry.id, { choseFilters: false });
  return reply(failureMessage(failure, undefined));
}

async function recordPress(
  { entry, context }: DetailsPress,
  outcome: RequestOutcome,
  me: string | undefined,
  { store, clock, log }: ListenerParts,
): Promise<void> {
  const { request, range } = entry;
  const facts: RequestFacts = {
    at: clock.now(),
    person: context.asker,
    place: context.channel,
    request,
    origin: 'details',
    me,
    days: range,
  };
  await recordEvent(store.events, askedEvent(facts, outcome), log);
}
