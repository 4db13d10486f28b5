import { audienceOf } from '../access/levels.js';
import { askedEvent, type RequestFacts, recordEvent, sharedEvent } from '../access/record.js';
import { AccessRefused, fileFits, RowsOutsideScope, summaryFits } from '../access/scope.js';
import { reportNamed } from '../catalogue/index.js';
import { KnownError } from '../errors/known-error.js';
import { comparableNumbers } from '../figures/changes.js';
import { formatTitle } from '../figures/format/request.js';
import { currentLogId, takeLogId, withLogId } from '../logging/log-id.js';
import { FileNotShared } from '../posts/post.js';
import { Cancelled } from '../reporting-api/errors.js';
import { withoutPeople } from '../requests/person-level.js';
import { type Asker, type ReportRequest, type ResolvedRange, showsRows } from '../requests/request.js';
import { keptAnswer } from '../runner/answer-totals.js';
import type { LastFiguresKey, ReportSource, RunOrigin } from '../runner/ports.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import { randomId } from '../store/database.js';
import { DatabaseUnusable } from '../store/errors.js';
import type { Store } from '../store/store.js';
import type { WeekStart } from '../time/calendar.js';
import {
  type AnswerRights,
  type AnswerRightsParts,
  answerRightsOf,
  areSameRights,
  needsFreshLook,
} from './answer-rights.js';
import { notifyAsker } from './delivery/notify-asker.js';
import { AccessChanged, EndedElsewhere, Stopping } from './delivery/post-message.js';
import { type EditBudget, type Progress, progressDestination, showProgress } from './delivery/progress.js';
import {
  type AnswerRun,
  commandOf,
  needsDirectMessages,
  type RecordedRun,
  type SendParts,
  sendAnswer,
} from './delivery/send-answer.js';
import type { AnswerFiles } from './delivery/upload.js';
import type { People } from './directory/people.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';
import { maxListedRows } from './messages/rows.js';
import {
  AskerRefused,
  type Conversation,
  type RequestContext,
  resolveAsker,
  resolveConversation,
  unresolvedConversation,
} from './request-context.js';
import { maxRunningRequests, maxWaitingRequests, type RunningRequests } from './running-requests.js';

/** What buttons, forms, saved reports and digests add to a request. */
export interface AnswerOptions {
  /** The range of an earlier answer that is run again. */
  readonly range?: ResolvedRange | undefined;
  /** The `ts` of a summary: only the file is wanted, in the thread of that message. */
  readonly fileInto?: string;
  /** IANA zone that ranges follow; absent: the asker's. */
  readonly zone?: string;
  /** The Slack user ID that `me` means; absent: the asker. */
  readonly me?: string;
  /** The digest or saved report that is run; absent for other requests. */
  readonly runOf?: Exclude<RunOrigin, { readonly kind: 'asker' }>;
  /** True for tests, *Send again* and *Share to channel*: later answers are not compared with this one. */
  readonly isRepeat?: boolean;
  /** False where somebody else chose the filters of the request. Then messages to the asker do not quote them. */
  readonly choseFilters?: boolean;
  /** True for *Share to channel*. */
  readonly isShare?: boolean;
}

/** A report is made this often at most where rights change meanwhile. */
const maxAttempts = 3;

/**
 * Answers a request: resolves the asker and the conversation, runs the report, and posts the answer once. Never throws:
 * the asker alone is notified of failures, and nothing of a failed answer stays on disk.
 */
export async function answerRequest(
  request: ReportRequest,
  context: RequestContext,
  parts: AnswerParts,
  options: AnswerOptions = {},
): Promise<void> {
  let conversation = unresolvedConversation(context);
  const release = parts.running.reserve(context.asker);
  try {
    const resolved = await resolveAsker(context.asker, parts.people, parts.defaultZone);
    conversation = await resolveConversation(context, parts);
    if (!resolved.ok) {
      const facts = factsOf(request, { id: context.asker }, conversation, options, parts);
      await recordEvent(parts.store.events, askedEvent(facts, { refused: 'not-a-member' }), parts.log);
      await notifyAsker(notice(resolved.refusal), context.asker, conversation, parts.client);
      return;
    }
    if (!release) {
      const facts = factsOf(request, resolved.value, conversation, options, parts);
      await recordEvent(parts.store.events, askedEvent(facts, { refused: 'too-many-requests' }), parts.log);
      await notifyAsker(notice(tooManyRequests), context.asker, conversation, parts.client);
      return;
    }
    const asker = await askerFor(resolved.value, options, parts.people);
    const run = await recordRun(request, asker, conversation, context, options, parts);
    await withLogId(run.id, () => runAndSend(request, run, context, options, parts));
  } catch (error) {
    const id = currentLogId() ?? randomId();
    parts.log.error({ err: error, id }, 'A request could not be started');
    const message = failureMessage(describeFailure(error, id), undefined);
    await notifyAsker(message, context.asker, conversation, parts.client);
  } finally {
    release?.();
    parts.requestsChanged(context.asker);
  }
}

export const tooManyRequests = `You have ${maxRunningRequests} requests running and ${maxWaitingRequests} waiting. Cancel one, or wait until one ends.`;

/** The asker, with the time zone and the address for `me` that the options set. */
async function askerFor(asker: Asker, { me, zone }: AnswerOptions, people: People): Promise<Asker> {
  const email = me === undefined ? asker.email : (await people.find(me)).email;
  return { id: asker.id, zone: zone ?? asker.zone, email };
}

/** Adds the run to the request log and the ledger. */
async function recordRun(
  request: ReportRequest,
  asker: Asker,
  conversation: Conversation,
  { typed }: RequestContext,
  { fileInto, range }: AnswerOptions,
  { store, clock }: AnswerParts,
): Promise<RecordedRun> {
  const requestedAt = clock.now();
  const entry = { channel: conversation.channel, asker: asker.id, request, range, requestedAt };
  const id = await store.requestLog.record(entry, fileInto === undefined ? 'answer' : 'file', takeLogId());
  return { id, asker, requestedAt, conversation, typed, fileInto };
}

async function runAndSend(
  request: ReportRequest,
  recorded: RecordedRun,
  context: RequestContext,
  options: AnswerOptions,
  parts: AnswerParts,
): Promise<void> {
  const startedAt = performance.now();
  const { id, asker } = recorded;
  const signal = parts.running.begin(id, asker.id);
  parts.requestsChanged(asker.id);
  const reportEnd: ReportEnd = (outcome, records, code) => {
    const seconds = (performance.now() - startedAt) / 1000;
    parts.ended({ report: request.report, outcome, records, seconds, code });
  };
  let progress: Progress | undefined;
  try {
    if (!signal) throw new Stopping();
    const rightsNow = (fresh: boolean) => {
      const wantsFile = request.file !== undefined || recorded.fileInto !== undefined;
      return answerRightsOf(request, asker, context, { wantsFile, fresh }, parts);
    };
    const lookBeforeSending = async (rights: AnswerRights) => {
      // The asker may have left, or become a guest.
      const resolved = await resolveAsker(asker.id, parts.people, parts.defaultZone);
      if (!resolved.ok) throw new AskerRefused(resolved.refusal);
      return rightsNow(needsFreshLook(rights));
    };
    const rights = await recordAsked(rightsNow(false), request, recorded, options, parts);
    let run = await withDirectMessages({ ...recorded, ...rights }, parts);
    const title = formatTitle({ report: reportNamed(request.report), request });
    progress = showProgress(id, title, progressDestination(run), parts);
    await parts.running.turn(id);
    const makeAgain = { signal, progress };
    let result = await makeReport(request, run, options, makeAgain, parts);
    // Rights may narrow while a report is made. Then it is made again, for what may be seen now.
    for (let attempt = 1; ; attempt += 1) {
      run = await withDirectMessages({ ...recorded, ...(await lookBeforeSending(run)) }, parts);
      const fits = recorded.fileInto === undefined ? summaryFits : fileFits;
      if (fits(result.scope, run.scope)) break;
      if (attempt === maxAttempts) throw new AccessChanged();
      await parts.files.remove(id);
      result = await makeReport(request, run, options, makeAgain, parts);
    }
    const isStillAllowed = async () => areSameRights(run, await lookBeforeSending(run));
    await keepTotals(result, run, parts);
    await sendAnswer(result, run, progress, parts, isStillAllowed);
    if (options.isShare) {
      const facts = { ...factsOf(request, asker, run.conversation, options, parts), post: id };
      await recordEvent(parts.store.events, sharedEvent(facts), parts.log);
    }
    await rememberAnswer(result, run, options, parts);
    reportEnd('answered', result.records);
  } catch (error) {
    const { choseFilters = true } = options;
    await endFailedRun(error, request, recorded, { signal, progress, reportEnd, choseFilters }, parts);
  } finally {
    await parts.files.remove(id);
    parts.running.end(id);
  }
}

function factsOf(
  request: ReportRequest,
  asker: Pick<Asker, 'id' | 'email'>,
  { channel }: Conversation,
  { fileInto, isShare, range }: AnswerOptions,
  { clock }: AnswerParts,
): RequestFacts {
  const origin = fileInto !== undefined ? 'file-button' : isShare ? 'share' : 'request';
  return { at: clock.now(), person: asker.id, place: channel, request, origin, me: asker.email, days: range };
}

/** Records that a request is run or refused, with the rights that were found for it. */
async function recordAsked(
  finding: Promise<AnswerRights>,
  request: ReportRequest,
  { id, asker, conversation }: RecordedRun,
  options: AnswerOptions,
  parts: AnswerParts,
): Promise<AnswerRights> {
  const facts = { ...factsOf(request, asker, conversation, options, parts), post: id };
  const { events } = parts.store;
  try {
    const rights = await finding;
    await recordEvent(events, askedEvent(facts, rights), parts.log);
    return rights;
  } catch (error) {
    if (error instanceof AccessRefused) {
      const outcome = { level: error.level, refused: error.refusal.kind };
      await recordEvent(events, askedEvent(facts, outcome), parts.log);
    }
    throw error;
  }
}

async function withDirectMessages(run: AnswerRun, { channels }: AnswerParts): Promise<AnswerRun> {
  if (!needsDirectMessages(run.conversation, run.route)) return run;
  return { ...run, direct: await channels.directWith(run.asker.id) };
}

async function makeReport(
  request: ReportRequest,
  run: AnswerRun,
  options: AnswerOptions,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
  parts: AnswerParts,
): Promise<ReportResult> {
  const { id, asker, requestedAt, scope, route, fileInto } = run;
  const result = await runReport(
    request,
    {
      asker,
      requestedAt,
      range: options.range,
      filePath: route.file === 'none' ? undefined : parts.files.pathFor(id),
      rowLimit: fileInto === undefined && showsRows(request) ? maxListedRows : undefined,
      fileOnly: fileInto !== undefined,
      scope,
      urgency: 'person',
      signal,
      // A count of few records would tell what the answer hides.
      onRecords: scope.smallestGroup > 1 ? undefined : progress.records,
      onWait: progress.waits,
    },
    parts,
  );
  const lastRun = result.figures && (await parts.store.lastFigures.find(figuresOf(result, run, options)));
  return { ...result, lastRun };
}

function figuresOf(
  { request, scope }: ReportResult,
  { asker, conversation: { channel } }: AnswerRun,
  { runOf }: AnswerOptions,
): LastFiguresKey {
  return { run: runOf ?? { kind: 'asker', channel }, asker: asker.id, request, scope };
}

/** Keeps what *Details* shows, before anybody can press it. Without it, the report is run again for them. */
async function keepTotals(
  result: ReportResult,
  { id, asker, conversation, route }: AnswerRun,
  { store, clock, log }: AnswerParts,
): Promise<void> {
  // Direct messages have everything in one message.
  if (conversation.kind === 'direct' || route.summary === 'direct') return;
  const answer = keptAnswer(asker.id, result);
  if (!answer) return;
  await store.answerTotals
    .keep(id, id, answer, clock.now())
    .catch((err: unknown) => log.warn({ err, requestId: id }, 'The totals of an answer could not be kept'));
}

/** Saves the figures for later comparisons and the values for suggestions. A failure here does not undo the answer. */
async function rememberAnswer(
  result: ReportResult,
  run: AnswerRun,
  options: AnswerOptions,
  { store, clock, log }: AnswerParts,
): Promise<void> {
  const at = clock.now();
  try {
    // The asker may have been erased since.
    if ((await store.requestLog.stillWanted([run.id])).length === 0) return;
    if (result.figures && !options.isRepeat) {
      const numbers = comparableNumbers(result.figures, ['last-run']);
      await store.lastFigures.save(figuresOf(result, run, options), numbers, result.requestedAt);
    }
    await store.suggestions.remember(result.values, at, audienceOf(run.level));
  } catch (error) {
    log.warn({ err: error, requestId: run.id }, 'The figures and values of an answer could not be saved');
  }
}

/** The service is not to be trusted with the rows of a team. Operators search for this line. */
export const rowsOutsideScope =
  'The Reporting Service returned records of other people, so the answer was refused';

type ReportEnd = (outcome: RequestEnd['outcome'], records: number, code?: string) => void;

interface FailedRun {
  readonly signal: AbortSignal | undefined;
  readonly progress: Progress | undefined;
  readonly reportEnd: ReportEnd;
  readonly choseFilters: boolean;
}

/** Ends a run that failed or was cancelled or stopped: in the ledger, in the log, and for the asker. */
async function endFailedRun(
  error: unknown,
  request: ReportRequest,
  run: RecordedRun,
  { signal, progress, reportEnd, choseFilters }: FailedRun,
  parts: AnswerParts,
): Promise<void> {
  const { id, asker, conversation, typed } = run;
  const { log } = parts;
  if (error instanceof EndedElsewhere) {
    await progress?.remove();
    log.warn({ requestId: id }, 'Another process ended a request, so its answer is not posted');
    return reportEnd('failed', 0, 'interrupted');
  }
  // If a signal ended the run, its reason is the cause of the failure.
  const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
  const reason: unknown = signal?.aborted && !mayHaveArrived ? signal.reason : error;
  const isStopping = reason instanceof Stopping;
  const isCancelled = reason instanceof Cancelled && !isStopping;
  const code = reason instanceof KnownError ? reason.code : 'unexpected';
  // A stop leaves little time, so the asker is notified before the progress message is removed.
  if (!isStopping) await progress?.remove();
  if (!(reason instanceof KnownError))
    log.error({ err: reason, requestId: id }, 'A request failed unexpectedly');
  else if (reason instanceof RowsOutsideScope)
    log.error({ requestId: id, code, report: request.report }, rowsOutsideScope);
  else if (reason instanceof DatabaseUnusable) log.error({ err: reason, requestId: id }, 'A request failed');
  else if (!isCancelled) log.warn({ requestId: id, code, report: request.report }, 'A request failed');
  const recordEnd = async () => {
    const { ledger } = parts.store;
    const held = { id, worker: null };
    const at = parts.clock.now();
    try {
      if (mayHaveArrived) await ledger.markUnconfirmed(held, { code }, at);
      else if (isCancelled) await ledger.markCancelled(held, at);
      else await ledger.markFailed(held, { code }, at);
    } catch (err) {
      log.error({ err, requestId: id }, 'The end of a request could not be saved');
    }
  };
  if (!isStopping) await recordEnd();
  reportEnd(isCancelled ? 'cancelled' : 'failed', 0, code);
  const message = isCancelled
    ? notice(`Cancelled: ${commandOf(typed, choseFilters ? request : withoutPeople(request))}`)
    : failureMessage(describeFailure(reason, id, { typed, choseFilters }), run.fileInto ? undefined : id);
  const isNotified = await notifyAsker(message, asker.id, conversation, parts.client);
  // If the asker was not notified, the run stays running in the ledger. The next start notifies them.
  if (isStopping && isNotified) await recordEnd();
  await progress?.remove();
}

/** The outcome of a request, for the log and the metrics. */
export interface RequestEnd {
  readonly report: string;
  readonly outcome: 'answered' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly records: number;
  readonly code?: string | undefined;
}

export interface AnswerParts extends AnswerRightsParts, SendParts {
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  /** IANA zone for people whose profile has none. */
  readonly defaultZone: string;
  /** True for filter members whose entries the operator's list of names checks. */
  readonly isListed?: (member: string) => boolean;
  readonly store: Pick<
    Store,
    'requestLog' | 'ledger' | 'approvals' | 'lastFigures' | 'answerTotals' | 'suggestions' | 'events'
  >;
  readonly people: People;
  readonly edits: EditBudget;
  readonly running: RunningRequests;
  readonly files: AnswerFiles;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Called with a Slack user ID when a request of that person begins or ends. */
  readonly requestsChanged: (asker: string) => void;
  readonly ended: (end: RequestEnd) => void;
}
