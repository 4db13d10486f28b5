import {
  isPersonLevelFilter,
  type Report,
  type ReportName,
  reportNamed,
  type TitleOption,
} from '../catalogue/index.js';
import { rangeOfUnits, unitsOf } from './over-time.js';
import { sinceLastYear, weekFromNow } from './range-words.js';
import { conditionIsPersonLevel, type RowCondition } from './row-conditions.js';

/** Entries for one member of one filter object, in the order typed. Never empty. */
export interface FilterChoice {
  /** `user_filter`, `track_filter`, … */
  readonly object: string;
  /** `departments`, `archived`, … */
  readonly member: string;
  /** As typed, without blanks at the ends. Yes/no members have one entry: `true`, `false`, or `any` (see `acceptsAny`). */
  readonly entries: readonly string[];
}

/** A command that narrows assignments, beside the report itself. */
export type RequestView = 'overdue' | 'due';

/** `evidence`: a ZIP with the rows as CSV, and with what proves them. */
export const fileFormats = ['csv', 'xlsx', 'evidence'] as const;

export type FileFormat = (typeof fileFormats)[number];

/** One thing learnt, chosen by its title. */
export interface TitleChoice {
  readonly option: TitleOption;
  /** As typed; once found, the full title. */
  readonly text: string;
  /** The service's identifier, once found. A request runs only if all its titles have one. */
  readonly id?: string;
}

/** What the main rate of a report is to reach: `target:95%@2026-12-31`. */
export interface Target {
  /** Above 0, and at most 100. */
  readonly percent: number;
  /** A day, month, quarter or year in its canonical words; its last day counts. Absent: at any time. */
  readonly by?: string | undefined;
}

/** Several requests that one message answers, with a line for each. */
interface Scorecard {
  /** Of the saved scorecard, when the request was made of it. */
  readonly name: string;
  readonly lines: readonly ScorecardLine[];
}

/** The most lines that one message holds. */
export const maxScorecardLines = 8;

/** One line of a scorecard: a request of its own, or a saved report, which is looked up at each run. */
export type ScorecardLine =
  | { readonly request: ReportRequest }
  /** The name of a saved report when the line was added, and its ID once it was found. */
  | { readonly name: string; readonly saved?: string };

/**
 * A report to run, in the terms of the catalogue. Commands, the builder, digests and the command line make requests.
 * Relative things stay relative: the range is words, and `me` in an e-mail member is the asker of each run.
 * Plain data that survives JSON.
 */
export interface ReportRequest {
  readonly report: ReportName;
  /**
   * `overdue`: assignments that are past due and not completed, most overdue first. `due`: those that are due in the
   * range and not completed, the soonest first. Absent: every row.
   */
  readonly view?: RequestView;
  /**
   * A range in its canonical words (`last-week`, `2026-03-01..2026-03-31`); absent: the default of the report or view.
   * For `overdue` and `due` it is about due dates, unless `dateField` names another date: `overdue last-week` is what
   * fell due last week and is still open.
   */
  readonly range?: string;
  /** What `over:` chose, `12w`: the last so many ended units one by one, in place of a range. */
  readonly over?: string;
  /** The ID of the figure that is drawn over time; absent: the first that has a past. Only with `over`. */
  readonly figure?: string;
  /** Compare with the same unit a year before, in place of the period before. */
  readonly against?: 'last-year';
  /** Only for `overdue` and `due`: the range of the assigned date; absent: since 1 January of last year. */
  readonly assigned?: string;
  /** What `only:` chose, in the order of the catalogue, each once. Never empty. */
  readonly states?: readonly string[];
  /** What `content:`, `track:`, `assessment:` and `workshop:` chose, in the order typed. Never empty. */
  readonly titles?: readonly TitleChoice[];
  /** What `on:` chose; absent: the report's own default. */
  readonly dateField?: string;
  readonly sort?: string;
  /** What `fields:` chose, in that order, each once; absent: the report's Essentials. */
  readonly columns?: readonly string[];
  /** In the order of the catalogue, each member at most once. */
  readonly filters: readonly FilterChoice[];
  /** What rows have to meet beside the filters, in the order of `orderedConditions`. Never empty. */
  readonly conditions?: readonly RowCondition[];
  readonly by?: string;
  /** Show the rows in the answer. `columns` without a file shows them too. */
  readonly showRows?: true;
  /** The file that comes with the answer. */
  readonly file?: FileFormat;
  /** What the file is for, as the record of access stores it. It changes nothing of the answer. */
  readonly purpose?: string;
  /** What the main rate of the report is to reach. */
  readonly target?: Target;
  /**
   * Makes it a scorecard. `report` is then that of its first request, and only `toMe` means something beside it.
   */
  readonly scorecard?: Scorecard;
  /** Answer in a direct message to the asker. */
  readonly toMe: boolean;
}

/** The requests that a request consists of: itself, or those of a scorecard that are no saved reports. */
export function requestsIn(request: ReportRequest): readonly ReportRequest[] {
  return request.scorecard ? requestsInLines(request.scorecard) : [request];
}

function requestsInLines({ lines }: Scorecard): readonly ReportRequest[] {
  return lines.flatMap((line) => ('request' in line ? [line.request] : []));
}

/** A request with each request that it consists of changed. */
export function mapRequests(
  request: ReportRequest,
  change: (request: ReportRequest) => ReportRequest,
): ReportRequest {
  const { scorecard } = request;
  if (!scorecard) return change(request);
  const lines = scorecard.lines.map((line) => ('request' in line ? { request: change(line.request) } : line));
  return { ...request, scorecard: { ...scorecard, lines } };
}

/** What some rules need of a request. */
export type PartOfRequest = Pick<ReportRequest, 'report'> & Partial<ReportRequest>;

/** What narrows a request beside its titles. */
export type Narrowing = Pick<ReportRequest, 'filters' | 'conditions'>;

/** The filters and conditions that a request has and an earlier one had not: a person typed them on top. */
export function narrowingSince(before: Narrowing | undefined, request: Narrowing): Narrowing {
  const conditions = request.conditions?.filter((condition) => !before?.conditions?.includes(condition));
  return {
    filters: request.filters.filter((filter) => !before?.filters.includes(filter)),
    ...(conditions && { conditions }),
  };
}

/** A request for a report with its defaults. */
export function plainRequest(report: ReportName): ReportRequest {
  return { report, filters: [], toMe: false };
}

/** True if the answer shows rows: they were asked for, or columns were and no file has them. */
export function showsRows({ showRows, columns, file }: Partial<ReportRequest>): boolean {
  return showRows === true || (columns !== undefined && file === undefined);
}

/** True if the figures count only some of the records: a view or `only:` narrows them. */
export function narrows({ view, states }: Partial<ReportRequest>): boolean {
  return view !== undefined || states !== undefined;
}

/** Why no row of a view can be in the states of `only:`. */
export type EmptyView =
  /** `overdue only:completed` */
  | 'completed'
  /** `overdue only:due-soon` */
  | 'past-due'
  /** `due only:overdue`: without a range, it begins now. */
  | 'still-ahead';

/** Undefined where rows can be in the view and in one of the states. */
export function emptyView({ report, view, states = [], range }: PartOfRequest): EmptyView | undefined {
  if (!view || states.length === 0) return undefined;
  const open = reportNamed(report).states.flatMap(({ name, isOpen }) => (isOpen ? name : []));
  const possible = states.filter((state) => open.includes(state));
  const isOnly = (state: string) => possible.every((one) => one === state);
  if (possible.length === 0) return 'completed';
  if (view === 'overdue') return isOnly('due-soon') ? 'past-due' : undefined;
  return range === undefined && isOnly('overdue') ? 'still-ahead' : undefined;
}

export interface Asker {
  /** A Slack user ID, or a name for the command line. */
  readonly id: string;
  /** IANA zone. */
  readonly zone: string;
  /** Present when Slack gives it. Replaces `me` in `manager_email:me`. */
  readonly email?: string;
}

/** True if a request contains `me`. It then needs an asker with an e-mail address. */
export function refersToAsker(
  request: Pick<ReportRequest, 'filters' | 'scorecard'> & {
    readonly conditions?: ReportRequest['conditions'] | undefined;
  },
): boolean {
  if (request.scorecard) return requestsInLines(request.scorecard).some(refersToAsker);
  const ofFilters = request.filters.some(({ member, entries }) =>
    entries.some((entry) => entryRefersToAsker(member, entry)),
  );
  return (
    ofFilters ||
    (request.conditions ?? []).some(({ field, values }) =>
      values.some((value) => entryRefersToAsker(field, value)),
    )
  );
}

/** True for the members whose entry `me` means the asker of each run. */
export function acceptsMe(member: string): boolean {
  return member === 'manager_email' || member === 'email';
}

export function entryRefersToAsker(member: string, entry: string): boolean {
  return acceptsMe(member) && entry.toLowerCase() === 'me';
}

/** A range with nothing left relative. */
export interface ResolvedRange {
  /** Its canonical words, `last-week`. */
  readonly words: string;
  /** The IANA zone it was resolved in. */
  readonly zone: string;
  /** Inclusive, epoch seconds. */
  readonly from: number;
  /** Exclusive, epoch seconds. */
  readonly until: number;
  /** First and last day in the zone, `2026-11-09`; the last one is the day of the last second inside. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * True for what people still have to complete: `overdue`, `due`, and assignments with `only:` and an open state. These
 * requests share one window of assigned dates, and leave suspended people out.
 */
export function asksForOpen({ report: name, view, states = [] }: PartOfRequest): boolean {
  const { states: known, dateField } = reportNamed(name);
  const isOpen = (state: string) => known.some((one) => one.isOpen && one.name === state);
  return view !== undefined || (dateField?.defaultFlag === 'assigned_date' && states.some(isOpen));
}

/**
 * The report of a request, with the range that this request takes. `overdue`, `due` and open states have a default of
 * their own. `due`, and a date that lies ahead, give a report a future.
 */
export function reportForRequest({ report: name, view, dateField, states }: PartOfRequest): Report {
  const report = reportNamed(name);
  const { range } = report;
  if (!range) return report;
  if (view === 'due')
    return { ...report, range: { ...range, defaultWords: weekFromNow.words, hasFuture: true } };
  const defaultWords = asksForOpen({ report: name, view, states }) ? sinceLastYear.words : range.defaultWords;
  const liesAhead =
    dateField !== undefined &&
    report.dateField?.choices.some(({ flag, canBeFuture }) => canBeFuture && flag === dateField);
  const hasFuture = range.hasFuture || (!view && liesAhead === true);
  return { ...report, range: { ...range, defaultWords, hasFuture } };
}

/** Range words, and the report that says what they mean. */
export interface RangeOfRequest {
  readonly words: string;
  readonly report: Report;
}

/**
 * True where the range is about due dates, which are decided on rows: `due`, and `overdue last-week` without `on:`. With
 * `on:`, the service decides.
 */
export function hasDueRange({ view, range, dateField }: PartOfRequest): boolean {
  return view === 'due' || (view === 'overdue' && range !== undefined && dateField === undefined);
}

/**
 * The ranges of a request, defaults included. `shown` is the range of the answer, and `queried` the range of the query.
 * They differ where due dates are decided on rows: the query is then about assigned dates. Both are absent if the report
 * has no range.
 */
export function rangesOf(
  request: PartOfRequest,
): Partial<Readonly<Record<'shown' | 'queried', RangeOfRequest>>> {
  const { report: name, range, assigned, over } = request;
  const report = reportForRequest(request);
  if (!report.range) return {};
  if (over !== undefined) {
    const units = { words: rangeOfUnits(unitsOf(over), isCohort(request)), report };
    return { shown: units, queried: units };
  }
  if (hasDueRange(request)) {
    const ofOverdue = reportForRequest({ report: name, view: 'overdue' });
    return {
      shown: { words: range ?? report.range.defaultWords, report },
      queried: { words: assigned ?? sinceLastYear.words, report: ofOverdue },
    };
  }
  const shown = { words: range ?? assigned ?? report.range.defaultWords, report };
  return { shown, queried: shown };
}

/**
 * The date by which the service selects rows; undefined: the service's own. `on:` says what a typed range is about, so
 * the window of open assignments stays that of assigned dates.
 */
export function queriedDate(request: PartOfRequest): string | undefined {
  const { defaultFlag } = reportNamed(request.report).dateField ?? {};
  const isOwnWindow = request.range === undefined && asksForOpen(request);
  return isOwnWindow || hasDueRange(request) ? defaultFlag : (request.dateField ?? defaultFlag);
}

/** True where rows are selected by assigned date: those of a later period had less time to be completed. */
export function isCohort(request: PartOfRequest): boolean {
  return queriedDate(request) === 'assigned_date';
}

/** The entry of `suspended:any`: what people still have to complete then includes suspended people. */
export const anyEntry = 'any';

const suspended = { object: 'user_filter', member: 'suspended' } as const;

/** True for the filter that `any` can be typed for. */
export function acceptsAny(object: string, member: string): boolean {
  return object === suspended.object && member === suspended.member;
}

/** True if the request says whether suspended people count. */
export function filtersSuspended({ filters }: Pick<ReportRequest, 'filters'>): boolean {
  return filters.some(({ object, member }) => acceptsAny(object, member));
}

/** True for `suspended:any`. */
export function asksForAny({ object, member, entries }: FilterChoice): boolean {
  return acceptsAny(object, member) && entries.includes(anyEntry);
}

/**
 * The only entry of a filter that named no one but erased people. Requests with it are refused, because without the
 * filter they would cover everyone.
 */
export const erasedEntry = 'forgotten';

/** True for a request that no one may run until a person changes its filters. */
export function hasErasedFilter({ report, filters, conditions = [] }: ReportRequest): boolean {
  return (
    filters.some(
      (filter) => filter.entries.includes(erasedEntry) && isPersonLevelFilter(reportNamed(report), filter),
    ) ||
    conditions.some(
      (condition) =>
        condition.values.includes(erasedEntry) && conditionIsPersonLevel({ name: report }, condition),
    )
  );
}

/**
 * The filters that go into the query: those of the request, the identifiers of its titles, and without suspended people
 * for what people still have to complete.
 */
export function effectiveFilters(request: Omit<ReportRequest, 'toMe'>): readonly FilterChoice[] {
  const { report, titles = [] } = request;
  const filters = request.filters.filter((choice) => !asksForAny(choice));
  if (asksForOpen(request) && !filtersSuspended(request)) filters.push({ ...suspended, entries: ['false'] });
  for (const { option, id } of titles) {
    const target = reportNamed(report).titleFilters.find((filter) => filter.option === option);
    if (!target || id === undefined) continue;
    const { object, member } = target;
    const at = filters.findIndex((choice) => choice.object === object && choice.member === member);
    const before = at < 0 ? [] : filters.splice(at, 1).flatMap(({ entries }) => entries);
    filters.push({ object, member, entries: [...new Set([...before, id])] });
  }
  return filters;
}

/** Why a request can have no evidence: its report has no range, or none was typed. */
type EvidenceRefusal = 'no-range' | 'range-missing';

/** Evidence is about a range that somebody chose, so that its file says so. */
export function evidenceRefusal(request: PartOfRequest): EvidenceRefusal | undefined {
  if (request.file !== 'evidence') return undefined;
  if (!rangesOf(request).shown) return 'no-range';
  return (request.range ?? request.assigned) === undefined ? 'range-missing' : undefined;
}

/** The range that evidence takes where none was chosen: the default of the request, if people can type it. */
export function ownRangeOfEvidence(request: PartOfRequest): string | undefined {
  const words = rangesOf(request).shown?.words;
  const canBeTyped = words !== weekFromNow.words && words !== sinceLastYear.words;
  return canBeTyped && evidenceRefusal(request) === 'range-missing' ? words : undefined;
}

/** A range to offer where evidence has none: the default of the request, if people can type it. */
export function rangeForEvidence(request: PartOfRequest): string {
  const { words = '' } = rangesOf(request).shown ?? {};
  if (words === weekFromNow.words) return 'this-month';
  return words === sinceLastYear.words ? 'last-month' : words;
}
