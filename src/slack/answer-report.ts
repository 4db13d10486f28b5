import { codeOf, isFailure } from '../errors/failure.js';
import { comparableNumbers } from '../figures/changes.js';
import type { PostedMessage } from '../posts/post.js';
import { type ReportRequest, showsRows } from '../requests/request.js';
import { keptAnswer } from '../runner/answer-parts.js';
import type { RunOrigin } from '../runner/ports.js';
import type { RunOptions } from '../runner/queries.js';
import {
  type PeriodBefore,
  type ReportResult,
  type StartedReport,
  startComparedReport,
} from '../runner/run-report.js';
import type { AnswerRun, RequestedRun, SendParts } from './answer-run.js';
import { deliver } from './delivery/post-message.js';
import { summaryVariantsOf } from './delivery/send-answer.js';
import { maxListedRows } from './messages/rows.js';

/** Makes the report of an answer. The caller stops its query for the period before in the end. */
export function startAnswerReport(
  run: AnswerRun,
  reading: Pick<RunOptions, 'signal' | 'onRecords' | 'onWait'>,
  parts: SendParts,
): Promise<StartedReport> {
  const { id, request, asker, requestedAt, range, scope, route, fileInto } = run;
  return startComparedReport(
    request,
    {
      ...reading,
      asker,
      requestedAt,
      range,
      filePath: route.file === 'none' ? undefined : parts.files.pathFor(id),
      rowLimit: fileInto === undefined ? rowLimitOf(request) : undefined,
      fileOnly: fileInto !== undefined,
      maxSharedAgeMs: mayBeSharedWithDetails(run) ? detailsShareMs : undefined,
      scope,
      urgency: 'person',
    },
    originOf(run),
    parts,
  );
}

/** *Details* that are pressed this soon show the figures of the answer itself, from memory. */
export const detailsShareMs = 10 * 60_000;

/** Answers that list people are not stored for *Details*. They go to direct messages. */
function mayBeSharedWithDetails({ scope, route, fileInto }: AnswerRun): boolean {
  return scope.namesPeople && route.file === 'none' && fileInto === undefined;
}

/** The maximum number of rows in the message of an answer; undefined: none. */
export function rowLimitOf(request: ReportRequest): number | undefined {
  return showsRows(request) ? maxListedRows : undefined;
}

function originOf({ conversation: { channel }, runOf }: RequestedRun): RunOrigin {
  return runOf ?? { kind: 'asker', channel };
}

/** Saves the figures for later comparisons and the values for suggestions. A failure here does not undo the answer. */
export async function saveFiguresAndSuggestions(
  { request, scope, figures, requestedAt, values }: ReportResult,
  run: RequestedRun,
  { store, clock, log }: SendParts,
): Promise<void> {
  const at = clock.now();
  try {
    // The asker may have been erased since.
    if ((await store.requestLog.stillWanted([run.id])).length === 0) return;
    const numbers = figures && !run.isRepeat && comparableNumbers(figures, ['last-run']);
    const key = { run: originOf(run), asker: run.asker.id, request, scope };
    // Together, because SQLite commits all of one turn of the event loop at once.
    await Promise.all([
      numbers && store.lastFigures.save(key, numbers, requestedAt),
      store.suggestions.add(values, at),
    ]);
  } catch (error) {
    log.warn({ err: error, requestId: run.id }, 'The figures and values of an answer could not be saved');
  }
}

/** The service ignored the filter for a team, so its answer is not used. Operators search for this line. */
const rowsOutsideScope = 'The Reporting Service returned records of other people, so the answer was refused';

/** @param known the level of failures that are expected now and then */
export function logFailure(
  error: unknown,
  details: { readonly requestId: string; readonly report: string },
  sentence: string,
  log: SendParts['log'],
  known: 'info' | 'warn' = 'warn',
): void {
  const code = codeOf(error);
  if (isFailure(error, 'rows-outside-scope')) log.error({ ...details, code }, rowsOutsideScope);
  else if (!isFailure(error) || isFailure(error, 'database-unusable'))
    log.error({ err: error, ...details }, sentence);
  else log[known]({ ...details, code }, sentence);
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
  const save = (changed: ReportResult) =>
    store.answerTotals.addChanges(run.id, keptAnswer(run.asker.id, changed, parts.smallestGroup)?.totals);
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
): Promise<void> {
  const variants = summaryVariantsOf(result, run, parts);
  const withoutChanges = summaryVariantsOf({ ...result, before: 'not-yet' }, run, parts);
  if (JSON.stringify(variants) === JSON.stringify(withoutChanges)) return;
  await lookAgain();
  const destination = { kind: 'channel', channel, replaces: ts, onlyReplaces: true } as const;
  const { outcome } = await deliver(variants.slice(variant), destination, parts.client, { lookAgain });
  if (outcome.kind !== 'posted') parts.log.info({ requestId: run.id, code: outcome.code }, notEdited);
}

const notEdited = 'An answer was not edited, so it has no changes';
