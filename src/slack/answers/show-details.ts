import { setTimeout as wait } from 'node:timers/promises';
import type { PeopleSet } from '../../access/people-set.js';
import { askedEvent, type RequestOutcome, recordEvent } from '../../access/record.js';
import { levelForReport, narrowedTo, type Scope, type ScopeLimits, summaryFits } from '../../access/scope.js';
import { hasLearners, reportNamed } from '../../catalogue/index.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { formatTitle, type ResultWithFigures } from '../../figures/summary/request.js';
import { randomId } from '../../logging/logger.js';
import { OutcomeNotSaved } from '../../posts/post.js';
import { detailsPostId } from '../../posts/states.js';
import { maxClockDifferenceMs } from '../../reporting-api/shared-answers.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import { type Asker, requestsIn } from '../../requests/request.js';
import { resultOf } from '../../runner/answer-parts.js';
import type { RunOrigin } from '../../runner/ports.js';
import { startComparedReport, withPeriodBefore } from '../../runner/run-report.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { logFailure } from '../context/notify-asker.js';
import { type Conversation, type PlacedContext, resolveConversation } from '../context/request-context.js';
import {
  deliver,
  EndedElsewhere,
  type MessageVariants,
  type OutgoingMessage,
  postOnce,
} from '../delivery/post-message.js';
import type { People } from '../directory/people.js';
import { detailsStateMessage, detailsVariants, peopleInDetails } from '../messages/details.js';
import { describeFailure } from '../messages/failures.js';
import { failureMessage, notice } from '../messages/notices.js';
import {
  accessRefused,
  answerRightsOf,
  endPost,
  recentMs,
  releasedNow,
  requestForReader,
} from './answer-run.js';
import type { ListenerParts } from './context.js';
import { replyDestination, showProgress } from './progress.js';
import { detailsOfScorecard } from './scorecard-details.js';
import { maxWaitForBeforeMs } from './send-answer.js';

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

type Person = Awaited<ReturnType<People['find']>>;

/** The person who pressed gets no details. */
const refused = (sentence: string) => new Failure('asker-refused', { sentence });

const namesNotAllowed =
  'This answer names people, and names are no longer allowed in this channel. Ask again to get it in your direct messages.';
const notAskable =
  'The figures of this answer are no longer stored, and its owner may not ask for them now. Ask for the report yourself.';

/** How often details that wait for the changes of their answer look for them. */
const lookIntervalMs = 500;

/**
 * Puts the details of an answer into its thread, once, even if several people press. If the bot cannot post, the person who
 * pressed gets them alone. They show what the answer above could show, and never more than the place may get now.
 */
export async function showDetails(
  { entry, context, root, again, reply }: DetailsPress,
  parts: ListenerParts,
): Promise<void> {
  const { request, range, asker: owner } = entry;
  const { asker: presser, channel, conversation, responseUrl } = context;
  const { store, people, clock, log } = parts;
  const report = reportNamed(request.report);
  const thread = conversation.kind === 'elsewhere' ? undefined : root;
  const id = thread === undefined ? randomId() : detailsPostId(entry.id);

  const recordPress = (outcome: RequestOutcome, me?: string) => {
    const facts = { person: presser, place: channel, request, origin: 'details', me, days: range } as const;
    return recordEvent(store.events, askedEvent({ ...facts, at: clock.now() }, outcome), log);
  };

  const replyFailure = (error: unknown) => {
    if (isFailure(error, 'cancelled')) return reply(notice('Cancelled. Press Details to start again.'));
    if (!isFailure(error, 'asker-refused', 'access-refused'))
      logFailure(
        error,
        { requestId: entry.id, report: request.report },
        'The details of an answer failed',
        log,
      );
    return reply(failureMessage(describeFailure(error, entry.id, { choseFilters: false }), undefined));
  };

  // A scorecard shows the lines that its reader has a level for.
  const reports = [...new Set(requestsIn(request).map((one) => one.report))];
  const levels = await Promise.all(reports.map((name) => parts.access.accessOf(presser, name)));
  const access =
    levels.find(
      (one, index) => levelForReport({ report: reports[index] ?? request.report }, one) !== 'nothing',
    ) ?? (await parts.access.accessOf(presser, request.report));
  const level = levelForReport(request, access);
  if (level === 'nothing') {
    await recordPress({ level, refused: 'nothing' });
    return replyFailure(accessRefused({ kind: 'nothing', admins: access.admins }, level));
  }
  if (thread !== undefined) {
    const state = await store.ledger.beginDetails(entry.id, channel, clock.now(), again);
    if (state !== 'begun') return reply(detailsStateMessage(state, entry.id, thread));
  }
  const destination =
    thread === undefined && responseUrl
      ? replyDestination(responseUrl)
      : ({ kind: 'message', channel, thread } as const);
  const progress = showProgress(id, () => formatTitle({ report, request }), destination, parts);

  /** A scope, limited to what a conversation may show now. */
  async function scopeIn({ kind, personLevel }: Conversation, scope: Scope): Promise<Scope> {
    if (kind === 'direct' || personLevel === 'allowed') return scope;
    if (requestIsPersonLevel(request, await releasedNow(parts))) throw refused(namesNotAllowed);
    const least = hasLearners(report) ? parts.smallestGroup : 1;
    return { ...scope, smallestGroup: Math.max(scope.smallestGroup, least), namesPeople: false };
  }

  /** Does work that may take long, among the other requests of the person who pressed. They can cancel it. */
  function inTurn<Made>(work: (signal: AbortSignal) => Promise<Made>) {
    return parts.running.inTurn(id, presser, thread !== undefined, work);
  }

  /**
   * Takes the figures of the answer, stored or in memory, or runs the report again for the same dates. `isNewRun`: true
   * where it was run again, because they are no longer known.
   */
  async function makeDetails(person: Person) {
    const { scope: earlier, totals } = (await store.answerTotals.find(entry.id)) ?? {};
    const fitsNow =
      totals &&
      earlier &&
      leavesOutNow(totals, earlier) &&
      summaryFits(earlier, await scopeIn(conversation, earlier));
    if (fitsNow) {
      const findStored = async () => (await store.answerTotals.find(entry.id))?.totals;
      const result = resultOf(request, await withChanges(totals, findStored), earlier);
      return { result, scope: earlier, isNewRun: false };
    }
    const { asker, scope } = await rightsOfOwner(person, earlier);
    const findRecent = async () => parts.recentAnswers.get(entry.id);
    const recent = await findRecent();
    if (recent && summaryFits(recent.scope, scope) && leavesOutNow(recent, scope)) {
      const result = await withChanges(recent, findRecent);
      // Its figures may be about an erased person, and about few others.
      const wasErased = await store.events.wasAnybodyErased(recent.requestedAt - maxClockDifferenceMs);
      if (!wasErased) return { result, scope: recent.scope, isNewRun: false };
    }
    return runAgain(asker, scope);
  }

  /** False if other people are left out now than when the answer was made. */
  function leavesOutNow({ figures }: Pick<ResultWithFigures, 'figures'>, scope: ScopeLimits) {
    const isOwn = scope.rows === 'self' || scope.asksForOwn === true;
    return isOwn || !hasLearners(report) || figures.leftOut?.list === parts.listOfLeftOut?.();
  }

  /** Details come once, so those of an answer that is still to be edited wait until it has its changes. */
  async function withChanges<Found extends Pick<ResultWithFigures, 'before'>>(
    first: Found,
    find: () => Promise<Found | undefined>,
  ): Promise<Found> {
    if (first.before !== 'not-yet') return first;
    return inTurn(async (signal) => {
      const { finishedAt = clock.now() } = entry;
      const postedForMs = Math.max(0, clock.now() - finishedAt);
      const until = performance.now() + maxWaitForBeforeMs - postedForMs;
      let found = first;
      while (found.before === 'not-yet' && performance.now() < until) {
        await wait(lookIntervalMs, undefined, { signal });
        found = (await find()) ?? found;
      }
      return found.before === 'not-yet' ? { ...found, before: 'late' } : found;
    });
  }

  /** What the person whose answer it is may see of it now, in this place, and no more than the answer showed. */
  async function rightsOfOwner(person: Person, earlier: ScopeLimits | undefined) {
    const { zone = parts.defaultZone, email } = person;
    const asker = { id: owner, zone: range?.zone ?? zone, email };
    if (person.standing !== 'member') throw refused(notAskable);
    const { scope: now } = await resolveConversation({ channel: conversation.channel, asker: owner }, parts)
      .then((theirs) => answerRightsOf(request, asker, theirs, parts))
      .catch((error: unknown) => {
        throw isFailure(error, 'access-refused') ? refused(notAskable) : error;
      });
    const { address } = await parts.access.accessOf(owner, request.report);
    const narrowed = earlier ? narrowedTo(earlier, now, address) : now;
    if (!narrowed) throw refused(notAskable);
    return { asker, scope: await scopeIn(conversation, narrowed) };
  }

  async function runAgain(asker: Asker, scope: Scope) {
    const isRecent = scope.namesPeople && clock.now() - entry.requestedAt < recentMs;
    return inTurn(async (signal) => {
      const options = {
        asker,
        requestedAt: isRecent ? entry.requestedAt : clock.now(),
        range,
        scope,
        urgency: 'person',
        signal,
        onRecords: progress.records,
        onWait: progress.waits,
      } as const;
      const origin = await originOf(entry, parts);
      const started = await startComparedReport(request, options, origin, parts);
      const { figures, ...rest } = await withPeriodBefore(started);
      if (!figures) throw new Error('Details need figures');
      return { result: { ...rest, figures }, scope, isNewRun: !isRecent };
    });
  }

  async function post(
    variants: MessageVariants,
    thread: string,
    assertAllowed: (place: Conversation) => Promise<void>,
    sent: Parameters<typeof postOnce>[0]['sent'],
    record: () => Promise<void>,
  ) {
    const lookAgain = async () => {
      const known = await resolveConversation(context, parts);
      // Only a channel with an approval can lose it.
      const place = known.personLevel === 'allowed' ? await resolveConversation(context, parts, true) : known;
      await assertAllowed(place);
    };
    await lookAgain();
    const posted = await postOnce(
      {
        claim: { id, worker: null },
        sent,
        async send() {
          await record();
          return (await deliver(variants, { channel, thread, progress }, parts, { lookAgain })).outcome;
        },
        posted(message) {
          // The message of a digest is the first of its thread. What is below it goes with it, however late it comes.
          const isOfDigest = entry.message?.ts === thread;
          const item = { kind: 'message', channel: message.channel, item: message.ts } as const;
          return {
            message,
            fileFollows: false,
            item: { ...item, root: { channel, ts: thread }, isOfDigest },
          };
        },
      },
      parts,
    );
    if (posted.kind === 'unknown') await reply(detailsStateMessage('unknown', entry.id, thread));
  }

  async function sendPrivately(variants: MessageVariants) {
    const [full] = variants;
    // Slack's reply does not say which blocks it refuses, and a response URL has few uses.
    if (responseUrl?.isOpen() && (await responseUrl.toAsker(full)).kind !== 'not-posted') return;
    await reply(variants.at(-1) ?? full);
  }

  /** The people whom the details list, for the record. */
  function sentIn<Named extends { readonly people: PeopleSet }>(named: Named) {
    const place = conversation.kind === 'direct' ? ('direct' as const) : ('channel' as const);
    return { report: report.name, what: 'people' as const, ...named, recipient: presser, place };
  }

  let variants: MessageVariants | undefined;
  try {
    const person = await people.find(owner);
    if (request.scorecard) {
      const made = await detailsOfScorecard(
        { entry, conversation, presser, owner: person },
        { inTurn, progress },
        parts,
      );
      variants = made.variants;
      const sent = made.named && sentIn(made.named);
      if (thread !== undefined) return await post(variants, thread, made.assertAllowed, sent, made.record);
      await progress.remove();
      await made.record();
      if (sent) await store.sentRows.save({ ...sent, at: clock.now() });
      return await sendPrivately(variants);
    }
    const made = await makeDetails(person);
    const shown = requestForReader(request, { ...entry, level, conversation });
    const input = {
      ...made,
      result: { ...made.result, request: shown },
      isDirect: conversation.kind === 'direct',
      askedBy: owner,
      isDigest: entry.post !== entry.id,
    };
    variants = detailsVariants(input);
    const named = peopleInDetails(input, variants);
    const sent = named && sentIn(named);
    const record = () => recordPress({ level, scope: made.scope }, person.email);
    const { scope } = made;
    const assertAllowed = async (place: Conversation) => {
      if (!summaryFits(scope, await scopeIn(place, scope))) throw new Failure('access-changed');
    };
    if (thread !== undefined) return await post(variants, thread, assertAllowed, sent, record);
    await progress.remove();
    await record();
    if (sent) await store.sentRows.save({ ...sent, at: clock.now() });
    await sendPrivately(variants);
  } catch (error) {
    await progress.remove();
    if (error instanceof EndedElsewhere) return;
    if (error instanceof OutcomeNotSaved)
      return log.error({ err: error, requestId: entry.id }, error.message);
    if (thread !== undefined) await endPost(id, error, parts);
    // Slack takes no message in this thread, such as in a channel that is read-only by now.
    if (isFailure(error, 'answer-not-posted') && variants) return sendPrivately(variants);
    await replyFailure(error);
  }
}

/** Details are compared with what their answer was compared with. */
async function originOf(
  { post, channel }: RequestLogEntry,
  { store: { ledger } }: ListenerParts,
): Promise<RunOrigin> {
  const run = await ledger.find(post);
  return run ? { kind: 'digest', id: run.digest } : { kind: 'asker', channel };
}
