import { fieldsOfScope, limitFilters, rowCheckOf, type Scope } from '../access/scope.js';
import {
  essentialsWithManager,
  type Field,
  fieldNamed,
  hasLearners,
  type Report,
  reportNamed,
} from '../catalogue/index.js';
import { Failure } from '../errors/failure.js';
import { fieldsOfConditions } from '../figures/conditions-plan.js';
import { fieldsToCount } from '../figures/reports/count-report.js';
import { fieldsOfNewRows, type NewRowsPlan } from '../figures/reports/new-rows.js';
import { daysFieldOf, fieldsOfRows, type RowsPlan } from '../figures/reports/rows.js';
import type { FiguresPlan } from '../figures/result.js';
import { resolveRange } from '../requests/date-range.js';
import type { OverUnit } from '../requests/over-time.js';
import { quoteTypedWord } from '../requests/problem.js';
import { rangeRefusalText } from '../requests/problem-messages.js';
import {
  type Asker,
  effectiveFilters,
  entryRefersToAsker,
  filtersSuspended,
  hasDueRange,
  hasErasedFilter,
  narrows,
  queriedDate,
  type RangeOfRequest,
  type ReportRequest,
  type ResolvedRange,
  rangesOf,
  refersToAsker,
} from '../requests/request.js';
import { hasConditionOfNow } from '../requests/row-conditions.js';
import { hasPace, windowOfPace } from '../requests/target.js';
import { compact } from '../requests/text.js';
import { dayAt, formatIsoDay, type WeekStart } from '../time/calendar.js';
import { conditionsAsFilters, conditionsPlan } from './condition-plans.js';
import { neighbourFilters } from './neighbour-filters.js';
import type {
  FilePlan,
  Query,
  ReadOptions,
  ReadPlan,
  ReadResult,
  ReportSource,
  TableFile,
  UnitTotals,
} from './ports.js';
import { type SuggestionList, suggestionLists } from './suggestions.js';

export interface RunOptions {
  readonly asker: Asker;
  /** Milliseconds since the epoch. Relative ranges and due dates refer to it. */
  readonly requestedAt: number;
  /** The shown range of an earlier run, to run the same again; absent: the request's own. */
  readonly range?: ResolvedRange | undefined;
  /** The path of the file; absent: none is written. The caller deletes it. */
  readonly filePath?: string | undefined;
  /** The number of rows to list; absent: none. The caller checks that the reader may see rows. */
  readonly rowLimit?: number | undefined;
  /** Set where only rows are listed that the last run did not have. The report has a `rowIdentity`. */
  readonly newRows?: NewRowsPlan | undefined;
  /** Only the file is needed, without figures and the previous period. */
  readonly fileOnly?: boolean;
  /** True where the figures of the period before are wanted only if `withPeriodBefore` is called. */
  readonly comparesLater?: boolean;
  /** The reader's scope. It limits the rows and the figures. */
  readonly scope: Scope;
  readonly urgency: 'person' | 'digest';
  /** True where the people of several answers are compared, so that none differs from another by too few. */
  readonly comparesPeople?: boolean;
  /** True refuses a target whose date has passed. What was saved before says how far it was. */
  readonly refusesPassedTarget?: boolean;
  /** True refuses a team without people, in place of an answer without rows. */
  readonly refusesEmptyTeam?: boolean;
  readonly maxSharedAgeMs?: ReadOptions['maxSharedAgeMs'];
  readonly signal: AbortSignal;
  readonly onRecords?: ReadOptions['onRecords'];
  /** Called after each unit of an answer over time that is asked for by itself. */
  readonly onUnits?: ((read: UnitsRead) => void) | undefined;
  readonly onWait?: ReadOptions['onWait'];
}

/** How many units of an answer over time have been read. */
export interface UnitsRead {
  readonly done: number;
  readonly total: number;
  readonly unit: OverUnit;
}

export interface RunParts {
  readonly source: ReportSource;
  /** The ID of the delivery or the run of a digest that the report is run for, for the log. */
  readonly work?: string | undefined;
  readonly weekStart: WeekStart;
  /** True if the service answers several queries at once. The one for the previous period then does not wait. */
  readonly queriesInParallel?: boolean;
  /** Absent: no figures of units are kept. */
  readonly unitTotals?: UnitTotals | undefined;
  /** Tells the service apart from others, and the names that it is asked by from those before a change of the list. */
  readonly serviceVersion?: string | undefined;
  /** The number that tells the current list of people who are left out apart; undefined: nobody is. */
  readonly listOfLeftOut?: (() => number | undefined) | undefined;
  /** Writes the file of an answer over time. */
  readonly writeTable?: ((file: TableFile, signal: AbortSignal) => Promise<ReadResult['file']>) | undefined;
}

/** The resolved ranges of a run; `rangesOf` tells them apart. Both are absent if the report has no range. With its conditions. */
export type RunRanges = ReturnType<typeof resolveRanges>;

/** @throws `person-erased`, `asker-has-no-address`, `title-undecided` for a request that cannot be asked as it is */
export function expectDecided(request: ReportRequest, { email }: Asker): void {
  if (hasErasedFilter(request)) throw new Failure('person-erased');
  if (refersToAsker(request) && !email) throw new Failure('asker-has-no-address');
  const undecided = request.titles?.find(({ id }) => id === undefined);
  if (undecided) throw new Failure('title-undecided', { title: quoteTypedWord(undecided.text) });
}

/** @throws `range-refused` */
export function resolveRanges(
  request: ReportRequest,
  { requestedAt, asker, range: ofEarlierRun }: Pick<RunOptions, 'requestedAt' | 'asker' | 'range'>,
  weekStart: WeekStart,
) {
  const { shown, queried } = rangesOf(request);
  const resolve = (range: RangeOfRequest | undefined) => {
    if (!range) return undefined;
    const resolved = resolveRange(range.words, range.report, requestedAt, asker.zone, weekStart);
    if (!resolved.ok) {
      const { reason, words } = resolved.refusal;
      throw new Failure('range-refused', { words, because: rangeRefusalText(reason, request.report) });
    }
    return resolved.value;
  };
  const first = ofEarlierRun ?? resolve(shown);
  return {
    shown: first,
    queried: queried === shown ? first : resolve(queried),
    conditions: request.conditions?.length
      ? conditionsPlan(request.report, request.conditions, { asker, requestedAt }, weekStart)
      : undefined,
  };
}

export interface PlannedQuery {
  readonly query: Query;
  readonly plan: ReadPlan;
}

/** The query of the answer itself: its figures, and its file and rows where they are wanted. */
export function answerQuery(request: ReportRequest, ranges: RunRanges, options: RunOptions): PlannedQuery {
  const { asker, filePath, fileOnly, rowLimit, newRows, scope } = options;
  const report = reportNamed(request.report);
  // Only the figures know which rows are overdue, and their order.
  const isEvidence = request.file === 'evidence';
  const figures =
    fileOnly && !narrows(request) && !isEvidence
      ? undefined
      : {
          ...figuresPlan(request, ranges, options),
          by: request.by,
          people: scope.namesPeople,
          paceRange: request.target && paceRangeOf(request, ranges.shown, options),
        };
  const days = filePath === undefined || !figures ? undefined : daysFieldOf(figures);
  const file: FilePlan | undefined =
    filePath === undefined
      ? undefined
      : {
          path: filePath,
          format: request.file === 'xlsx' ? 'xlsx' : 'csv',
          title: report.title,
          zone: asker.zone,
          columns: columnsOf(report, request, days !== undefined),
          // Chosen columns are complete: none is added.
          days: request.columns ? undefined : days,
          asCounted: narrows(request) ? true : undefined,
          persons: isEvidence ? personFieldsOf(report) : undefined,
        };
  const rows: RowsPlan | undefined =
    rowLimit === undefined || !figures
      ? undefined
      : {
          columns: request.columns ?? report.essentials,
          ...(!request.columns && { isForReading: true }),
          limit: rowLimit,
        };
  const wanted = compact(
    file?.columns.map(({ flag }) => flag),
    file?.persons?.map(({ flag }) => flag),
    figures && rows && fieldsOfRows(rows, figures),
    figures && newRows && fieldsOfNewRows(request.report),
    figures && fieldsToCount(figures),
  );
  const reading = { figures, file, rows, newRows: figures && newRows, conditions: ranges.conditions };
  const { query, plan } = plannedQuery(request, ranges.queried, wanted, reading, options);
  return { query, plan: { ...plan, lists: suggestionListsIn(report, plan.fields) } };
}

/** The range that the pace of a target is counted in; undefined for a request that has no pace. */
function paceRangeOf(
  request: ReportRequest,
  shown: ResolvedRange | undefined,
  { requestedAt, asker: { zone } }: Pick<RunOptions, 'requestedAt' | 'asker'>,
): FiguresPlan['paceRange'] {
  if (!shown || !hasPace(request)) return undefined;
  const { since, until } = windowOfPace(shown, requestedAt);
  const dayOf = (at: number) => formatIsoDay(dayAt(at, zone));
  // A day without a time is wholly inside or not, so that the days are as many as the weeks have.
  const firstDay = since === shown.from ? shown.firstDay : dayOf(since + daySeconds);
  return { from: since, until, firstDay, lastDay: dayOf(until - 1) };
}

/** What evidence says about the person of a row. */
function personFieldsOf(report: Report): readonly Field[] {
  if (!hasLearners(report)) return [];
  return ['userid', 'email', 'first_name', 'last_name', 'suspended'].map((flag) => fieldNamed(report, flag));
}

/** The lists whose values are in an answer with these fields. */
export function suggestionListsIn({ name }: Report, fields: readonly string[]): readonly SuggestionList[] {
  return (suggestionLists.get(name) ?? []).filter(({ field }) => fields.includes(field));
}

/** A query for the rows of a request that the scope allows, with the fields that these rows are checked by. */
export function plannedQuery(
  request: ReportRequest,
  range: ResolvedRange | undefined,
  wanted: readonly string[],
  plan: Pick<ReadPlan, 'figures' | 'file' | 'rows' | 'newRows' | 'teams' | 'titles' | 'conditions'>,
  options: Pick<RunOptions, 'asker' | 'scope'>,
): PlannedQuery {
  const { rows, asksForOwn, address } = options.scope;
  const rowCheck = rowCheckOf(options.scope);
  // The service selects by instants, and a day without a time is decided on rows.
  const dueRange = queriedDate(request) === 'due_date' ? range : undefined;
  const needed = compact(
    rowCheck && fieldsOfScope,
    dueRange && 'due_date',
    plan.conditions && fieldsOfConditions(plan.conditions),
  );
  const fields = [...new Set([...wanted, ...needed])];
  return {
    query: queryFor(reportNamed(request.report), request, range, fields, options),
    plan: { ...plan, fields, dueRange, rowCheck, own: rows === 'self' || asksForOwn ? address : undefined },
  };
}

const daySeconds = 24 * 60 * 60;

/** Those who may see the rows of their team or their own need no subtraction. */
function isProtected({ report }: ReportRequest, { smallestGroup, rows }: Scope): boolean {
  return smallestGroup > 1 && rows === 'all' && hasLearners(reportNamed(report));
}

/** The part of the plan that all queries of a run share. */
export function figuresPlan(
  request: ReportRequest,
  { shown, queried, conditions }: RunRanges,
  { asker, requestedAt, scope, comparesPeople }: RunOptions,
): FiguresPlan {
  const { report, view, states } = request;
  return {
    report,
    view,
    states,
    dueRange: hasDueRange(request) ? shown : undefined,
    filtersSuspended: filtersSuspended(request) || undefined,
    people: false,
    byAssignedDate: queriedDate(request) === 'assigned_date',
    now: requestedAt,
    smallestGroup: scope.smallestGroup,
    conditions,
    isOfNow: hasConditionOfNow(request) || undefined,
    isFiltered: scope.smallestGroup > 1 && (request.filters.length > 0 || conditions !== undefined),
    neighbours: isProtected(request, scope)
      ? [...neighbourFilters(request), ...(conditions ? conditionsAsFilters(conditions) : [])]
      : undefined,
    sketchesPeople: (comparesPeople && isProtected(request, scope)) || undefined,
    zone: asker.zone,
    // A range that ends in the future has days that have not begun.
    range: queried && { from: queried.from, until: Math.min(queried.until, Math.ceil(requestedAt / 1000)) },
  };
}

/**
 * @param fields every flag to ask for, each once
 * @param asker whose address replaces `me`; the caller checks that it is known if needed
 */
function queryFor(
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
        entries
          .map((entry) => (entryRefersToAsker(member, entry) ? (asker.email ?? entry) : entry))
          .join(','),
      ]),
    );
  }
  const dateField = report.dateField && queriedDate(request);
  if (dateField !== undefined) body.range_target = dateField;
  if (request.sort !== undefined) body.sort_by = request.sort;
  // Due dates are days, and the midnight of a day is less than a day away from that of any zone.
  const margin = dateField === 'due_date' ? daySeconds : 0;
  return queryOf(
    report,
    range && { from: Math.max(0, range.from - margin), until: range.until + margin },
    body,
  );
}

export function queryOf(report: Report, range: Query['range'], body: Query['body']): Query {
  return { operation: report.operation, range, addsUp: report.range?.isAdditive ?? false, body };
}

/**
 * The columns of the file: the chosen ones in their order, else the report's Essentials.
 *
 * @param isAboutDueDates true adds the managers, who have to act, and leaves out the date of completion, which these
 *   rows do not have
 */
function columnsOf(report: Report, request: ReportRequest, isAboutDueDates: boolean): readonly Field[] {
  const essentials = isAboutDueDates
    ? essentialsWithManager(report).filter((flag) => flag !== 'completed_date')
    : report.essentials;
  return (request.columns ?? essentials).map((flag) => fieldNamed(report, flag));
}
