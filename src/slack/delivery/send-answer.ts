import { fieldOf } from '../../catalogue/index.js';
import { KnownError } from '../../errors/known-error.js';
import { filePostId } from '../../posts/states.js';
import { formatRequest } from '../../requests/parse-request.js';
import { columnIsPersonLevel, type ReleasedKeys, requestIsPersonLevel } from '../../requests/person-level.js';
import { csvName, type ReportResult } from '../../runner/run-report.js';
import type { PostPlace } from '../../store/ledger/posts.js';
import type { AnswerParts, RequestContext } from '../answer-request.js';
import { escaped } from '../markup.js';
import { describeFailure } from '../messages/failures.js';
import {
  answerNotSavedMessage,
  answerSentDirectlyMessage,
  failureMessage,
  fileNotAMemberMessage,
  fileSentDirectlyMessage,
  unconfirmedAnswerMessage,
} from '../messages/notices.js';
import { summaryVariants } from '../messages/summary.js';
import { notifyAsker } from './notify-asker.js';
import {
  AnswerNotPosted,
  deliver,
  EndedElsewhere,
  FileNotShared,
  type PostOutcome,
  surely,
} from './post-message.js';
import type { Progress } from './progress.js';
import type { Route } from './route.js';
import type { FileDestination } from './upload.js';

type Variants = ReturnType<typeof summaryVariants>;

export interface SendFacts {
  readonly askId: string;
  readonly route: Route;
  readonly released: ReleasedKeys;
  /** The direct messages with the asker, where something may go there from elsewhere. */
  readonly direct: string | undefined;
  readonly progress: Progress;
}

/**
 * Sends an answer: the summary where its route leads, then its file. A summary that stands is an answer, also where its
 * file fails: the asker is told, and presses CSV for another try. The ledger says before each of the two that it is
 * about to be posted, and after it what became of it.
 *
 * @throws AnswerNotPosted; FileNotShared where the file alone was asked for; EndedElsewhere; nothing after a post
 */
export async function sendAnswer(
  result: ReportResult,
  order: RequestContext,
  facts: SendFacts,
  parts: AnswerParts,
): Promise<void> {
  const { askId } = facts;
  if (order.fileInto !== undefined) {
    const summary = { channel: order.place.channel, ts: order.fileInto };
    await sendFile(result, order, facts, parts, askId, summary);
    await facts.progress.remove();
    return;
  }
  if (result.range) await parts.store.requestLog.saveRange(askId, result.range);
  const message = await sendSummary(result, order, facts, parts);
  if (message === 'no file') return;
  await sendFile(result, order, facts, parts, filePostId(askId), message).catch((error: unknown) =>
    fileFailed(error, order, facts, parts),
  );
}

/** The answer stands: only its file is missing, or nobody can know whether it is. */
async function fileFailed(
  error: unknown,
  order: RequestContext,
  { askId }: SendFacts,
  { store: { ledger }, clock, log, client }: AnswerParts,
): Promise<void> {
  log.warn({ err: error, ask: askId }, 'The file of an answer was not shared');
  if (error instanceof EndedElsewhere) return;
  const held = { id: filePostId(askId), worker: null };
  const why = { code: error instanceof KnownError ? error.code : 'unexpected' };
  const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
  const written = mayHaveArrived
    ? ledger.markUnconfirmed(held, why, clock.now())
    : ledger.markFailed(held, why, clock.now());
  await written.catch((err: unknown) => log.error({ err, ask: askId }, notWritten));
  const words = describeFailure(error, askId);
  await notifyAsker(failureMessage(words, undefined), order.asker.id, order.place, client);
}

/** Gives where the summary stands, undefined where Slack does not say; `no file`: nothing is to follow it. */
async function sendSummary(
  result: ReportResult,
  order: RequestContext,
  facts: SendFacts,
  parts: AnswerParts,
): Promise<PostPlace | undefined | 'no file'> {
  const { place, asker } = order;
  const { askId } = facts;
  const { store, clock, log, client } = parts;
  const held = { id: askId, worker: null };
  const variants = summaryFor(result, order, facts);
  if (!(await store.ledger.markPosting(held, { rows: result.rows, late: false }))) throw new EndedElsewhere();
  const { outcome, wentDirectly } = await deliverSomewhere(variants, order, facts, parts);
  if (outcome.kind === 'not-posted') throw new AnswerNotPosted(outcome.code);
  if (outcome.kind === 'unknown') {
    log.warn({ ask: askId, code: outcome.code }, 'Nobody can know whether an answer arrived');
    await surely(() => store.ledger.markUnconfirmed(held, { code: outcome.code }, clock.now())).catch(
      (err: unknown) => log.error({ err, ask: askId }, notWritten),
    );
    await notifyAsker(unconfirmedAnswerMessage(askId), asker.id, place, client);
    return 'no file';
  }
  const message = outcome.ts === '' ? undefined : { channel: outcome.channel, ts: outcome.ts };
  try {
    const fileFollows = result.csv !== undefined;
    await surely(() => store.ledger.markPosted(held, { message, fileFollows }, clock.now()));
  } catch (err) {
    log.error({ err, ask: askId }, notWritten);
    await notifyAsker(answerNotSavedMessage(result.csv !== undefined), asker.id, place, client);
    return 'no file';
  }
  if (wentDirectly) {
    await notifyAsker(answerSentDirectlyMessage(facts.route, place), asker.id, place, client, true);
  }
  return message;
}

const notWritten = 'What became of a post could not be written down';

/** Where the bot cannot enter, a refused or used-up way back leaves the direct messages. */
async function deliverSomewhere(
  variants: Variants,
  { place }: RequestContext,
  { askId, route, direct, progress }: SendFacts,
  { client, refused }: AnswerParts,
): Promise<{ outcome: PostOutcome; wentDirectly: boolean }> {
  const into = async (channel: string, thread?: string) => {
    const replaces = await progress.giveWay(channel);
    const destination = { kind: 'channel', channel, ...(thread ? { thread } : {}), replaces } as const;
    const first = refused.firstVariant();
    const { outcome, variant, isEdit } = await deliver(variants.slice(first), destination, client);
    // A progress message that could not be edited any more would say for ever that it is running.
    if (outcome.kind !== 'not-posted') await (isEdit ? progress.answered() : progress.remove());
    if (outcome.kind === 'posted') refused.posted(askId, first + variant);
    return outcome;
  };
  if (place.kind !== 'elsewhere' && (route.summary === 'here' || place.kind === 'direct')) {
    return { outcome: await into(place.channel, place.thread), wentDirectly: false };
  }
  if (route.summary === 'here' && place.responseUrl?.isOpen()) {
    await progress.giveWay(place.channel);
    const [full] = variants;
    // Each try is one of the few uses, so the variants in between are passed over.
    const destination = { kind: 'reply', responseUrl: place.responseUrl } as const;
    const { outcome } = await deliver([full, variants.at(-1) ?? full], destination, client);
    if (outcome.kind !== 'not-posted') return { outcome, wentDirectly: false };
  }
  return { outcome: await into(direct ?? place.channel), wentDirectly: true };
}

async function sendFile(
  result: ReportResult,
  order: RequestContext,
  facts: SendFacts,
  parts: AnswerParts,
  post: string,
  summary: PostPlace | undefined,
): Promise<void> {
  const { csv } = result;
  if (!csv) return;
  const { ledger } = parts.store;
  const held = { id: post, worker: null };
  const share = async (into: FileDestination) => {
    const mayBeShown = async () => {
      if (!(await ledger.markPosting(held))) throw new EndedElsewhere();
      return into;
    };
    await parts.share({ ...file, into: mayBeShown });
    // Slack has it: what cannot be written down is no failure to tell of.
    await surely(() => ledger.markPosted(held, { fileFollows: false }, parts.clock.now())).catch(
      (err: unknown) => parts.log.error({ err, ask: facts.askId }, notWritten),
    );
  };
  const { place, asker } = order;
  const named = facts.route.csv === 'direct' || holdsPersonLevel(result, order, facts.released);
  const isDirect = place.kind === 'direct' || summary?.channel === facts.direct;
  const file = { path: csv.path, bytes: csv.bytes, name: csvName(result), title: csvName(result) };
  if (summary && (isDirect || (place.kind === 'member' && !named))) {
    await share({ channel: summary.channel, thread: place.thread ?? summary.ts });
    return;
  }
  await share({
    channel: facts.direct ?? place.channel,
    comment: `The file for ${escaped(commandOf(order))}`,
  });
  const notice = named ? fileSentDirectlyMessage(place) : fileNotAMemberMessage();
  await notifyAsker(notice, asker.id, place, parts.client, true);
}

function summaryFor(result: ReportResult, order: RequestContext, { askId, route, released }: SendFacts) {
  const { figures } = result;
  const isDirect = route.summary === 'direct' || order.place.kind === 'direct';
  if (!figures) throw new Error('An answer without figures has no summary');
  return summaryVariants({
    facts: { ...result, figures },
    command: commandOf(order),
    askedBy: order.asker.id,
    remarks: [],
    withPeople: isDirect,
    buttons: [
      { kind: 'csv', value: askId },
      { kind: 'change', value: askId },
      { kind: 'save', value: askId },
      { kind: 'schedule', value: askId },
      ...(isDirect && !requestIsPersonLevel(order.request, released)
        ? [{ kind: 'share', value: askId } as const]
        : []),
      { kind: 'meanings', value: result.report.name },
    ],
  });
}

/** True when a file turns out to hold, in the members of nested objects, what only some places may get. */
export function holdsPersonLevel(
  { report, csv }: Pick<ReportResult, 'report' | 'csv'>,
  { place }: Pick<RequestContext, 'place'>,
  released: ReleasedKeys,
): boolean {
  if (place.personLevel === 'allowed') return false;
  return (csv?.columns ?? []).some(({ flag, member, holdsObjects }) => {
    const field = fieldOf(report, flag);
    return !field || holdsObjects || columnIsPersonLevel(field, member, released);
  });
}

/** The command as typed, or the words that ask the same. */
export function commandOf({ typed, request }: Pick<RequestContext, 'typed' | 'request'>): string {
  return `/report ${typed ?? formatRequest(request)}`;
}
