import { learnerFilter, type Scope } from '../access/scope.js';
import { reportNamed } from '../catalogue/index.js';
import { userFilter } from '../catalogue/learner.js';
import { Failure, isFailure } from '../errors/failure.js';
import { fieldsToCount, needsPreviousPeriod } from '../figures/reports/count-report.js';
import type { FiguresResult } from '../figures/result.js';
import {
  comparableNumbers,
  type EarlierFigures,
  type LastRun,
  type NoEarlierFigures,
} from '../figures/summary/changes.js';
import { overTimeRefusal, tooManyUndated } from '../figures/summary/over-time.js';
import type { ResultWithFigures } from '../figures/summary/request.js';
import { daysSoFar, isLeapDay, previousPeriod, yearBefore } from '../requests/date-range.js';
import { joinWords } from '../requests/join-words.js';
import { filtersPeople } from '../requests/person-level.js';
import { quoteTypedWord } from '../requests/problem.js';
import {
  type Asker,
  entryRefersToAsker,
  plainRequest,
  queriedDate,
  type ReportRequest,
  type ResolvedRange,
} from '../requests/request.js';
import { passedTargetRefusal } from '../requests/target.js';
import { dayAt, startOfDay } from '../time/calendar.js';
import type { LastFiguresKey, ReadResult, RunOrigin } from './ports.js';
import {
  answerQuery,
  expectDecided,
  figuresPlan,
  plannedQuery,
  type RunOptions,
  type RunParts,
  type RunRanges,
  resolveRanges,
} from './queries.js';
import { readOverTime } from './run-over-time.js';
import { type Suggestion, suggestionsFromRequest } from './suggestions.js';

/** The result of a run: plain data, and a file if one was requested. */
export interface ReportResult extends Omit<ResultWithFigures, 'figures'> {
  readonly asker: Asker;
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
  /** Set where the run compares rows with those of the last run. */
  readonly newRows?: ReadResult['newRows'];
  readonly sent?: ReadResult['sent'];
  readonly leavesOutPeople?: ReadResult['leavesOutPeople'];
  /** Values of the answer that filters can be set to; none of them is about a person. */
  readonly values: readonly Suggestion[];
}

/**
 * Looks at the assignments of a year. A person who has none is in no team that could be shown.
 *
 * @throws `empty-team` if no one reports to the managers whose teams the request is about
 */
async function expectTeam(
  request: ReportRequest,
  { asker, requestedAt, scope, urgency, maxSharedAgeMs, signal }: RunOptions,
  parts: RunParts,
): Promise<void> {
  const { rows, address } = scope;
  const entries = rows === 'self' ? [] : (learnerFilter(request, 'manager_email')?.entries ?? []);
  const typed = entries.flatMap((entry) =>
    entryRefersToAsker('manager_email', entry) ? (asker.email ?? []) : entry,
  );
  const managers = rows === 'team' && address !== undefined ? [address] : typed;
  if (managers.length === 0) return;
  const filter = { object: userFilter.name, member: 'manager_email', entries: managers };
  const look = { ...plainRequest('assignments'), range: 'last-12-months', filters: [filter] };
  const options = { asker, requestedAt, scope, urgency, maxSharedAgeMs, signal, fileOnly: true };
  const { result, before } = await startReport(look, options, parts);
  before.stop();
  const own = asker.email?.toLowerCase();
  if (result.records === 0)
    throw new Failure('empty-team', {
      managers: joinWords(managers.map(quoteTypedWord), 'or'),
      isOwn: managers.every((manager) => manager.toLowerCase() === own),
    });
}

/** Milliseconds that a finished answer waits for the figures of the previous period, if it is sent only once. */
const maxWaitForBeforeMs = 20_000;

/**
 * Runs a request: one query for the answer, and one for the previous period.
 *
 * @throws `range-refused`, `target-passed`, `asker-has-no-address`, `title-undecided`, `person-erased`, and the known errors of the source; no file is left then
 */
export async function runReport(
  request: ReportRequest,
  options: RunOptions,
  parts: RunParts,
): Promise<ReportResult> {
  return withPeriodBefore(await startReport(request, options, parts));
}

/** Waits for the period before of an answer that is sent once. */
export async function withPeriodBefore({ result, before }: StartedReport): Promise<ReportResult> {
  try {
    return { ...result, before: (await before.within(maxWaitForBeforeMs)) ?? 'late' };
  } finally {
    before.stop();
  }
}

/** A run whose answer is read. The query for the previous period may still run. */
export interface StartedReport {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly before: PeriodBefore;
}

const noLeapDayBefore =
  'The year before has no 29 February. Choose another day, or leave out against:last-year.';

/** The same for an answer over time, which is compared within itself. */
async function startOverTime(
  request: ReportRequest,
  ranges: Parameters<typeof readOverTime>[1],
  options: RunOptions,
  parts: RunParts,
): Promise<StartedReport> {
  const { asker, requestedAt, scope, fileOnly } = options;
  const { figures, before, leavesOutPeople, file } = await readOverTime(request, ranges, options, parts);
  const { records, counted, tooFew } = figures;
  if (options.refusesEmptyTeam && records === 0) await expectTeam(request, options, parts);
  return {
    result: {
      report: reportNamed(request.report),
      request,
      asker,
      scope,
      requestedAt,
      range: ranges.span,
      records,
      rowCount: tooFew === undefined ? counted : undefined,
      figures: fileOnly ? undefined : figures,
      before,
      file,
      leavesOutPeople,
      values: [],
    },
    before: { within: async () => before, stop: () => {} },
  };
}

/** As `runReport`, but returns as soon as the answer itself is read. @throws what `runReport` throws */
export async function startReport(
  request: ReportRequest,
  options: RunOptions,
  parts: RunParts,
): Promise<StartedReport> {
  const { asker, requestedAt, scope } = options;
  const report = reportNamed(request.report);
  expectDecided(request, asker);
  const passed = options.refusesPassedTarget && passedTargetRefusal(request.target, requestedAt, asker.zone);
  if (passed) throw new Failure('target-passed', { because: passed });
  const refusal = overTimeRefusal(request);
  if (refusal) throw new Failure('over-time-refused', { sentence: refusal.sentence });
  const ranges = resolveRanges(request, options, parts.weekStart);
  if (request.over !== undefined && ranges.shown)
    return startOverTime(request, { span: ranges.shown, conditions: ranges.conditions }, options, parts);
  if (request.against && ranges.shown && isLeapDay(ranges.shown))
    throw new Failure('range-refused', { words: ranges.shown.words, because: noLeapDayBefore });

  const { query, plan } = answerQuery(request, ranges, options);
  const reading = parts.source.read(query, plan, { ...options, asker: asker.id, work: parts.work });
  const before = periodBefore(request, ranges, options, parts);
  if (parts.queriesInParallel && !options.comparesLater) before.start();
  let main: ReadResult;
  try {
    main = await reading;
    if (options.refusesEmptyTeam && main.records === 0) await expectTeam(request, options, parts);
  } catch (error) {
    before.stop();
    throw error;
  }
  if (!options.comparesLater) before.start();
  const { records, figures, rows, newRows, file, sent, leavesOutPeople, values = [] } = main;
  const asked = request.filters.length > 0 ? suggestionsFromRequest(request, main) : [];
  const result: ReportResult = {
    report,
    request,
    asker,
    scope,
    requestedAt,
    range: ranges.shown,
    assigned: ranges.queried === ranges.shown ? undefined : ranges.queried,
    records,
    rowCount: figures?.tooFew === undefined ? (figures?.counted ?? records) : undefined,
    rows,
    newRows,
    figures,
    before: 'not-yet',
    file,
    sent,
    leavesOutPeople,
    // Values of a limited answer are not suggested to others.
    values: scope.rows === 'all' && !scope.asksForOwn ? [...values, ...asked] : [],
  };
  return { result, before };
}

/**
 * The same for an answer that is posted: with the figures that it is compared with.
 *
 * @param run the digest, the saved report or the place whose last run it is compared with
 * @throws what `runReport` throws
 */
export async function startComparedReport(
  request: ReportRequest,
  options: RunOptions,
  run: RunOrigin,
  parts: RunParts & {
    readonly store: {
      /** The figures of the last run of each request, so that figures of a current state can show a change. */
      readonly lastFigures: { find(of: LastFiguresKey): Promise<LastRun | undefined> };
    };
  },
): Promise<StartedReport> {
  const { asker, scope } = options;
  // A count of few records would reveal what the answer hides.
  const onRecords = scope.smallestGroup > 1 ? undefined : options.onRecords;
  const [started, lastRun] = await Promise.allSettled([
    startReport(request, { ...options, onRecords, refusesEmptyTeam: true }, parts),
    // While the service works.
    parts.store.lastFigures.find({ run, asker: asker.id, request, scope }),
  ]);
  if (started.status === 'rejected') throw started.reason;
  const { result, before } = started.value;
  if (lastRun.status === 'rejected') {
    before.stop();
    throw lastRun.reason;
  }
  return { result: { ...result, lastRun: result.figures && lastRun.value }, before };
}

/** The query for the previous period. The caller stops it in the end. */
export type PeriodBefore = Pick<ReturnType<typeof periodBefore>, 'within' | 'stop'>;

/** Its query is sent at `start`, or at the first `within`. */
function periodBefore(
  request: ReportRequest,
  ranges: RunRanges,
  options: RunOptions,
  { source, work, weekStart }: RunParts,
) {
  const late = new AbortController();
  let reading: ReturnType<typeof readFigures> | undefined;

  async function readFigures(): Promise<EarlierFigures | NoEarlierFigures> {
    const { asker, requestedAt, urgency, scope, maxSharedAgeMs, signal } = options;
    const range = ranges.queried;
    if (options.fileOnly || !range) return 'none';
    if (!needsPreviousPeriod({ ...figuresPlan(request, ranges, options), figuresOnly: true })) return 'none';
    // Rows that fall due later had less time to be completed than earlier ones.
    if (queriedDate(request) === 'due_date' && range.until * 1000 > requestedAt) return 'none';
    const hasFuture = reportNamed(request.report).range?.hasFuture ?? false;
    const earlierOf = request.against ? yearBefore : previousPeriod;
    const earlier = earlierOf(range, { requestedAt, weekStart, hasFuture });
    if (!earlier) return 'none';
    const now = Math.floor(requestedAt / 1000);
    const end = Math.min(range.until, now);
    // The instant at which the earlier period was as old as the requested range is now.
    const isByAge = queriedDate(request) === 'assigned_date';
    const asOf = isByAge ? earlier.until * 1000 + (requestedAt - end * 1000) : undefined;
    // A period that was cut where the requested range is now is divided by as many days as that one has. Where clocks
    // change, the same elapsed time may end on another day.
    const isCut = end - range.from === earlier.until - earlier.from && range.until >= now;
    try {
      const counting = {
        ...figuresPlan(request, { ...ranges, queried: earlier }, options),
        figuresOnly: true,
        asOf,
        days: isCut ? daysSoFar(range, now) : undefined,
      };
      const wanted = fieldsToCount(counting);
      const { conditions } = ranges;
      const { query, plan } = plannedQuery(
        request,
        earlier,
        wanted,
        { figures: counting, conditions },
        options,
      );
      const { figures, readAt } = await source.read(query, plan, {
        urgency: `${urgency}-before`,
        asker: asker.id,
        work,
        maxSharedAgeMs,
        signal: AbortSignal.any([signal, late.signal]),
        askedFor: urgency === 'person' ? JSON.stringify(request) : undefined,
        figuresMayBeCached: asOf === undefined && canServeOthers(request, earlier, scope),
      });
      if (!figures) return 'none';
      if (figures.tooFew !== undefined) return 'too-few';
      if (tooManyUndated(figures)) return 'undated';
      return {
        figures: comparableNumbers(figures, ['period-before', 'equal-age']),
        range: earlier,
        asOf,
        readAt,
        sketch: figures.sketch,
      };
    } catch (error) {
      signal.throwIfAborted();
      // A service that ignores the forced filter once is not trusted with the rest of the answer.
      if (isFailure(error, 'rows-outside-scope')) throw error;
      return late.signal.aborted ? 'late' : 'failed';
    }
  }

  const start = () => {
    reading ??= readFigures();
    // It may fail while nothing awaits it.
    reading.catch(() => {});
    return reading;
  };
  return {
    start,
    /** Ends the query, if it has not ended yet. */
    stop: () => late.abort(),
    /**
     * Waits for its figures, or for the reason why there are none. Undefined: not within these milliseconds.
     *
     * @throws `rows-outside-scope`, and the reason of the run's signal
     */
    async within(milliseconds: number) {
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), milliseconds);
      });
      try {
        return await Promise.race([start(), waited]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/**
 * True for figures of whole days that are about everybody. Other ranges move with the clock, so their figures cannot be
 * reused, and filters or the scope may limit the rows to people or a team.
 */
function canServeOthers(
  request: ReportRequest,
  { from, until, zone }: ResolvedRange,
  { rows }: Scope,
): boolean {
  return (
    rows === 'all' &&
    startOfDay(dayAt(from, zone), zone) === from &&
    startOfDay(dayAt(until, zone), zone) === until &&
    !filtersPeople(request)
  );
}
