import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AccessEvent,
  askedEvent,
  eventNotWritten,
  type RequestFacts,
  recordEvent,
  sharedEvent,
} from '../../access/record.js';
import { fitsAlone, summaryFits } from '../../access/scope.js';
import { reportNamed } from '../../catalogue/index.js';
import { codeOf, Failure, isFailure } from '../../errors/failure.js';
import { comparableNumbers } from '../../figures/summary/changes.js';
import { formatTitle } from '../../figures/summary/request.js';
import { maskPeople } from '../../requests/person-level.js';
import { type ReportRequest, showsRows } from '../../requests/request.js';
import type { RecentLooks } from '../../runner/daily-look.js';
import { type PeriodBefore, type ReportResult, startComparedReport } from '../../runner/run-report.js';
import { isUnreachable } from '../../store/database/errors.js';
import { RecordedElsewhere } from '../../store/requests/request-log.js';
import { logFailure, notifyAsker } from '../context/notify-asker.js';
import {
  type MemberContext,
  resolveConversation,
  unresolvedConversation,
} from '../context/request-context.js';
import { EndedElsewhere, type OutgoingMessage } from '../delivery/post-message.js';
import { allowedInstead } from '../messages/choices.js';
import { describeFailure } from '../messages/failures.js';
import { failureMessage, notice } from '../messages/notices.js';
import { maxListedRows } from '../messages/rows.js';
import {
  type AnswerOptions,
  type AnswerRights,
  type AnswerRun,
  answerRightsOf,
  areSameRights,
  commandOf,
  endPost,
  goesDirectly,
  lacksPurpose,
  type RequestedRun,
  responseUrlOf,
  rightsToSend,
  type SendParts,
} from './answer-run.js';
import { answerScorecard } from './answer-scorecard.js';
import { type AskPurposeParts, askForPurpose, commandToRepeat } from './ask-purpose.js';
import {
  type EditBudget,
  type Progress,
  type ProgressParts,
  progressDestination,
  showProgress,
} from './progress.js';
import { type RunningRequests, tooManyRequests } from './running-requests.js';
import { addChanges, giveFigures, type PostedAnswer, sendAnswer } from './send-answer.js';

/**
 * Answers a request: runs the report, and posts the answer once. Never throws:
 * the asker alone is notified of failures, and nothing of a failed answer stays on disk.
 */
export async function answerRequest(
  request: ReportRequest,
  context: MemberContext,
  parts: AnswerParts,
  { rights, zone = context.member.zone, me, runOf, ...settings }: AnswerOptions = {},
): Promise<void> {
  const { member, requestId: id, typed, takenOver } = context;
  const { running, people, store, clock, log } = parts;
  let conversation = context.conversation ?? unresolvedConversation(context);
  const tell = (message: OutgoingMessage) => notifyAsker(message, member.id, conversation, parts.client);
  const release = running.reserve(member.id, takenOver !== undefined);
  let posted: PostedAnswer | undefined;
  try {
    conversation =
      rights?.conversation ?? context.conversation ?? (await resolveConversation(context, parts));
    const email = me === undefined ? member.email : (await people.find(me)).email;
    const asker = { id: member.id, zone, email };
    const requestedAt = takenOver?.arrivedAt ?? clock.now();
    const origin = runOf ?? { kind: 'asker', channel: conversation.channel };
    const run: RequestedRun = { ...settings, id, request, asker, origin, requestedAt, conversation, typed };
    if (!release) {
      const refused = askedEvent(factsOf(run, parts), { refused: 'too-many-requests' });
      await recordEvent(store.events, refused, log);
      await tell(notice(tooManyRequests));
      return;
    }
    const found =
      rights ??
      (await answerRightsOf(request, asker, conversation, parts, settings.onlyTeam).catch(
        (failure: unknown) => ({ failure }),
      ));
    if (!('failure' in found) && lacksPurpose(request, parts))
      return await askForPurpose(commandToRepeat(request, context), context, parts);
    posted = await answer(run, found, context, parts);
  } catch (error) {
    if (error instanceof RecordedElsewhere)
      return log.warn({ id }, 'Another process works on a request, so it is not run here');
    log.error({ err: error, id }, 'A request could not be started');
    await tell(failureMessage(describeFailure(error, id), undefined));
  } finally {
    release?.();
    parts.requestsChanged(member.id);
  }
  const answered = posted;
  if (answered) await running.follow((stopping) => addChanges(answered, parts, stopping));
}

type FoundRights = AnswerRights | { readonly failure: unknown };

/**
 * Makes and sends an answer while the request is recorded.
 *
 * @returns the answer, if its changes come later
 * @throws what `record` throws
 */
async function answer(
  run: RequestedRun,
  rights: FoundRights,
  context: MemberContext,
  parts: AnswerParts,
): Promise<PostedAnswer | undefined> {
  const { id, request, asker, origin, conversation, typed, fileInto, choseFilters } = run;
  const { running, files, store, log } = parts;
  const { assistant } = conversation;
  const startedAt = performance.now();
  const countEnd = (outcome: RequestEnd['outcome'], records: number, code?: string) => {
    const seconds = (performance.now() - startedAt) / 1000;
    parts.ended?.({ report: request.report, outcome, records, seconds, code });
  };

  /**
   * Adds the request to the request log and the ledger, and to the record of access. All of it is one transaction, because
   * the disk takes longer than the rest.
   */
  async function record() {
    const { range, requestedAt } = run;
    const { channel } = conversation;
    const entry = { channel, asker: asker.id, request, range, requestedAt, choseFilters };
    const isTakenOver = context.takenOver !== undefined;
    const what = assistant?.takeFigures ? 'figures' : 'answer';
    const add = (event?: AccessEvent) =>
      store.requestLog.record(entry, fileInto === undefined ? what : 'file', id, { event, isTakenOver });
    const facts = factsOf(run, parts);
    if ('failure' in rights) await add();
    // Each line of a scorecard has an event of its own.
    else if (request.scorecard) await add();
    else
      await add(askedEvent(facts, rights)).catch(async (err: unknown) => {
        if (err instanceof RecordedElsewhere || isUnreachable(err)) throw err;
        // An event that cannot be written stops no answer.
        await add();
        log.error({ err, kind: 'asked' }, eventNotWritten);
      });
    parts.requestsChanged(asker.id);
    if ('failure' in rights && isFailure(rights.failure, 'access-refused')) {
      const { level, refusal } = rights.failure.details;
      const refused = askedEvent({ ...facts, post: id }, { level, refused: refusal.kind });
      await recordEvent(store.events, refused, log);
    }
  }

  // A turn of the event loop later, when the queries have left.
  const recorded = nextTurn().then(record);
  const { signal, turn } = running.begin(id, asker.id, recorded);
  const cancel = () => void running.cancel(id, asker.id);
  assistant?.signal.addEventListener('abort', cancel);
  if (assistant?.signal.aborted) cancel();
  const begun: { progress?: Progress; before?: PeriodBefore | undefined } = {};

  /** Makes the report, with the rights of the moment when it is made: again if they have narrowed meanwhile. */
  const makeReport = async (first: AnswerRun, { records, units, waits }: Progress) => {
    const fits = fileInto === undefined ? summaryFits : fitsAlone(request);
    const isNew =
      origin.kind === 'asker' && !run.isRepeat && run.range === undefined && fileInto === undefined;
    let made = first;
    for (let attempt = 1; ; attempt += 1) {
      const options = {
        signal,
        onRecords: assistant?.onRecords ?? records,
        onUnits: units,
        onWait: assistant?.onWait ?? waits,
        asker,
        requestedAt: run.requestedAt,
        range: run.range,
        filePath: made.route.file === 'none' ? undefined : files.pathFor(id),
        rowLimit: fileInto === undefined && showsRows(request) ? maxListedRows : undefined,
        fileOnly: fileInto !== undefined,
        scope: made.scope,
        refusesPassedTarget: isNew,
        urgency: 'person',
      } as const;
      const started = await startComparedReport(request, options, origin, parts);
      begun.before = started.before;
      const figures = await started.before.within(maxWaitMs[waitFor(made)]);
      await recorded;
      made = { ...run, ...(await rightsToSend(made, context, parts)) };
      if (fits(started.result.scope, made.scope)) {
        const otherwise = waitFor(made) === 'edited' ? 'not-yet' : 'late';
        const result: ReportResult = { ...started.result, before: figures ?? otherwise };
        return { result, made };
      }
      if (attempt === maxAttempts) throw new Failure('access-changed');
      started.before.stop();
      if (request.file !== undefined) await files.remove(id);
    }
  };

  const recordShare = () => recordEvent(store.events, sharedEvent({ ...factsOf(run, parts), post: id }), log);

  const makeAndSend = async () => {
    signal.throwIfAborted();
    if ('failure' in rights) throw rights.failure;
    const first: AnswerRun = { ...run, ...rights };
    const title = () => formatTitle({ report: reportNamed(request.report), request });
    const direct = goesDirectly(first) ? await parts.channels.directWith(asker.id) : undefined;
    const progress = showProgress(id, title, progressDestination(first, direct), parts, recorded);
    begun.progress = progress;
    await turn;
    if (request.scorecard) {
      const sent = await answerScorecard(
        first,
        { context, progress, recorded, signal, facts: factsOf(run, parts) },
        parts,
      );
      if (run.isShare) await recordShare();
      countEnd('answered', sent);
      return undefined;
    }
    const { result, made } = await makeReport(first, progress);
    const lookAgain = async () => {
      const now = await rightsToSend(made, context, parts);
      if (!areSameRights(made, now)) throw new Failure('access-changed');
      return now;
    };
    const sent = assistant?.takeFigures
      ? await giveFigures(result, made, lookAgain, parts)
      : await sendAnswer(result, made, { progress, lookAgain, signal }, parts);
    if (run.isShare) await recordShare();
    await saveFiguresAndSuggestions(result, run, parts);
    countEnd('answered', result.records);
    const { before } = begun;
    if (result.before !== 'not-yet' || !sent?.message || !before) return undefined;
    begun.before = undefined;
    return { result, run: made, before, message: sent.message, variant: sent.variant, lookAgain };
  };

  /** Ends a run that failed or was cancelled or stopped: in the ledger, in the log, and for the asker. */
  const endFailed = async (error: unknown) => {
    const { progress } = begun;
    // An erasure may have deleted the run. Its asker is told.
    const isErased = isFailure(signal.reason, 'data-erased');
    const isOurs = isErased || (await store.requestLog.isOfThisProcess(id).catch(() => true));
    if (error instanceof EndedElsewhere || !isOurs) {
      await progress?.remove();
      log.warn({ requestId: id }, 'Another process ended a request, so its answer is not posted');
      return countEnd('failed', 0, 'interrupted');
    }
    // If a signal ended the run, its reason is the cause of the failure.
    const mayHaveArrived = isFailure(error, 'file-not-shared') && error.details.mayHaveArrived;
    const reason: unknown = signal.aborted && !mayHaveArrived ? signal.reason : error;
    const isStopping = isFailure(reason, 'stopped');
    if (isStopping && (await parts.handOver(id).catch(() => false))) {
      await progress?.remove();
      log.info({ requestId: id }, 'Another process goes on with a request');
      return countEnd('failed', 0, 'handed-over');
    }
    const isCancelled = isFailure(reason, 'cancelled');
    const code = codeOf(reason);
    const saveEnd = () => endPost(id, reason, parts, isCancelled);
    // A stop leaves little time, so the asker is notified before the progress message is removed.
    if (!isStopping) await progress?.remove();
    if (!isCancelled) logFailure(reason, { requestId: id, report: request.report }, 'A request failed', log);
    // An unconfirmed file has its end.
    if (!isStopping && !mayHaveArrived) await saveEnd();
    countEnd(isCancelled ? 'cancelled' : 'failed', 0, code);
    const isRefused = isFailure(reason, 'access-refused') && !fileInto;
    const message = isCancelled
      ? notice(`Cancelled: ${commandOf(typed, choseFilters === false ? maskPeople(request) : request)}`)
      : failureMessage(
          describeFailure(reason, id, { typed, choseFilters }),
          fileInto ? undefined : id,
          isRefused ? allowedInstead(request, reason.details.refusal) : [],
        );
    const isNotified = await notifyAsker(message, asker.id, conversation, parts.client);
    // If the asker was not notified, the run stays running in the ledger. The next start notifies them.
    if (isStopping && isNotified) await saveEnd();
    if (isStopping) await progress?.remove();
  };

  try {
    return await makeAndSend();
  } catch (error) {
    try {
      await recorded;
    } catch (notRecorded) {
      await begun.progress?.remove();
      countEnd('failed', 0, codeOf(notRecorded));
      throw notRecorded;
    }
    await endFailed(error);
    return undefined;
  } finally {
    assistant?.signal.removeEventListener('abort', cancel);
    begun.before?.stop();
    try {
      if (request.file !== undefined) await files.remove(id);
    } finally {
      running.end(id);
    }
  }
}

/** Saves the figures for later comparisons and the values for suggestions. A failure here does not undo the answer. */
async function saveFiguresAndSuggestions(
  { request, scope, figures, requestedAt, values }: ReportResult,
  { id, origin, asker, isRepeat }: RequestedRun,
  { store, clock, log }: SendParts,
) {
  const at = clock.now();
  try {
    // The asker may have been erased since.
    if ((await store.requestLog.stillWanted([id])).length === 0) return;
    const key = { run: origin, asker: asker.id, request, scope };
    // Together, because SQLite commits all of one turn of the event loop at once.
    await Promise.all([
      figures &&
        !isRepeat &&
        store.lastFigures.save(key, comparableNumbers(figures, ['last-run']), requestedAt),
      store.suggestions.add(values, at),
    ]);
  } catch (error) {
    log.warn({ err: error, requestId: id }, 'The figures and values of an answer could not be saved');
  }
}

/** A report is made again at most this often when rights change meanwhile. */
const maxAttempts = 3;

/**
 * How long an answer waits for the period before, in milliseconds: one that is edited later, one through a response URL,
 * and the test of a digest, which waits as long as the digest. So do the figures for an assistant.
 */
const maxWaitMs = { edited: 150, replied: 5_000, test: 20_000 } as const;

function waitFor(run: AnswerRun): keyof typeof maxWaitMs {
  if (run.isTest || run.conversation.assistant?.takeFigures) return 'test';
  return responseUrlOf(run) ? 'replied' : 'edited';
}

function factsOf(
  { request, asker: { id: person, email: me }, conversation, fileInto, isShare, range: days }: RequestedRun,
  { clock }: AnswerParts,
): RequestFacts {
  const asked = conversation.assistant ? 'assistant' : 'request';
  const withoutFile = isShare ? 'share' : asked;
  const origin = fileInto === undefined ? withoutFile : 'file-button';
  return { at: clock.now(), person, place: conversation.channel, request, origin, me, days };
}

/** The outcome of a request, for the log and the metrics. */
export interface RequestEnd {
  readonly report: string;
  readonly outcome: 'answered' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly records: number;
  readonly code?: string | undefined;
}

export interface AnswerParts extends AskPurposeParts {
  /** True for filter members whose entries the operator's list of names checks. */
  readonly isListed?: (member: string) => boolean;
  /** The names that this process has read lately. Absent: each search reads them. */
  readonly looks?: RecentLooks;
  readonly edits: EditBudget;
  readonly progressShown?: ProgressParts['progressShown'];
  readonly running: RunningRequests;
  /** Lets another process continue a request, because this one stops. False if none can. */
  readonly handOver: (requestId: string) => Promise<boolean>;
  /** Called with a Slack user ID when a request of that person begins or ends. */
  readonly requestsChanged: (asker: string) => void;
  readonly ended?: ((end: RequestEnd) => void) | undefined;
}
