import { comparableNumbers } from '../figures/changes.js';
import { type ReportRequest, type ResolvedRange, showsRows } from '../requests/request.js';
import type { RunOrigin } from '../runner/ports.js';
import type { RunOptions } from '../runner/queries.js';
import { type ReportResult, type StartedReport, startComparedReport } from '../runner/run-report.js';
import type { AnswerRun, SendParts } from './delivery/answer-run.js';
import { maxListedRows } from './messages/rows.js';

/** How the report of an answer is made, and which of its figures are stored. */
export interface ReportOptions {
  /** The range of an earlier answer that is run again. */
  readonly range?: ResolvedRange | undefined;
  /** The digest or saved report that is run; absent for other requests. */
  readonly runOf?: Exclude<RunOrigin, { readonly kind: 'asker' }>;
  /** True for tests, *Send again* and *Share to channel*: later answers are not compared with this one. */
  readonly isRepeat?: boolean;
}

/** Makes the report of an answer. The caller stops its query for the period before in the end. */
export function startAnswerReport(
  request: ReportRequest,
  run: AnswerRun,
  options: ReportOptions,
  reading: Pick<RunOptions, 'signal' | 'onRecords' | 'onWait'>,
  parts: SendParts,
): Promise<StartedReport> {
  const { id, asker, requestedAt, scope, route, fileInto } = run;
  return startComparedReport(
    request,
    {
      ...reading,
      asker,
      requestedAt,
      range: options.range,
      filePath: route.file === 'none' ? undefined : parts.files.pathFor(id),
      rowLimit: rowLimitOf(request, run),
      fileOnly: fileInto !== undefined,
      maxSharedAgeMs: mayBeSharedWithDetails(run) ? detailsShareMs : undefined,
      scope,
      urgency: 'person',
    },
    originOf(run, options),
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
export function rowLimitOf(
  request: ReportRequest,
  { fileInto }: Pick<AnswerRun, 'fileInto'>,
): number | undefined {
  return fileInto === undefined && showsRows(request) ? maxListedRows : undefined;
}

function originOf({ conversation: { channel } }: AnswerRun, { runOf }: ReportOptions): RunOrigin {
  return runOf ?? { kind: 'asker', channel };
}

/** Saves the figures for later comparisons and the values for suggestions. A failure here does not undo the answer. */
export async function saveFiguresAndSuggestions(
  result: ReportResult,
  run: AnswerRun,
  options: ReportOptions,
  { store, clock, log }: SendParts,
): Promise<void> {
  const at = clock.now();
  try {
    // The asker may have been erased since.
    if ((await store.requestLog.stillWanted([run.id])).length === 0) return;
    const numbers =
      result.figures && !options.isRepeat ? comparableNumbers(result.figures, ['last-run']) : undefined;
    const { request, scope } = result;
    const key = { run: originOf(run, options), asker: run.asker.id, request, scope };
    // Together, because SQLite commits all of one turn of the event loop at once.
    await Promise.all([
      numbers && store.lastFigures.save(key, numbers, result.requestedAt),
      store.suggestions.add(result.values, at),
    ]);
  } catch (error) {
    log.warn({ err: error, requestId: run.id }, 'The figures and values of an answer could not be saved');
  }
}

/** The service ignored the filter for a team, so its answer is not used. Operators search for this line. */
export const rowsOutsideScope =
  'The Reporting Service returned records of other people, so the answer was refused';
