import { askedEvent, type RequestFacts, type RequestOutcome, recordEvent } from '../../access/record.js';
import { AccessRefused, levelForReport, summaryFits } from '../../access/scope.js';
import { KnownError } from '../../errors/known-error.js';
import { retryWrite } from '../../posts/post.js';
import { detailsPostId } from '../../posts/states.js';
import { Cancelled } from '../../reporting-api/errors.js';
import { randomId } from '../../store/database.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { requestForReader } from '../delivery/answer-run.js';
import {
  AccessChanged,
  AnswerNotPosted,
  deliver,
  type PostOutcome,
  Stopping,
} from '../delivery/post-message.js';
import { type Progress, replyDestination } from '../delivery/progress.js';
import type { ListenerParts } from '../listeners/context.js';
import { detailsStateMessage, detailsVariants } from '../messages/details.js';
import { describeFailure } from '../messages/failures.js';
import { failureMessage, notice } from '../messages/notices.js';
import { resolveConversation } from '../request-context.js';
import {
  type DetailsPress,
  DetailsRefused,
  type DetailsRun,
  detailsOf,
  type LaterProgress,
  type MadeDetails,
  scopeInPlace,
} from './make.js';

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
    const refusal = describeFailure(
      new AccessRefused({ kind: 'nothing', admins: access.admins }, level),
      entry.id,
    );
    return reply(failureMessage(refusal, undefined));
  }
  const conversation = await resolveConversation(context, parts);
  const make: MakeDetails = async (run) => {
    const made = await detailsOf(press, run, parts);
    const reader = { choseFilters: entry.choseFilters, level, conversation };
    const request = requestForReader(made.result.request, reader);
    return { ...made, result: { ...made.result, request }, isDirect: conversation.kind === 'direct' };
  };
  const record = ({ scope, me }: MadeDetails) => recordPress(press, { level, scope }, me, parts);
  if (conversation.kind === 'elsewhere' || root === undefined) {
    return showPrivately(press, make, record, parts);
  }
  const { ledger } = parts.store;
  const state = await ledger.beginDetails(entry.id, context.channel, parts.clock.now(), { again });
  if (state !== 'begun') return reply(detailsStateMessage(state, entry.id, root));
  return postDetails(press, root, make, record, parts);
}

/** Details with where they are read. */
interface PlacedDetails extends MadeDetails {
  readonly isDirect: boolean;
}

type MakeDetails = (run: DetailsRun) => Promise<PlacedDetails>;
type RecordDetails = (made: MadeDetails) => Promise<void>;

function laterProgress(): LaterProgress {
  let begun: Progress | undefined;
  return {
    begin(progress) {
      begun = progress;
    },
    finishFor: async (channel) => begun?.finishFor(channel),
    markReplaced: () => begun?.markReplaced(),
    remove: async () => begun?.remove(),
  };
}

async function postDetails(
  press: DetailsPress,
  root: string,
  make: MakeDetails,
  record: RecordDetails,
  parts: ListenerParts,
): Promise<void> {
  const { entry, context, reply } = press;
  const { channel } = context;
  const { ledger } = parts.store;
  const held = { id: detailsPostId(entry.id), worker: null };
  const progress = laterProgress();
  let outcome: PostOutcome;
  let variants: ReturnType<typeof detailsVariants> | undefined;
  try {
    const destination = { kind: 'message', channel, thread: root } as const;
    const made = await make({ id: held.id, destination, progress });
    const isStillAllowed = async () => {
      const known = await resolveConversation(context, parts);
      // Only a channel with an approval can lose it.
      const place = known.personLevel === 'allowed' ? await resolveConversation(context, parts, true) : known;
      return summaryFits(made.scope, await scopeInPlace(made.scope, entry, place, parts));
    };
    if (!(await isStillAllowed())) throw new AccessChanged();
    variants = variantsOf(made, entry);
    const replaces = await progress.finishFor(channel);
    if (!(await ledger.markPosting(held))) return await progress.remove();
    await record(made);
    const { refused, client } = parts;
    const posting = deliver(
      variants.slice(refused.firstVariant()),
      { kind: 'channel', channel, thread: root, replaces },
      client,
      { isStillAllowed },
    );
    const delivery = await posting;
    outcome = delivery.outcome;
    if (outcome.kind !== 'not-posted' && delivery.isEdit) progress.markReplaced();
    await progress.remove();
    if (outcome.kind === 'not-posted') throw new AnswerNotPosted(outcome.code);
  } catch (error) {
    await progress.remove();
    const code = error instanceof KnownError ? error.code : 'unexpected';
    await saveEnd(ledger.markFailed(held, { code }, parts.clock.now()), press, parts);
    // Slack takes no message in this thread, such as in a channel that is read-only by now.
    if (error instanceof AnswerNotPosted && variants) return sendPrivately(variants, press);
    return replyFailure(error, press, parts);
  }
  // From here on Slack has the message, or may have it. Whatever fails now, it is not posted again.
  const at = parts.clock.now();
  if (outcome.kind === 'unknown') {
    const { code } = outcome;
    await saveEnd(
      retryWrite(() => ledger.markUnconfirmed(held, { code }, at)),
      press,
      parts,
    );
    return reply(detailsStateMessage('unknown', entry.id, root));
  }
  const message = { channel: outcome.channel, ts: outcome.ts };
  const item = {
    kind: 'message',
    channel: message.channel,
    item: message.ts,
    root: { channel, ts: root },
    // The message of a digest is the first of its thread. What is below it goes with it, however late it comes.
    isOfDigest: entry.message?.ts === root,
  } as const;
  await saveEnd(
    retryWrite(() => ledger.markPosted(held, { message, fileFollows: false, item }, at)),
    press,
    parts,
  );
}

/** If the end cannot be saved, the next start finds the post and decides. */
async function saveEnd(
  end: Promise<boolean>,
  { entry }: DetailsPress,
  { log }: ListenerParts,
): Promise<void> {
  await end.catch((err: unknown) =>
    log.error({ err, requestId: entry.id }, 'The end of the details of an answer could not be saved'),
  );
}

/** Shows them to the person who pressed alone, as often as they press. */
async function showPrivately(
  press: DetailsPress,
  make: MakeDetails,
  record: RecordDetails,
  parts: ListenerParts,
): Promise<void> {
  const { entry, context } = press;
  const { responseUrl, channel } = context;
  const progress = laterProgress();
  try {
    const destination = responseUrl ? replyDestination(responseUrl) : ({ kind: 'message', channel } as const);
    const made = await make({ id: randomId(), destination, progress });
    await progress.remove();
    await record(made);
    await sendPrivately(variantsOf(made, entry), press);
  } catch (error) {
    await progress.remove();
    await replyFailure(error, press, parts);
  }
}

function variantsOf(made: PlacedDetails, { asker, post, id }: RequestLogEntry) {
  return detailsVariants({ ...made, askedBy: asker, isDigest: post !== id });
}

async function sendPrivately(
  variants: ReturnType<typeof detailsVariants>,
  { context: { responseUrl }, reply }: DetailsPress,
): Promise<void> {
  const [full] = variants;
  // Slack's reply does not say which blocks it refuses, and a response URL has few uses.
  if (responseUrl?.isOpen() && (await responseUrl.toAsker(full)).kind !== 'not-posted') return;
  await reply(variants.at(-1) ?? full);
}

async function replyFailure(error: unknown, { entry, reply }: DetailsPress, { log }: ListenerParts) {
  if (error instanceof DetailsRefused) return reply(notice(error.message));
  if (error instanceof Cancelled && !(error instanceof Stopping))
    return reply(notice('Cancelled. Press Details to start again.'));
  const { report } = entry.request;
  if (error instanceof KnownError)
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
