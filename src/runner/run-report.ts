import type { Level } from '../access/levels.js';
import { type AccessEvent, exportedEvent, type RequestFacts } from '../access/record.js';
import { fieldsOfScope, limitFilters, RowsOutsideScope, rowCheckOf, type Scope } from '../access/scope.js';
import {
  essentialsWithManager,
  type Field,
  fieldOf,
  memberOf,
  type Report,
  reportNamed,
} from '../catalogue/index.js';
import { comparableNumbers, type EarlierFigures, type NoEarlierFigures } from '../figures/changes.js';
import { fieldsToCount, needsPreviousPeriod } from '../figures/count-report.js';
import type { ResultWithFigures } from '../figures/format/request.js';
import type { FiguresPlan, FiguresResult } from '../figures/result.js';
import { daysFieldOf, fieldsOfRows } from '../figures/rows.js';
import { endSoFar, previousPeriod, resolveRange } from '../requests/date-range.js';
import { FilterErased, hasErasedFilter } from '../requests/erased-people.js';
import { effectiveFilters, type RangeOfRequest, rangesOf } from '../requests/report-for.js';
import {
  type Asker,
  AskerHasNoAddress,
  entryMeansAsker,
  meansTheAsker,
  narrows,
  RangeRefused,
  type ReportRequest,
  type ResolvedRange,
  TitleUndecided,
} from '../requests/request.js';
import { dayAt, formatIsoDay, startOfDay, type WeekStart } from '../time/calendar.js';
import type { Query, ReadOptions, ReadResult, ReportSource } from './ports.js';
import { type Suggestion, suggestionListsIn, suggestionsFromRequest } from './suggestions.js';

/** How a request is run. */
export interface RunOptions {
  readonly asker: Asker;
  /** Milliseconds since the epoch. Relative ranges and due dates refer to it. */
  readonly requestedAt: number;
  /** The shown range of an earlier run, to run the same again; absent: the request's own. */
  readonly range?: ResolvedRange | undefined;
  /** Where the file goes; absent: none is written. The caller deletes it. */
  readonly filePath?: string | undefined;
  /** How many rows to list, of the columns of the request; absent: none. The caller checks that its reader may see rows. */
  readonly rowLimit?: number | undefined;
  /** Only the file is needed, without figures and the previous period. */
  readonly fileOnly?: boolean;
  /** What the reader may see of the request. It limits the rows, and the figures. */
  readonly scope: Scope;
  readonly urgency: 'person' | 'digest';
  readonly maxSharedAgeMs?: ReadOptions['maxSharedAgeMs'];
  readonly signal: AbortSignal;
  readonly onRecords?: ReadOptions['onRecords'];
  readonly onWait?: ReadOptions['onWait'];
}

export interface RunParts {
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  /** True where the service answers several queries at once, so that the one for the previous period need not wait. */
  readonly queriesInParallel?: boolean;
}

/** The result of a run: plain data, and a file if one was requested. */
export interface ReportResult extends Omit<ResultWithFigures, 'figures'> {
  readonly asker: Asker;
  /** What the reader may see of it. */
  readonly scope: Scope;
  /** Records of the whole answer. */
  readonly records: number;
  /**
   * Rows that the report counts: fewer than the records if a view or states narrow it. Absent where too few people
   * match for any count to be shown.
   */
  readonly rowCount?: number | undefined;
  /** Absent if only the file was needed. */
  readonly figures?: FiguresResult | undefined;
  readonly file?: ReadResult['file'];
  /** Values of the answer that filters can be set to; none of them is about a person. */
  readonly values: readonly Suggestion[];
}

/** How long a finished answer waits for the figures of the previous period, where it is sent only once. */
const maxWaitForBeforeMs = 20_000;

/** Above this share of completed rows without a date, a comparison at equal age is not possible. */
const maxUndatedShare = 0.01;

/**
 * Runs a request: one query for the answer, and one for the previous period.
 *
 * @throws RangeRefused, AskerHasNoAddress, TitleUndecided, FilterErased, and the known errors of the source; no file is left then
 */
export async function runReport(
  request: ReportRequest,
  options: RunOptions,
  parts: RunParts,
): Promise<ReportResult> {
  const { result, before } = await startReport(request, options, parts);
  const figures = await before.within(maxWaitForBeforeMs);
  before.stop();
  return { ...result, before: figures ?? 'late' };
}

/** A run whose answer is read, while the previous period may still be. */
export interface StartedReport {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly before: PeriodBefore;
}

/** The query for the previous period. Whoever has it stops it in the end. */
export interface PeriodBefore {
  /**
   * Waits for its figures, or for the reason why there are none. Undefined: not within these milliseconds.
   *
   * @throws RowsOutsideScope, and the reason of the run's signal
   */
  within(milliseconds: number): Promise<EarlierFigures | NoEarlierFigures | undefined>;
  /** Ends the query, if it has not ended yet. */
  stop(): void;
}

/**
 * The same as `runReport`, but returns as soon as the answer itself is read.
 *
 * @throws what `runReport` throws
 */
export async function startReport(
  request: ReportRequest,
  options: RunOptions,
  parts: RunParts,
): Promise<StartedReport> {
  const { asker, requestedAt, scope } = options;
  const report = reportNamed(request.report);
  if (hasErasedFilter(request)) throw new FilterErased();
  if (meansTheAsker(request) && !asker.email) throw new AskerHasNoAddress();
  const undecided = request.titles?.find(({ id }) => id === undefined);
  if (undecided) throw new TitleUndecided(undecided);
  const ranges = resolveRanges(request, options, parts.weekStart);

  const reading = readAnswer(request, ranges, options, parts.source);
  const before = periodBefore((late) => figuresBefore(request, ranges, options, late, parts));
  if (parts.queriesInParallel) before.start();
  const main = await reading.catch((error: unknown) => {
    before.stop();
    throw error;
  });
  before.start();
  const { records, figures, rows, file, values = [] } = main;
  const result: ReportResult = {
    report,
    request,
    asker,
    scope,
    requestedAt,
    range: ranges.shown,
    records,
    rowCount: rowCountOf(figures, records),
    rows,
    figures,
    before: 'not-yet',
    file,
    // What a limited answer holds is not offered to others.
    values: scope.rows === 'all' ? [...values, ...suggestionsFromRequest(request, records)] : [],
  };
  return { result, before };
}

/** @param read called once at most; its signal ends the query */
function periodBefore(
  read: (late: AbortSignal) => Promise<EarlierFigures | NoEarlierFigures>,
): PeriodBefore & { start(): void } {
  const late = new AbortController();
  let reading: ReturnType<typeof read> | undefined;
  const start = () => {
    reading ??= read(late.signal);
    // Nobody may be waiting when it fails.
    reading.catch(() => {});
    return reading;
  };
  return {
    start,
    stop: () => late.abort(),
    async within(milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const notYet = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, milliseconds, undefined);
      });
      try {
        return await Promise.race([start(), notYet]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function rowCountOf(figures: FiguresResult | undefined, records: number): number | undefined {
  if (!figures) return records;
  return figures.tooFew === undefined ? figures.counted : undefined;
}

/** The resolved ranges of a run; `rangesOf` tells them apart. Both are absent if the report has no range. */
interface RunRanges {
  readonly shown?: ResolvedRange | undefined;
  readonly queried?: ResolvedRange | undefined;
}

/** @throws RangeRefused */
export function resolveRanges(
  request: ReportRequest,
  { requestedAt, asker, range: ofEarlierRun }: Pick<RunOptions, 'requestedAt' | 'asker' | 'range'>,
  weekStart: WeekStart,
): RunRanges {
  const { shown, queried } = rangesOf(request);
  const resolve = (range: RangeOfRequest | undefined) => {
    if (!range) return undefined;
    const resolved = resolveRange(range.words, range.report, requestedAt, asker.zone, weekStart);
    if (!resolved.ok) throw new RangeRefused(request.report, resolved.refusal);
    return resolved.value;
  };
  const first = ofEarlierRun ?? resolve(shown);
  return { shown: first, queried: queried === shown ? first : resolve(queried) };
}

/** Reads the answer itself: its figures, and its file where one is wanted. */
function readAnswer(
  request: ReportRequest,
  ranges: RunRanges,
  options: RunOptions,
  source: ReportSource,
): Promise<ReadResult> {
  const { asker, filePath, fileOnly, rowLimit, scope, urgency, maxSharedAgeMs } = options;
  const { signal, onRecords, onWait } = options;
  const report = reportNamed(request.report);
  // Only the figures know which rows are overdue, and their order.
  const figures =
    fileOnly && !narrows(request)
      ? undefined
      : { ...figuresPlan(request, ranges, options), by: request.by, people: scope.namesPeople };
  const days = figures && daysFieldOf(figures);
  const columns = filePath === undefined ? [] : columnsOf(report, request, days !== undefined);
  const counted = figures ? fieldsToCount(figures) : [];
  const rows =
    rowLimit === undefined ? undefined : { columns: request.columns ?? report.essentials, limit: rowLimit };
  const listed = figures && rows ? fieldsOfRows(rows, figures) : [];
  const rowCheck = rowCheckOf(scope);
  const checked = rowCheck ? fieldsOfScope : [];
  const fields = [...new Set([...columns.map(({ flag }) => flag), ...listed, ...counted, ...checked])];
  const asCounted = narrows(request) ? (true as const) : undefined;
  const file =
    filePath === undefined
      ? undefined
      : {
          path: filePath,
          format: request.file ?? 'csv',
          title: report.title,
          zone: asker.zone,
          columns,
          // What people choose is all that they get.
          days: request.columns ? undefined : days,
          asCounted,
        };
  const lists = suggestionListsIn(report, fields);
  const query = queryFor(report, request, ranges.queried, fields, options);
  return source.read(
    query,
    { fields, figures, file, rows: figures && rows, rowCheck, lists },
    { urgency, asker: asker.id, maxSharedAgeMs, signal, onRecords, onWait },
  );
}

async function figuresBefore(
  request: ReportRequest,
  ranges: RunRanges,
  options: RunOptions,
  late: AbortSignal,
  { source, weekStart }: RunParts,
): Promise<EarlierFigures | NoEarlierFigures> {
  if (options.fileOnly) return 'none';
  const plan = { ...figuresPlan(request, ranges, options), figuresOnly: true };
  const range = ranges.queried;
  if (!range || !needsPreviousPeriod(plan)) return 'none';
  const { asker, requestedAt, urgency, scope } = options;
  const report = reportNamed(request.report);
  const earlier = comparablePeriod(request, range, requestedAt, weekStart);
  if (!earlier) return 'none';
  const asOf = selectsByAssignedDate(report, request) ? atEqualAge(range, earlier, requestedAt) : undefined;
  try {
    const counting = {
      ...figuresPlan(request, { ...ranges, queried: earlier }, options),
      figuresOnly: true,
      asOf,
    };
    const rowCheck = rowCheckOf(scope);
    const fields = [...new Set([...fieldsToCount(counting), ...(rowCheck ? fieldsOfScope : [])])];
    const { figures, readAt } = await source.read(
      queryFor(report, request, earlier, fields, options),
      { fields, figures: counting, rowCheck },
      {
        urgency: `${urgency}-before`,
        asker: asker.id,
        maxSharedAgeMs: options.maxSharedAgeMs,
        signal: AbortSignal.any([options.signal, late]),
        figuresMayBeKept: asOf === undefined && isWhole(earlier) && isAboutEverybody(request, scope),
      },
    );
    if (!figures) return 'none';
    if (figures.tooFew !== undefined) return 'too-few';
    if (hasTooManyUndated(figures)) return 'undated';
    return {
      figures: comparableNumbers(figures, ['period-before', 'equal-age']),
      range: earlier,
      asOf,
      readAt,
    };
  } catch (error) {
    options.signal.throwIfAborted();
    // A service that ignores the forced filter once is not trusted with the rest of the answer.
    if (error instanceof RowsOutsideScope) throw error;
    return late.aborted ? 'late' : 'failed';
  }
}

function comparablePeriod(
  request: ReportRequest,
  range: ResolvedRange,
  requestedAt: number,
  weekStart: WeekStart,
): ResolvedRange | undefined {
  // Rows that fall due later had less time to be completed than earlier ones.
  if (request.dateField === 'due_date' && range.until * 1000 > requestedAt) return undefined;
  const hasFuture = reportNamed(request.report).range?.hasFuture ?? false;
  return previousPeriod(range, { requestedAt, weekStart, hasFuture });
}

/** A period that begins or ends within a day moves with the clock, so its figures would serve nobody later. */
function isWhole({ from, until, zone }: ResolvedRange): boolean {
  return [from, until].every((instant) => startOfDay(dayAt(instant, zone), zone) === instant);
}

/** False where filters or the scope limit the rows to people or a team. */
function isAboutEverybody(request: ReportRequest, scope: Scope): boolean {
  const report = reportNamed(request.report);
  return (
    scope.rows === 'all' &&
    request.filters.every(
      ({ object, member }) => memberOf(report, object, member)?.member.personLevel === false,
    )
  );
}

function selectsByAssignedDate(report: Report, request: ReportRequest): boolean {
  return (request.dateField ?? report.dateField?.defaultFlag) === 'assigned_date';
}

/** The instant at which the earlier period was as old as the requested range is now. */
function atEqualAge(range: ResolvedRange, earlier: ResolvedRange, requestedAt: number): number {
  const end = endSoFar(range, Math.floor(requestedAt / 1000));
  return earlier.until * 1000 + (requestedAt - end * 1000);
}

function hasTooManyUndated({ recounted }: FiguresResult): boolean {
  return recounted !== undefined && recounted.undated > maxUndatedShare * recounted.completed;
}

/** The part of the plan that all queries of a run share. */
function figuresPlan(
  request: ReportRequest,
  { shown, queried }: RunRanges,
  { asker, requestedAt, scope }: RunOptions,
): FiguresPlan {
  const { report, view, states } = request;
  return {
    report,
    view,
    states,
    dueRange: view === 'due' ? shown : undefined,
    people: false,
    byAssignedDate: selectsByAssignedDate(reportNamed(report), request),
    now: requestedAt,
    smallestGroup: scope.smallestGroup,
    zone: asker.zone,
    range: queried && { from: queried.from, until: queried.until },
  };
}

/**
 * Builds the query of a request.
 *
 * @param fields every flag to ask for, each once
 * @param asker whose address replaces `me`; the caller checks that it is known if needed
 */
export function queryFor(
  report: Report,
  request: ReportRequest,
  range: ResolvedRange | undefined,
  fields: readonly string[],
  { asker, scope }: Pick<RunOptions, 'asker' | 'scope'>,
): Query {
  const body: Record<string, unknown> = {};
  for (const flag of fields) body[flag] = true;
  const filters = limitFilters(effectiveFilters(request), scope);
  for (const { name } of report.filters) {
    const chosen = filters.filter(({ object }) => object === name);
    if (chosen.length === 0) continue;
    body[name] = Object.fromEntries(
      chosen.map(({ member, entries }) => [
        member,
        entries.map((entry) => (entryMeansAsker(member, entry) ? (asker.email ?? entry) : entry)).join(','),
      ]),
    );
  }
  const dateField = request.dateField ?? report.dateField?.defaultFlag;
  if (dateField !== undefined && report.dateField) body.range_target = dateField;
  if (request.sort !== undefined) body.sort_by = request.sort;
  return {
    operation: report.operation,
    range: range && { from: range.from, until: range.until },
    addsUp: report.range?.isAdditive ?? false,
    body,
  };
}

/**
 * The columns of the file: the chosen ones in their order, else the report's Essentials.
 *
 * @param isAboutDueDates true for rows that somebody has to act on, so that their managers are among the Essentials
 */
function columnsOf(report: Report, request: ReportRequest, isAboutDueDates: boolean): readonly Field[] {
  const essentials = isAboutDueDates ? essentialsWithManager(report) : report.essentials;
  return (request.columns ?? essentials).map((flag) => {
    const field = fieldOf(report, flag);
    if (!field) throw new Error(`The report ${report.name} has no field ${flag}`);
    return field;
  });
}

/** The event of the record for the file of an answer. */
export function exportOf(
  { file, request, records, figures, scope }: ReportResult,
  name: string,
  facts: RequestFacts,
  level: Level | undefined,
): AccessEvent {
  const columns = (file?.columns ?? []).map(({ flag, member }) =>
    member === undefined ? flag : `${flag}.${member}`,
  );
  const rowCount = narrows(request) ? (figures?.counted ?? records) : records;
  return exportedEvent(facts, { name, columns, rowCount, scope, level });
}

/**
 * The name of an answer's file: report, first and last day, `engagement_2026-11-09_2026-11-15.csv`. The report
 * without a range has the day of the request, in the asker's zone.
 */
export function fileName({ request, range, requestedAt, asker }: ReportResult): string {
  const days = range
    ? `${range.firstDay}_${range.lastDay}`
    : formatIsoDay(dayAt(Math.floor(requestedAt / 1000), asker.zone));
  return `${request.view ?? request.report}_${days}.${request.file ?? 'csv'}`;
}

/** What a reader of a workbook has to know: the zone of its times, and whether texts were cut. None for a CSV. */
export function notesOnFile({ file, request, asker }: ReportResult): readonly string[] {
  if (request.file !== 'xlsx' || !file) return [];
  const zone = `Times are in ${asker.zone}.`;
  if (!file.cutCells) return [zone];
  const cells = file.cutCells === 1 ? '1 cell was' : `${file.cutCells} cells were`;
  return [zone, `${cells} cut at 32,767 characters, the limit of Excel. A CSV has the whole text.`];
}
