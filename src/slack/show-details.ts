import { setTimeout as wait } from 'node:timers/promises';
import { askedEvent, type RequestFacts, type RequestOutcome, recordEvent } from '../access/record.js';
import { levelForReport, narrowedTo, type Scope, type ScopeLimits, summaryFits } from '../access/scope.js';
import { hasLearners, reportNamed } from '../catalogue/index.js';
import { codeOf, Failure, isFailure } from '../errors/failure.js';
import { formatTitle, type ResultWithFigures } from '../figures/format/request.js';
import { withLogId } from '../logging/log-id.js';
import { OutcomeNotSaved, type PostedMessage } from '../posts/post.js';
import { detailsPostId } from '../posts/states.js';
import { requestIsPersonLevel } from '../requests/person-level.js';
import { type AnswerTotals, resultOf } from '../runner/answer-totals.js';
import type { RunOrigin } from '../runner/ports.js';
import { startComparedReport, withPeriodBefore } from '../runner/run-report.js';
import { randomId } from '../store/database.js';
import type { RequestLogEntry } from '../store/requests/request-log.js';
import { detailsShareMs, logFailure, maxWaitForBeforeMs, rowLimitOf } from './answer-report.js';
import { tooManyRequests } from './answer-request.js';
import { answerRightsOf, requestForReader } from './answer-rights.js';
import { deliver, EndedElsewhere, type OutgoingMessage, postOnce } from './delivery/post-message.js';
import {
  type Progress,
  type ProgressDestination,
  replyDestination,
  showProgress,
} from './delivery/progress.js';
import type { ListenerParts } from './listeners/context.js';
import { describeAccessRefusal } from './messages/access-levels.js';
import { detailsStateMessage, detailsVariants } from './messages/details.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';
import {
  type Conversation,
  type PlacedContext,
  type RequestContext,
  resolveConversation,
} from './request-context.js';

/** A press of *Details* under an answer. */
interface DetailsPress {
  readonly entry: RequestLogEntry;
  readonly context: PlacedContext;
  /** The `ts` of the first message of the answer's thread; absent where the answer has none. */
  readonly root: string | undefined;
  /** Their delivery is unconfirmed, and a person wants them sent again. */
  readonly again: boolean;
  /** Replies to the person who pressed alone. */
  readonly reply: (message: OutgoingMessage) => Promise<void>;
}

/** Details with the scope that they were made for. */
interface MadeDetails {
  readonly result: ResultWithFigures;
  readonly scope: Scope;
  /** True where the report was run again, because the totals of the answer are no longer kept. */
  readonly isNewRun: boolean;
  /** The address that `me` stands for in the request. */
  readonly me: string | undefined;
}

interface DetailsRun {
  /** The ID of the run, and of its post if it has one. */
  readonly id: string;
  readonly conversation: Conversation;
  readonly progress: Progress;
}

/** The person who pressed gets no details. The sentence says why. */
class DetailsRefused extends Error {}

const namesNotAllowed =
  'This answer names people, and names are no longer allowed in this channel. Ask again to get it in your direct messages.';
const notAskable =
  'The figures of this answer are no longer kept, and its owner may not ask for them now. Ask for the report yourself.';

/** How often details that wait for the changes of their answer look for them. */
const lookIntervalMs = 500;

/** Takes the totals of the answer, or runs the report again for the same dates. */
async function detailsOf(press: DetailsPress, run: DetailsRun, parts: ListenerParts): Promise<MadeDetails> {
  const { entry } = press;
  const { asker, request } = entry;
  const { conversation } = run;
  const kept = await parts.store.answerTotals.find(entry.id);
  const { email: me } = await parts.people.find(asker);
  if (kept?.scope && kept.totals) {
    const scope: Scope = kept.scope;
    const isCurrent = leavesOutNow(kept.totals, scope, entry, parts);
    if (isCurrent && summaryFits(scope, await scopeInPlace(scope, entry, conversation, parts))) {
      const totals =
        kept.totals.before === 'not-yet'
          ? await totalsWithChanges(press, kept.totals, run, parts)
          : kept.totals;
      return { result: resultOf(request, totals, scope), scope, isNewRun: false, me };
    }
  }
  return runAgain(press, kept?.scope, run, parts);
}

/** False if other people are left out now than when the answer was made. */
function leavesOutNow(
  { figures }: AnswerTotals,
  scope: Scope,
  { request }: RequestLogEntry,
  { listOfLeftOut }: ListenerParts,
): boolean {
  const isOwn = scope.rows === 'self' || scope.asksForOwn === true;
  if (isOwn || !hasLearners(reportNamed(request.report))) return true;
  return figures.leftOut?.list === listOfLeftOut?.();
}

/** A scope, limited to what the conversation may show now. @throws DetailsRefused */
async function scopeInPlace<Limits extends ScopeLimits>(
  scope: Limits,
  { request }: RequestLogEntry,
  { kind, personLevel }: Conversation,
  { store, smallestGroup }: ListenerParts,
): Promise<Limits> {
  if (kind === 'direct' || personLevel === 'allowed') return scope;
  const released = new Set((await store.approvals.releasedKeys()).map(({ subject }) => subject));
  if (requestIsPersonLevel(request, released)) throw new DetailsRefused(namesNotAllowed);
  const least = hasLearners(reportNamed(request.report)) ? smallestGroup : 1;
  return { ...scope, smallestGroup: Math.max(scope.smallestGroup, least), namesPeople: false };
}

/** Details come once, so those of an answer that is still to be edited wait until it has its changes. */
function totalsWithChanges(
  press: DetailsPress,
  kept: AnswerTotals,
  run: DetailsRun,
  parts: ListenerParts,
): Promise<AnswerTotals> {
  const { id, finishedAt } = press.entry;
  return withTurn(press, run, parts, async (signal) => {
    const postedForMs = finishedAt === undefined ? 0 : Math.max(0, parts.clock.now() - finishedAt);
    const until = performance.now() + maxWaitForBeforeMs - postedForMs;
    let totals = kept;
    while (totals.before === 'not-yet' && performance.now() < until) {
      await wait(lookIntervalMs, undefined, { signal });
      totals = (await parts.store.answerTotals.find(id))?.totals ?? totals;
    }
    return totals.before === 'not-yet' ? { ...totals, before: 'late' } : totals;
  });
}

/** Runs the report for the person whose answer it is, and shows no more than that answer. */
async function runAgain(
  press: DetailsPress,
  earlier: ScopeLimits | undefined,
  run: DetailsRun,
  parts: ListenerParts,
): Promise<MadeDetails> {
  const { entry } = press;
  const { request, range } = entry;
  const person = await parts.people.find(entry.asker);
  const zone = range?.zone ?? person.zone ?? parts.defaultZone;
  const asker = { id: entry.asker, zone, email: person.email };
  const scope = await scopeAgain(asker, entry, run.conversation, earlier, parts);
  const now = parts.clock.now();
  const isRecent = scope.namesPeople && now - entry.requestedAt < detailsShareMs;
  return withTurn(press, run, parts, async (signal) => {
    const started = await withLogId(run.id, async () =>
      startComparedReport(
        request,
        {
          asker,
          requestedAt: isRecent ? entry.requestedAt : now,
          range,
          rowLimit: isRecent ? rowLimitOf(request, {}) : undefined,
          maxSharedAgeMs: isRecent ? detailsShareMs : undefined,
          scope,
          urgency: 'person',
          signal,
          onRecords: run.progress.records,
          onWait: run.progress.waits,
        },
        await originOf(entry, parts),
        parts,
      ),
    );
    const { figures, ...rest } = await withPeriodBefore(started);
    if (!figures) throw new Error('Details need figures');
    return { result: { ...rest, figures }, scope, isNewRun: !isRecent, me: person.email };
  });
}

/** Details are compared with what their answer was compared with. */
async function originOf(
  { post, channel }: RequestLogEntry,
  { store: { ledger } }: ListenerParts,
): Promise<RunOrigin> {
  const run = await ledger.find(post);
  return run ? { kind: 'digest', id: run.digest } : { kind: 'asker', channel };
}

/** Does work that may take long, among the other requests of the person who pressed. They can cancel it. */
async function withTurn<Made>(
  { entry, context: { asker } }: DetailsPress,
  { id }: DetailsRun,
  parts: ListenerParts,
  work: (signal: AbortSignal) => Promise<Made>,
): Promise<Made> {
  const release = parts.running.reserve(asker);
  if (!release) throw new DetailsRefused(tooManyRequests);
  const signal = parts.running.begin(id, asker, id === detailsPostId(entry.id));
  parts.requestsChanged(asker);
  try {
    if (!signal) throw new Failure('stopped');
    await parts.running.turn(id);
    return await work(signal);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    parts.running.end(id);
    release();
    parts.requestsChanged(asker);
  }
}

/** @throws DetailsRefused */
async function scopeAgain(
  asker: { readonly id: string; readonly zone: string; readonly email?: string | undefined },
  entry: RequestLogEntry,
  conversation: Conversation,
  earlier: ScopeLimits | undefined,
  parts: ListenerParts,
): Promise<Scope> {
  const { channel } = conversation;
  const standing = (await parts.people.find(asker.id)).standing;
  if (standing !== 'member') throw new DetailsRefused(notAskable);
  const access = await parts.access.accessOf(asker.id, entry.request.report);
  try {
    const theirs = await resolveConversation({ channel, asker: asker.id }, parts);
    const { scope } = await answerRightsOf(entry.request, asker, theirs, false, parts);
    const narrowed = earlier ? narrowedTo(earlier, scope, access.address) : scope;
    if (!narrowed) throw new DetailsRefused(notAskable);
    return await scopeInPlace(narrowed, entry, conversation, parts);
  } catch (error) {
    throw isFailure(error, 'access-refused') ? new DetailsRefused(notAskable) : error;
  }
}

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
  const code = codeOf(error);
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
  logFailure(error, { requestId: entry.id, report }, 'The details of an answer failed', log);
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
