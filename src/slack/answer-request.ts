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
import { Failure, isFailure } from '../errors/failure.js';
import { formatTitle } from '../figures/format/request.js';
import { withLogId } from '../logging/log-id.js';
import type { Asker, ReportRequest } from '../requests/request.js';
import type { RecentLooks } from '../runner/daily-look.js';
import type { PeriodBefore } from '../runner/period-before.js';
import type { ReportResult } from '../runner/run-report.js';
import { RecordedElsewhere } from '../store/requests/request-log.js';
import { type ReportOptions, saveFiguresAndSuggestions, startAnswerReport } from './answer-report.js';
import {
  type AnswerRights,
  answerRightsOf,
  areSameRights,
  needsFreshLook,
  rightsToSend,
} from './answer-rights.js';
import { type AskPurposeParts, askForPurpose, commandToRepeat, lacksPurpose } from './ask-purpose.js';
import { addChanges, type PostedAnswer } from './delivery/answer-editor.js';
import {
  type AnswerRun,
  goesDirectly,
  type RequestedRun,
  responseUrlOf,
  type SendParts,
} from './delivery/answer-run.js';
import { notifyAsker } from './delivery/notify-asker.js';
import {
  type EditBudget,
  type Progress,
  type ProgressParts,
  progressDestination,
  showProgress,
} from './delivery/progress.js';
import { sendAnswer } from './delivery/send-answer.js';
import type { People } from './directory/people.js';
import { endFailedRun, type HandOver, type ReportEnd, type RequestEnd } from './end-failed-run.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';
import {
  type Conversation,
  type MemberContext,
  type RequestContext,
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
  const { member, takenOver } = context;
  let conversation = context.conversation ?? unresolvedConversation(context);
  const release = parts.running.reserve(context.asker, takenOver !== undefined);
  let answered: { readonly id: string; readonly posted: PostedAnswer | undefined } | undefined;
  try {
    conversation =
      options.rights?.conversation ?? context.conversation ?? (await resolveConversation(context, parts));
    if (!release) {
      const facts = factsOf(request, member, conversation, options, parts);
      await recordEvent(parts.store.events, askedEvent(facts, { refused: 'too-many-requests' }), parts.log);
      await notifyAsker(notice(tooManyRequests), context.asker, conversation, parts.client);
      return;
    }
    const asker = await askerFor(member, options, parts.people);
    const rights = options.rights ?? (await findRights(request, asker, conversation, options, parts));
    if (!('failure' in rights) && lacksPurpose(request, parts))
      return await askForPurpose(commandToRepeat(request, context), context, parts);
    const run = newRun(asker, conversation, context, options, parts);
    const posted = await withLogId(run.id, () => runAndSend(request, run, rights, context, options, parts));
    answered = { id: run.id, posted };
  } catch (error) {
    const id = context.requestId;
    if (error instanceof RecordedElsewhere)
      return parts.log.warn({ id }, 'Another process has a request in hand, so it is not run here');
    parts.log.error({ err: error, id }, 'A request could not be started');
    const message = failureMessage(describeFailure(error, id), undefined);
    await notifyAsker(message, context.asker, conversation, parts.client);
  } finally {
    release?.();
    parts.requestsChanged(context.asker);
  }
  const { id, posted } = answered ?? {};
  if (id === undefined || !posted) return;
  await withLogId(id, () => parts.running.follow((stopping) => addChanges(posted, parts, stopping)));
}

export const tooManyRequests = `You have ${maxRunningRequests} requests running and ${maxWaitingRequests} waiting. Cancel one, or wait until one ends.`;

/** The asker, with the time zone and the address for `me` that the options set. */
async function askerFor(asker: Asker, { me, zone }: AnswerOptions, people: People): Promise<Asker> {
  const email = me === undefined ? asker.email : (await people.find(me)).email;
  return { id: asker.id, zone: zone ?? asker.zone, email };
}

/** The asker's rights, or the reason why nothing is sent. */
type FoundRights = AnswerRights | { readonly failure: unknown };

function findRights(
  request: ReportRequest,
  asker: Asker,
  conversation: Conversation,
  options: AnswerOptions,
  parts: AnswerParts,
): Promise<FoundRights> {
  const found = answerRightsOf(request, asker, conversation, needsFile(request, options), parts);
  return found.catch((failure: unknown) => ({ failure }));
}

function needsFile(request: ReportRequest, { fileInto }: AnswerOptions): boolean {
  return request.file !== undefined || fileInto !== undefined;
}

interface NewRun extends RequestedRun {
  /** True if another process may have recorded it before. */
  readonly isTakenOver: boolean;
}

function newRun(
  asker: Asker,
  conversation: Conversation,
  { typed, requestId: id, takenOver }: MemberContext,
  { fileInto, choseFilters }: AnswerOptions,
  { clock }: AnswerParts,
): NewRun {
  const requestedAt = takenOver?.arrivedAt ?? clock.now();
  const isTakenOver = takenOver !== undefined;
  return { id, isTakenOver, asker, requestedAt, conversation, typed, fileInto, choseFilters };
}

/**
 * Adds the run to the request log and the ledger, and to the record of access. All of it is one transaction, because the
 * disk takes longer than the rest.
 */
async function recordRun(
  request: ReportRequest,
  { id, isTakenOver, asker, requestedAt, conversation, fileInto }: NewRun,
  rights: FoundRights,
  options: AnswerOptions,
  parts: AnswerParts,
): Promise<void> {
  const { store, log } = parts;
  const facts = factsOf(request, asker, conversation, options, parts);
  const entry = {
    channel: conversation.channel,
    asker: asker.id,
    request,
    range: options.range,
    requestedAt,
    choseFilters: options.choseFilters,
  };
  const what = fileInto === undefined ? 'answer' : 'file';
  const record = (event?: AccessEvent) => store.requestLog.record(entry, what, id, { event, isTakenOver });
  if ('failure' in rights) {
    await record();
    return recordRefusal(rights.failure, { ...facts, post: id }, parts);
  }
  try {
    await record(askedEvent(facts, rights));
  } catch (err) {
    if (err instanceof RecordedElsewhere) throw err;
    // An event that cannot be written stops no answer.
    await record();
    log.error({ err, kind: 'asked' }, eventNotWritten);
  }
}

async function recordRefusal(
  error: unknown,
  facts: RequestFacts,
  { store, log }: AnswerParts,
): Promise<void> {
  if (!isFailure(error, 'access-refused')) return;
  await recordEvent(
    store.events,
    askedEvent(facts, { level: error.details.level, refused: error.details.refusal.kind }),
    log,
  );
}

/**
 * Sends the queries while the run is recorded. Nothing is shown before it is. Rights may narrow while a report is made. It
 * is then made again with the new rights.
 *
 * @returns the answer, if its changes come later
 * @throws what `recordRun` throws
 */
async function runAndSend(
  request: ReportRequest,
  requested: NewRun,
  found: FoundRights,
  context: RequestContext,
  options: AnswerOptions,
  parts: AnswerParts,
): Promise<PostedAnswer | undefined> {
  const startedAt = performance.now();
  const { id, asker, fileInto } = requested;
  // A turn of the event loop later, when the queries have left.
  const recorded = nextTurn().then(() => recordRun(request, requested, found, options, parts));
  const signal = parts.running.begin(id, asker.id, recorded);
  recorded.then(
    () => parts.requestsChanged(asker.id),
    () => {},
  );
  const reportEnd: ReportEnd = (outcome, records, code) => {
    const seconds = (performance.now() - startedAt) / 1000;
    parts.ended({ report: request.report, outcome, records, seconds, code });
  };
  const wantsFile = needsFile(request, options);
  const fits = fileInto === undefined ? summaryFits : fileFits;
  let progress: Progress | undefined;
  /** Set while this run must stop it. */
  let before: PeriodBefore | undefined;
  try {
    if (!signal) throw new Failure('stopped');
    if ('failure' in found) throw found.failure;
    let run: AnswerRun = { ...requested, ...found };
    const rightsNow = () =>
      rightsToSend(request, asker, context, { wantsFile, fresh: needsFreshLook(run) }, parts);
    const title = formatTitle({ report: reportNamed(request.report), request });
    const direct = goesDirectly(run) ? await parts.channels.directWith(asker.id) : undefined;
    progress = showProgress(id, title, progressDestination(run, direct), parts, recorded);
    await parts.running.turn(id);
    const reading = { signal, onRecords: progress.records, onWait: progress.waits };
    let result: ReportResult;
    for (let attempt = 1; ; attempt += 1) {
      const started = await startAnswerReport(request, run, options, reading, parts);
      before = started.before;
      const figures = await before.within(maxWaitMsOf(run, options));
      await recorded;
      run = { ...requested, ...(await rightsNow()) };
      if (fits(started.result.scope, run.scope)) {
        const isLate = figures === undefined && isEditable(run, options);
        result = { ...started.result, before: figures ?? (isLate ? 'not-yet' : 'late') };
        break;
      }
      if (attempt === maxAttempts) throw new Failure('access-changed');
      before.stop();
      if (wantsFile) await parts.files.remove(id);
    }
    const lookAgain = async () => {
      const now = await rightsNow();
      if (!areSameRights(run, now)) throw new Failure('access-changed');
      return now;
    };
    const sent = await sendAnswer(result, run, { progress, lookAgain }, parts);
    if (options.isShare) {
      const facts = { ...factsOf(request, asker, run.conversation, options, parts), post: id };
      await recordEvent(parts.store.events, sharedEvent(facts), parts.log);
    }
    await saveFiguresAndSuggestions(result, run, options, parts);
    reportEnd('answered', result.records);
    if (result.before !== 'not-yet' || !sent?.message || !before) return undefined;
    const posted = { result, run, before, message: sent.message, variant: sent.variant, lookAgain };
    before = undefined;
    return posted;
  } catch (error) {
    try {
      await recorded;
    } catch (notRecorded) {
      await progress?.remove();
      reportEnd('failed', 0, isFailure(notRecorded) ? notRecorded.code : 'unexpected');
      throw notRecorded;
    }
    const { choseFilters = true } = options;
    await endFailedRun(error, request, requested, { signal, progress, reportEnd, choseFilters }, parts);
    return undefined;
  } finally {
    before?.stop();
    try {
      if (wantsFile) await parts.files.remove(id);
    } finally {
      parts.running.end(id);
    }
  }
}

function factsOf(
  request: ReportRequest,
  asker: Pick<Asker, 'id' | 'email'>,
  { channel }: Conversation,
  { fileInto, isShare, range }: AnswerOptions,
  { clock }: AnswerParts,
): RequestFacts {
  const withoutFile = isShare ? 'share' : 'request';
  const origin = fileInto === undefined ? withoutFile : 'file-button';
  return { at: clock.now(), person: asker.id, place: channel, request, origin, me: asker.email, days: range };
}

/** True for a message that can get its changes later. */
function isEditable(run: AnswerRun, { isTest = false }: AnswerOptions): boolean {
  return !isTest && !responseUrlOf(run);
}

function maxWaitMsOf(run: AnswerRun, options: AnswerOptions): number {
  if (isEditable(run, options)) return maxWaitMs.edited;
  return options.isTest ? maxWaitMs.test : maxWaitMs.replied;
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
  readonly handOver: HandOver;
  /** Called with a Slack user ID when a request of that person begins or ends. */
  readonly requestsChanged: (asker: string) => void;
  readonly ended: (end: RequestEnd) => void;
}
