import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AccessEvent,
  askedEvent,
  eventNotWritten,
  type RequestFacts,
  recordEvent,
  sharedEvent,
} from '../access/record.js';
import { fileFits, summaryFits } from '../access/scope.js';
import { reportNamed } from '../catalogue/index.js';
import { codeOf, Failure, isFailure } from '../errors/failure.js';
import { formatTitle } from '../figures/format/request.js';
import { maskPeople } from '../requests/person-level.js';
import type { ReportRequest } from '../requests/request.js';
import type { RecentLooks } from '../runner/daily-look.js';
import type { PeriodBefore, ReportResult } from '../runner/run-report.js';
import { RecordedElsewhere } from '../store/requests/request-log.js';
import {
  addChanges,
  logFailure,
  type PostedAnswer,
  type ReportOptions,
  saveFiguresAndSuggestions,
  startAnswerReport,
} from './answer-report.js';
import {
  type AnswerRights,
  type AnswerRun,
  answerRightsOf,
  areSameRights,
  commandOf,
  goesDirectly,
  needsFreshLook,
  type RequestedRun,
  responseUrlOf,
  rightsToSend,
  type SendParts,
} from './answer-rights.js';
import { type AskPurposeParts, askForPurpose, commandToRepeat, lacksPurpose } from './ask-purpose.js';
import { notifyAsker } from './delivery/notify-asker.js';
import { EndedElsewhere } from './delivery/post-message.js';
import {
  type EditBudget,
  type Progress,
  type ProgressParts,
  progressDestination,
  showProgress,
} from './delivery/progress.js';
import { sendAnswer } from './delivery/send-answer.js';
import { allowedInstead } from './messages/choices.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';
import {
  type Conversation,
  type MemberContext,
  resolveConversation,
  unresolvedConversation,
} from './request-context.js';
import { maxRunningRequests, maxWaitingRequests, type RunningRequests } from './running-requests.js';

/** What buttons, forms, saved reports and digests add to a request. */
export interface AnswerOptions extends ReportOptions {
  /** The asker's rights, if they were resolved just now. They are resolved again before anything is sent. */
  readonly rights?: AnswerRights | undefined;
  /** The `ts` of a summary: only the file is wanted, in the thread of that message. */
  readonly fileInto?: string;
  /** IANA zone that ranges follow; absent: the asker's. */
  readonly zone?: string;
  /** The Slack user ID that `me` means; absent: the asker. */
  readonly me?: string;
  /** False if somebody else chose the filters of the request. Messages to the asker then do not quote them. */
  readonly choseFilters?: boolean;
  /** True for *Share to channel*. */
  readonly isShare?: boolean;
  /** True for the test of a digest: it is posted once with everything in it, as the digest is. */
  readonly isTest?: boolean;
}

/** A report is made again at most this often when rights change meanwhile. */
const maxAttempts = 3;

/**
 * How long an answer waits for the period before, in milliseconds: one that is edited later, one through a response URL,
 * and the test of a digest, which waits as long as the digest.
 */
const maxWaitMs = { edited: 150, replied: 5_000, test: 20_000 } as const;

/**
 * Answers a request: runs the report, and posts the answer once. Never throws:
 * the asker alone is notified of failures, and nothing of a failed answer stays on disk.
 */
export async function answerRequest(
  request: ReportRequest,
  context: MemberContext,
  parts: AnswerParts,
  options: AnswerOptions = {},
): Promise<void> {
  const { asker, requestId: id, takenOver } = context;
  let conversation = context.conversation ?? unresolvedConversation(context);
  const release = parts.running.reserve(asker, takenOver !== undefined);
  let posted: PostedAnswer | undefined;
  try {
    conversation =
      options.rights?.conversation ?? context.conversation ?? (await resolveConversation(context, parts));
    const run = await newRun(conversation, context, options, parts);
    const asking = { request, run, context, options, parts, startedAt: performance.now() };
    if (!release) {
      const refused = askedEvent(factsOf(asking), { refused: 'too-many-requests' });
      await recordEvent(parts.store.events, refused, parts.log);
      await notifyAsker(notice(tooManyRequests), asker, conversation, parts.client);
      return;
    }
    const rights = options.rights ?? (await findRights(asking));
    if (!('failure' in rights) && lacksPurpose(request, parts))
      return await askForPurpose(commandToRepeat(request, context), context, parts);
    posted = await answer(asking, rights);
  } catch (error) {
    if (error instanceof RecordedElsewhere)
      return parts.log.warn({ id }, 'Another process has a request in hand, so it is not run here');
    parts.log.error({ err: error, id }, 'A request could not be started');
    const message = failureMessage(describeFailure(error, id), undefined);
    await notifyAsker(message, asker, conversation, parts.client);
  } finally {
    release?.();
    parts.requestsChanged(asker);
  }
  const answered = posted;
  if (answered) await parts.running.follow((stopping) => addChanges(answered, parts, stopping));
}

export const tooManyRequests = `You have ${maxRunningRequests} requests running and ${maxWaitingRequests} waiting. Cancel one, or wait until one ends.`;

/** A request with what all steps of its answer need. */
interface Asking {
  readonly request: ReportRequest;
  readonly run: RequestedRun;
  readonly context: MemberContext;
  readonly options: AnswerOptions;
  readonly parts: AnswerParts;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
}

/** The asker has the time zone and the address for `me` that the options set. */
async function newRun(
  conversation: Conversation,
  { member, typed, requestId: id, takenOver }: MemberContext,
  { fileInto, choseFilters, me, zone = member.zone }: AnswerOptions,
  { clock, people }: AnswerParts,
): Promise<RequestedRun> {
  const email = me === undefined ? member.email : (await people.find(me)).email;
  const requestedAt = takenOver?.arrivedAt ?? clock.now();
  return {
    id,
    asker: { id: member.id, zone, email },
    requestedAt,
    conversation,
    typed,
    fileInto,
    choseFilters,
  };
}

/** The asker's rights, or the reason why nothing is sent. */
type FoundRights = AnswerRights | { readonly failure: unknown };

function findRights({ request, run, parts, options }: Asking): Promise<FoundRights> {
  const wantsFile = needsFile(request, options);
  return answerRightsOf(request, run.asker, run.conversation, wantsFile, parts).catch((failure: unknown) => ({
    failure,
  }));
}

function needsFile(request: ReportRequest, { fileInto }: AnswerOptions): boolean {
  return request.file !== undefined || fileInto !== undefined;
}

function factsOf({ request, run, options: { isShare, range }, parts }: Asking): RequestFacts {
  const { asker, conversation, fileInto } = run;
  const withoutFile = isShare ? 'share' : 'request';
  const origin = fileInto === undefined ? withoutFile : 'file-button';
  const at = parts.clock.now();
  return { at, person: asker.id, place: conversation.channel, request, origin, me: asker.email, days: range };
}

/** What has begun for a request, and must end with it. */
interface UnderWay {
  /** Undefined while the bot stops. */
  readonly signal: AbortSignal | undefined;
  /** Nothing is shown before it. */
  readonly recorded: Promise<void>;
  progress?: Progress;
  /** Undefined once its answer waits for it. */
  before?: PeriodBefore | undefined;
}

/**
 * Makes and sends an answer while the request is recorded.
 *
 * @returns the answer, if its changes come later
 * @throws what `record` throws
 */
async function answer(asking: Asking, rights: FoundRights): Promise<PostedAnswer | undefined> {
  const { request, run, options, parts } = asking;
  const { id, asker } = run;
  // A turn of the event loop later, when the queries have left.
  const recorded = nextTurn().then(() => record(asking, rights));
  const underWay: UnderWay = { signal: parts.running.begin(id, asker.id, recorded), recorded };
  recorded.then(
    () => parts.requestsChanged(asker.id),
    () => {},
  );
  try {
    return await makeAndSend(asking, rights, underWay);
  } catch (error) {
    try {
      await recorded;
    } catch (notRecorded) {
      await underWay.progress?.remove();
      countEnd(asking, 'failed', 0, codeOf(notRecorded));
      throw notRecorded;
    }
    await endFailed(error, asking, underWay);
    return undefined;
  } finally {
    underWay.before?.stop();
    try {
      if (needsFile(request, options)) await parts.files.remove(id);
    } finally {
      parts.running.end(id);
    }
  }
}

/**
 * Adds the request to the request log and the ledger, and to the record of access. All of it is one transaction, because
 * the disk takes longer than the rest.
 */
async function record(asking: Asking, rights: FoundRights): Promise<void> {
  const { request, run, context, options, parts } = asking;
  const { id, asker, requestedAt, conversation, fileInto, choseFilters } = run;
  const { store, log } = parts;
  const { channel } = conversation;
  const entry = { channel, asker: asker.id, request, range: options.range, requestedAt, choseFilters };
  const isTakenOver = context.takenOver !== undefined;
  const add = (event?: AccessEvent) =>
    store.requestLog.record(entry, fileInto === undefined ? 'answer' : 'file', id, { event, isTakenOver });
  if ('failure' in rights) {
    await add();
    if (!isFailure(rights.failure, 'access-refused')) return;
    const { level, refusal } = rights.failure.details;
    const refused = askedEvent({ ...factsOf(asking), post: id }, { level, refused: refusal.kind });
    return recordEvent(store.events, refused, log);
  }
  try {
    await add(askedEvent(factsOf(asking), rights));
  } catch (err) {
    if (err instanceof RecordedElsewhere) throw err;
    // An event that cannot be written stops no answer.
    await add();
    log.error({ err, kind: 'asked' }, eventNotWritten);
  }
}

async function makeAndSend(
  asking: Asking,
  rights: FoundRights,
  underWay: UnderWay,
): Promise<PostedAnswer | undefined> {
  const { options, parts } = asking;
  const { id, asker } = asking.run;
  if (!underWay.signal) throw new Failure('stopped');
  if ('failure' in rights) throw rights.failure;
  const first: AnswerRun = { ...asking.run, ...rights };
  const title = formatTitle({ report: reportNamed(asking.request.report), request: asking.request });
  const direct = goesDirectly(first) ? await parts.channels.directWith(asker.id) : undefined;
  const progress = showProgress(id, title, progressDestination(first, direct), parts, underWay.recorded);
  underWay.progress = progress;
  await parts.running.turn(id);
  const reading = { signal: underWay.signal, onRecords: progress.records, onWait: progress.waits };
  const { result, run } = await makeReport(asking, first, reading, underWay);
  const lookAgain = async () => {
    const now = await rightsNow(asking, run);
    if (!areSameRights(run, now)) throw new Failure('access-changed');
    return now;
  };
  const sent = await sendAnswer(result, run, { progress, lookAgain }, parts);
  if (options.isShare)
    await recordEvent(parts.store.events, sharedEvent({ ...factsOf(asking), post: id }), parts.log);
  await saveFiguresAndSuggestions(result, run, options, parts);
  countEnd(asking, 'answered', result.records);
  const { before } = underWay;
  if (result.before !== 'not-yet' || !sent?.message || !before) return undefined;
  underWay.before = undefined;
  return { result, run, before, message: sent.message, variant: sent.variant, lookAgain };
}

/** Makes the report, with the rights of the moment when it is made: again if they have narrowed meanwhile. */
async function makeReport(
  asking: Asking,
  first: AnswerRun,
  reading: Parameters<typeof startAnswerReport>[3],
  underWay: UnderWay,
): Promise<{ readonly result: ReportResult; readonly run: AnswerRun }> {
  const { request, options, parts } = asking;
  const fits = first.fileInto === undefined ? summaryFits : fileFits;
  let run = first;
  for (let attempt = 1; ; attempt += 1) {
    const started = await startAnswerReport(request, run, options, reading, parts);
    underWay.before = started.before;
    const figures = await started.before.within(maxWaitMsOf(run, options));
    await underWay.recorded;
    run = { ...asking.run, ...(await rightsNow(asking, run)) };
    if (fits(started.result.scope, run.scope)) {
      const isLate = figures === undefined && isEditable(run, options);
      return { result: { ...started.result, before: figures ?? (isLate ? 'not-yet' : 'late') }, run };
    }
    if (attempt === maxAttempts) throw new Failure('access-changed');
    started.before.stop();
    if (needsFile(request, options)) await parts.files.remove(run.id);
  }
}

function rightsNow({ request, context, options, parts }: Asking, run: AnswerRun): Promise<AnswerRights> {
  const wantsFile = needsFile(request, options);
  return rightsToSend(request, run.asker, context, { wantsFile, fresh: needsFreshLook(run) }, parts);
}

/** True for a message that can get its changes later. */
function isEditable(run: AnswerRun, { isTest = false }: AnswerOptions): boolean {
  return !isTest && !responseUrlOf(run);
}

function maxWaitMsOf(run: AnswerRun, options: AnswerOptions): number {
  if (isEditable(run, options)) return maxWaitMs.edited;
  return options.isTest ? maxWaitMs.test : maxWaitMs.replied;
}

/** The outcome of a request, for the log and the metrics. */
export interface RequestEnd {
  readonly report: string;
  readonly outcome: 'answered' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly records: number;
  readonly code?: string | undefined;
}

function countEnd(
  { request: { report }, startedAt, parts }: Asking,
  outcome: RequestEnd['outcome'],
  records: number,
  code?: string,
): void {
  parts.ended({ report, outcome, records, seconds: (performance.now() - startedAt) / 1000, code });
}

/** Ends a run that failed or was cancelled or stopped: in the ledger, in the log, and for the asker. */
async function endFailed(error: unknown, asking: Asking, { signal, progress }: UnderWay): Promise<void> {
  const { request, run, parts } = asking;
  const { id, asker, conversation, typed, fileInto, choseFilters = true } = run;
  const { log, store } = parts;
  // An erasure may have deleted the run. Its asker is told.
  const isErased = isFailure(signal?.reason, 'data-erased');
  const isInHand = isErased || (await store.requestLog.isInHand(id).catch(() => true));
  if (error instanceof EndedElsewhere || !isInHand) {
    await progress?.remove();
    log.warn({ requestId: id }, 'Another process ended a request, so its answer is not posted');
    return countEnd(asking, 'failed', 0, 'interrupted');
  }
  // If a signal ended the run, its reason is the cause of the failure.
  const mayHaveArrived = isFailure(error, 'file-not-shared') && error.details.mayHaveArrived;
  const reason: unknown = signal?.aborted && !mayHaveArrived ? signal.reason : error;
  const isStopping = isFailure(reason, 'stopped');
  if (isStopping && (await parts.handOver(id).catch(() => false))) {
    await progress?.remove();
    log.info({ requestId: id }, 'Another process goes on with a request');
    return countEnd(asking, 'failed', 0, 'handed-over');
  }
  const isCancelled = isFailure(reason, 'cancelled');
  // A stop leaves little time, so the asker is notified before the progress message is removed.
  if (!isStopping) await progress?.remove();
  if (!isCancelled) logFailure(reason, { requestId: id, report: request.report }, 'A request failed', log);
  // An unconfirmed file has its end.
  if (!isStopping && !mayHaveArrived) await saveEnd(id, reason, parts);
  countEnd(asking, isCancelled ? 'cancelled' : 'failed', 0, codeOf(reason));
  const isRefused = isFailure(reason, 'access-refused') && !fileInto;
  const message = isCancelled
    ? notice(`Cancelled: ${commandOf(typed, choseFilters ? request : maskPeople(request))}`)
    : failureMessage(
        describeFailure(reason, id, { typed, choseFilters }),
        fileInto ? undefined : id,
        isRefused ? allowedInstead(request, reason.details.refusal) : [],
      );
  const isNotified = await notifyAsker(message, asker.id, conversation, parts.client);
  // If the asker was not notified, the run stays running in the ledger. The next start notifies them.
  if (isStopping && isNotified) await saveEnd(id, reason, parts);
  if (isStopping) await progress?.remove();
}

async function saveEnd(id: string, reason: unknown, { store, clock, log }: AnswerParts): Promise<void> {
  const claim = { id, worker: null };
  const at = clock.now();
  try {
    if (isFailure(reason, 'cancelled')) await store.ledger.markCancelled(claim, at);
    else await store.ledger.markFailed(claim, { code: codeOf(reason) }, at);
  } catch (err) {
    log.error({ err, requestId: id }, 'The end of a request could not be saved');
  }
}

export interface AnswerParts extends SendParts {
  readonly interactive?: AskPurposeParts['interactive'];
  /** True for filter members whose entries the operator's list of names checks. */
  readonly isListed?: (member: string) => boolean;
  /** The names that this process has read lately. Absent: each search reads them. */
  readonly looks?: RecentLooks;
  readonly edits: EditBudget;
  readonly progressShown?: ProgressParts['progressShown'];
  readonly running: RunningRequests;
  /** Lets another process go on with a request, because this one stops. False if none can. */
  readonly handOver: (requestId: string) => Promise<boolean>;
  /** Called with a Slack user ID when a request of that person begins or ends. */
  readonly requestsChanged: (asker: string) => void;
  readonly ended: (end: RequestEnd) => void;
}
