import { type Field, fieldOf, type Report, reportNamed } from '../catalogue/index.js';
import {
  comparableNumbers,
  type EarlierFigures,
  type LastRun,
  type NoEarlierFigures,
} from '../figures/changes.js';
import { fieldsToCount, needsPreviousPeriod } from '../figures/count-report.js';
import type { FiguresPlan, FiguresResult } from '../figures/result.js';
import { endSoFar, isRangeRefusal, previousPeriod, resolveRange } from '../requests/date-range.js';
import { reportForRequest } from '../requests/report-for.js';
import {
  type Asker,
  AskerHasNoAddress,
  RangeRefused,
  type ReportRequest,
  type ResolvedRange,
} from '../requests/request.js';
import { dayAt, formatIsoDay, type WeekStart } from '../time/calendar.js';
import { meansTheAsker, queryFor } from './query.js';
import type { ReadOptions, ReadPlan, ReadResult, ReportSource } from './report-source.js';
import { type Suggestion, suggestionListsIn, suggestionsFromRequest } from './suggestions.js';

/** A request on its way to be run, from whichever door. */
export interface RunOptions {
  readonly request: ReportRequest;
  readonly asker: Asker;
  /** Milliseconds since the epoch: what relative ranges and due dates are measured from. */
  readonly askedAt: number;
  /** The range of an earlier run that is asked again as it was, rather than the request's own resolved anew. */
  readonly range?: ResolvedRange;
  /** Where the CSV goes; absent: none is written. The caller deletes it. */
  readonly csvPath?: string;
  /** The file alone: no figures, no period before. */
  readonly fileOnly?: boolean;
  /** True where the answer may name people, so that the figures may list those to look at. */
  readonly namesPeople: boolean;
  readonly urgency: 'person' | 'digest';
  readonly signal: AbortSignal;
  readonly onRecords?: (records: number) => void;
  readonly onWait?: (milliseconds: number | undefined) => void;
}

export interface RunParts {
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
}

/** What a run came to: plain data, and a file where one was ordered. */
export interface ReportResult {
  readonly report: Report;
  readonly request: ReportRequest;
  readonly asker: Asker;
  readonly askedAt: number;
  readonly range?: ResolvedRange;
  /** Records of the whole answer. */
  readonly records: number;
  /** Those that the report is about: fewer where it is cut to what is overdue. */
  readonly rows: number;
  /** Absent where only the file was ordered. */
  readonly figures?: FiguresResult;
  readonly before: EarlierFigures | NoEarlierFigures;
  /** What figures of a state now are compared with; absent: the same was never run before. */
  readonly lastRun?: LastRun;
  readonly csv?: NonNullable<ReadResult['csv']>;
  /** Values that the answer held and filters can be set to; none of them is about a person. */
  readonly values: readonly Suggestion[];
}

/** How long an answer waits for the period before, in milliseconds. */
const patience = 20_000;

/** Where more of the completed rows than this have no date, nobody can tell what had been completed when. */
const maxUndatedShare = 0.01;

/**
 * Runs a request: one question for the answer, and one for the period before it.
 *
 * @throws RangeRefused, AskerHasNoAddress, and whatever known errors the source has; nothing is left on disk then
 */
export async function runReport(order: RunOptions, parts: RunParts): Promise<ReportResult> {
  const { request, asker, askedAt } = order;
  const report = reportNamed(request.report);
  if (meansTheAsker(request) && !asker.email) throw new AskerHasNoAddress();
  const range = order.range ?? rangeOf(order, parts.weekStart);

  const main = await ask(report, range, order, parts.source, {});
  const before = order.fileOnly ? 'none' : await figuresBefore(report, range, order, parts);

  return {
    report,
    request,
    asker,
    askedAt,
    ...(range ? { range } : {}),
    records: main.records,
    rows: main.figures?.counted ?? main.records,
    ...(main.figures ? { figures: main.figures } : {}),
    before,
    ...(main.csv ? { csv: main.csv } : {}),
    values: [...(main.values ?? []), ...suggestionsFromRequest(request, main.records)],
  };
}

function rangeOf(order: RunOptions, weekStart: WeekStart): ResolvedRange | undefined {
  const report = reportForRequest(order.request);
  if (!report.range) return undefined;
  const words = order.request.range ?? report.range.defaultWords;
  const range = resolveRange(words, report, order.askedAt, order.asker.zone, weekStart);
  if (isRangeRefusal(range)) throw new RangeRefused(report.name, range);
  return range;
}

async function figuresBefore(
  report: Report,
  range: ResolvedRange | undefined,
  order: RunOptions,
  parts: RunParts,
): Promise<EarlierFigures | NoEarlierFigures> {
  if (!range || !needsPreviousPeriod(planFor(range, order, true))) return 'none';
  const earlier = comparablePeriod(report, range, order, parts.weekStart);
  if (!earlier) return 'none';
  const asOf = selectsByAssignedDate(report, order.request)
    ? atEqualAge(range, earlier, order.askedAt)
    : undefined;
  const tooLate = AbortSignal.timeout(patience);
  try {
    const signal = AbortSignal.any([order.signal, tooLate]);
    const before = { ...(asOf === undefined ? {} : { asOf }) };
    const { figures } = await ask(report, earlier, order, parts.source, { before, signal });
    if (!figures) return 'none';
    if (cannotTellWhen(figures)) return 'undated';
    return { figures: comparableNumbers(figures, ['period-before', 'equal-age']), range: earlier, ...before };
  } catch {
    order.signal.throwIfAborted();
    return tooLate.aborted ? 'late' : 'failed';
  }
}

function comparablePeriod(
  report: Report,
  range: ResolvedRange,
  { request, askedAt }: RunOptions,
  weekStart: WeekStart,
): ResolvedRange | undefined {
  // What falls due later had less time to be completed than anything that fell due before.
  if (request.dateField === 'due_date' && range.until * 1000 > askedAt) return undefined;
  const hasFuture = report.range?.hasFuture ?? false;
  return previousPeriod(range, { askedAt, weekStart, hasFuture });
}

function selectsByAssignedDate(report: Report, request: ReportRequest): boolean {
  return (request.dateField ?? report.dateField?.defaultFlag) === 'assigned_date';
}

/** When the earlier period was as long over as the range that was asked for is now. */
function atEqualAge(range: ResolvedRange, earlier: ResolvedRange, askedAt: number): number {
  const end = endSoFar(range, Math.floor(askedAt / 1000));
  return earlier.until * 1000 + (askedAt - end * 1000);
}

function cannotTellWhen({ recounted }: FiguresResult): boolean {
  return recounted !== undefined && recounted.undated > maxUndatedShare * recounted.completed;
}

function ask(
  report: Report,
  range: ResolvedRange | undefined,
  order: RunOptions,
  source: ReportSource,
  { before, signal = order.signal }: { before?: { readonly asOf?: number }; signal?: AbortSignal },
): Promise<ReadResult> {
  const { request, asker, urgency } = order;
  // Which rows are overdue, and how long, the figures know.
  const figures =
    order.fileOnly && !request.overdueOnly ? undefined : planFor(range, order, before !== undefined, before);
  const columns = order.csvPath !== undefined && !before ? columnsOf(report, request) : [];
  const fields = [
    ...new Set([...columns.map((field) => field.flag), ...(figures ? fieldsToCount(figures) : [])]),
  ];
  const reading: ReadPlan = {
    fields,
    ...(figures ? { figures } : {}),
    ...(order.csvPath !== undefined && !before
      ? {
          csv: {
            path: order.csvPath,
            columns,
            ...(request.overdueOnly ? { asCounted: true as const } : {}),
          },
        }
      : {}),
    ...(before ? {} : { lists: suggestionListsIn(report, fields) }),
  };
  const options: ReadOptions = {
    urgency: before ? `${urgency}-before` : urgency,
    asker: asker.id,
    signal,
    ...(before || !order.onRecords ? {} : { onRecords: order.onRecords }),
    ...(before || !order.onWait ? {} : { onWait: order.onWait }),
  };
  return source.read(queryFor(report, request, range, fields, asker.email), reading, options);
}

function planFor(
  range: ResolvedRange | undefined,
  order: RunOptions,
  before: boolean,
  { asOf }: { readonly asOf?: number } = {},
): FiguresPlan {
  const { request, asker, askedAt } = order;
  return {
    report: request.report,
    overdueOnly: request.overdueOnly,
    ...(request.by && !before ? { by: request.by } : {}),
    people: order.namesPeople && !before,
    ...(before ? { figuresOnly: true } : {}),
    byAssignedDate: selectsByAssignedDate(reportNamed(request.report), request),
    ...(asOf === undefined ? {} : { asOf }),
    now: askedAt,
    zone: asker.zone,
    ...(range ? { range: { from: range.from, until: range.until } } : {}),
  };
}

/** The columns of the CSV: the chosen ones in their order, else the report's Essentials. */
export function columnsOf(report: Report, request: ReportRequest): readonly Field[] {
  return (request.columns ?? report.essentials).map((flag) => {
    const field = fieldOf(report, flag);
    if (!field) throw new Error(`The report ${report.name} has no field ${flag}`);
    return field;
  });
}

/**
 * The name of an answer's file: report, first and last day, `engagement_2026-11-09_2026-11-15.csv`; the day asked, in
 * the asker's zone, for the report that has no range.
 */
export function csvName({ request, range, askedAt, asker }: ReportResult): string {
  const days = range
    ? `${range.firstDay}_${range.lastDay}`
    : formatIsoDay(dayAt(Math.floor(askedAt / 1000), asker.zone));
  return `${request.overdueOnly ? 'overdue' : request.report}_${days}.csv`;
}
