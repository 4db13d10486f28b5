import { fieldsOfScope, ownAddressOf, rowCheckOf, type Scope } from '../access/scope.js';
import { memberOf, reportNamed } from '../catalogue/index.js';
import { isFailure } from '../errors/failure.js';
import { comparableNumbers, type EarlierFigures, type NoEarlierFigures } from '../figures/changes.js';
import { fieldsToCount, needsPreviousPeriod } from '../figures/count-report.js';
import type { FiguresResult } from '../figures/result.js';
import { daysSoFar, endSoFar, previousPeriod } from '../requests/date-range.js';
import type { ReportRequest, ResolvedRange } from '../requests/request.js';
import { queriedDate } from '../requests/request-defaults.js';
import { dayAt, startOfDay, type WeekStart } from '../time/calendar.js';
import {
  figuresPlan,
  queryFor,
  type RunOptions,
  type RunParts,
  type RunRanges,
  selectedDueDates,
  selectsByAssignedDate,
} from './queries.js';

/** Above this share of completed rows without a date, a comparison at equal age is not possible. */
const maxUndatedShare = 0.01;

/** The query for the previous period. The caller stops it in the end. */
export interface PeriodBefore {
  /**
   * Waits for its figures, or for the reason why there are none. Undefined: not within these milliseconds.
   *
   * @throws `rows-outside-scope`, and the reason of the run's signal
   */
  within(milliseconds: number): Promise<EarlierFigures | NoEarlierFigures | undefined>;
  /** Ends the query, if it has not ended yet. */
  stop(): void;
}

/** Its query is sent at `start`, or at the first `within`. */
export function periodBefore(
  request: ReportRequest,
  ranges: RunRanges,
  options: RunOptions,
  parts: RunParts,
): PeriodBefore & { start(): void } {
  const late = new AbortController();
  let reading: ReturnType<typeof readFigures> | undefined;
  const start = () => {
    reading ??= readFigures(request, ranges, options, late.signal, parts);
    // It may fail while nothing awaits it.
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

async function readFigures(
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
  const asOf = selectsByAssignedDate(request) ? atEqualAge(range, earlier, requestedAt) : undefined;
  try {
    const counting = {
      ...figuresPlan(request, { ...ranges, queried: earlier }, options),
      figuresOnly: true,
      asOf,
      days: daysOfCut(range, earlier, requestedAt),
    };
    const rowCheck = rowCheckOf(scope);
    const dueRange = selectedDueDates(request, earlier);
    const checked = [...(rowCheck ? fieldsOfScope : []), ...(dueRange ? ['due_date'] : [])];
    const fields = [...new Set([...fieldsToCount(counting), ...checked])];
    const { figures, readAt } = await source.read(
      queryFor(report, request, earlier, fields, options),
      { fields, figures: counting, dueRange, rowCheck, own: ownAddressOf(scope) },
      {
        urgency: `${urgency}-before`,
        asker: asker.id,
        maxSharedAgeMs: options.maxSharedAgeMs,
        signal: AbortSignal.any([options.signal, late]),
        askedFor: urgency === 'person' ? JSON.stringify(request) : undefined,
        figuresMayBeCached: asOf === undefined && isWhole(earlier) && isAboutEverybody(request, scope),
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
    if (isFailure(error, 'rows-outside-scope')) throw error;
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
  if (queriedDate(request) === 'due_date' && range.until * 1000 > requestedAt) return undefined;
  const hasFuture = reportNamed(request.report).range?.hasFuture ?? false;
  return previousPeriod(range, { requestedAt, weekStart, hasFuture });
}

/** True if the range has whole days. Other ranges move with the clock, so their figures cannot be reused. */
function isWhole({ from, until, zone }: ResolvedRange): boolean {
  return [from, until].every((instant) => startOfDay(dayAt(instant, zone), zone) === instant);
}

/** False if filters or the scope limit the rows to people or a team. */
function isAboutEverybody(request: ReportRequest, scope: Scope): boolean {
  const report = reportNamed(request.report);
  return (
    scope.rows === 'all' &&
    request.filters.every(
      ({ object, member }) => memberOf(report, object, member)?.member.personLevel === false,
    )
  );
}

/**
 * The days that a period is divided by which was cut where the requested range is now: as many as that one has. Where
 * clocks change, the same elapsed time may end on another day. Undefined for a period that is not cut.
 */
function daysOfCut(range: ResolvedRange, earlier: ResolvedRange, requestedAt: number): number | undefined {
  const now = Math.floor(requestedAt / 1000);
  const isCut = endSoFar(range, now) - range.from === earlier.until - earlier.from && range.until >= now;
  return isCut ? daysSoFar(range, now) : undefined;
}

/** The instant at which the earlier period was as old as the requested range is now. */
function atEqualAge(range: ResolvedRange, earlier: ResolvedRange, requestedAt: number): number {
  const end = endSoFar(range, Math.floor(requestedAt / 1000));
  return earlier.until * 1000 + (requestedAt - end * 1000);
}

function hasTooManyUndated({ recounted }: FiguresResult): boolean {
  return recounted !== undefined && recounted.undated > maxUndatedShare * recounted.completed;
}
