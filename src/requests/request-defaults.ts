import { type Report, reportNamed } from '../catalogue/index.js';
import { sinceLastYear, weekFromNow } from './range-words.js';
import type { FilterChoice, PartOfRequest, ReportRequest } from './request.js';

/**
 * True for what people still have to complete: `overdue`, `due`, and assignments with `only:` and an open state. These
 * requests share one window of assigned dates, and leave suspended people out.
 */
export function asksForOpen({
  report: name,
  view,
  states = [],
}: Pick<ReportRequest, 'report' | 'view' | 'states'>): boolean {
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
  const liesAhead = report.dateField?.choices.some(
    ({ flag, canBeFuture }) => canBeFuture && flag === dateField,
  );
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
export function rangesOf(request: PartOfRequest): {
  readonly shown?: RangeOfRequest;
  readonly queried?: RangeOfRequest;
} {
  const { report: name, range, assigned } = request;
  const report = reportForRequest(request);
  if (!report.range) return {};
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
 * The filters that go into the query: those of the request, the identifiers of its titles, and without suspended people
 * for what people still have to complete.
 */
export function effectiveFilters(
  request: Pick<ReportRequest, 'report' | 'filters' | 'view' | 'states' | 'titles'>,
): readonly FilterChoice[] {
  const { report, titles = [] } = request;
  const filters = request.filters.filter((choice) => !asksForAny(choice));
  if (asksForOpen(request) && !filtersSuspended(request)) filters.push({ ...suspended, entries: ['false'] });
  for (const { option, id } of titles) {
    const target = reportNamed(report).titleFilters.find((filter) => filter.option === option);
    if (!target || id === undefined) continue;
    const { object, member } = target;
    const at = filters.findIndex((choice) => choice.object === object && choice.member === member);
    const before = at < 0 ? undefined : filters.splice(at, 1)[0];
    filters.push({ object, member, entries: [...new Set([...(before?.entries ?? []), id])] });
  }
  return filters;
}
