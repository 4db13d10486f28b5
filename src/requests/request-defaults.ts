import { type Report, reportNamed } from '../catalogue/index.js';
import { weekFromNow, yearUpToNow } from './range-words.js';
import type { FilterChoice, ReportRequest } from './request.js';

/**
 * The report of a request, with the range that this request takes. `overdue`, `due` and open states have a default of
 * their own. `due`, and a date that lies ahead, give a report a future.
 */
export function reportForRequest({
  report: name,
  view,
  dateField,
  states,
}: Pick<ReportRequest, 'report' | 'view' | 'dateField' | 'states'>): Report {
  const report = reportNamed(name);
  const { range } = report;
  if (!range) return report;
  if (view === 'due') {
    const ahead = { defaultWords: weekFromNow.words, hasFuture: true, todayIsWhole: true } as const;
    return { ...report, range: { ...range, ...ahead } };
  }
  const coversYear = view === 'overdue' || asksForOpen(report, states);
  const defaultWords = coversYear ? yearUpToNow.words : range.defaultWords;
  const liesAhead = report.dateField?.choices.some(
    ({ flag, canBeFuture }) => canBeFuture && flag === dateField,
  );
  const hasFuture = range.hasFuture || (!view && liesAhead === true);
  return { ...report, range: { ...range, defaultWords, hasFuture } };
}

/** Open assignments may have been assigned long ago, so their default range is long. */
function asksForOpen({ states: known, dateField }: Report, states: ReportRequest['states'] = []): boolean {
  const isOpen = (state: string) => known.some(({ name, isOpen }) => isOpen && name === state);
  return dateField?.defaultFlag === 'assigned_date' && states.some(isOpen);
}

/** Range words, and the report that says what they mean. */
export interface RangeOfRequest {
  readonly words: string;
  readonly report: Report;
}

/**
 * The ranges of a request, defaults included. `shown` is the range of the answer, and `queried` the range of the query.
 * They differ for `due`, which queries by assigned date and shows due dates. Both are absent if the report has no range.
 */
export function rangesOf(
  request: Pick<ReportRequest, 'report' | 'view' | 'range'> & Partial<ReportRequest>,
): {
  readonly shown?: RangeOfRequest;
  readonly queried?: RangeOfRequest;
} {
  const report = reportForRequest(request);
  if (!report.range) return {};
  const shown = { words: request.range ?? report.range.defaultWords, report };
  if (request.view !== 'due') return { shown, queried: shown };
  const assigned = { ...request, view: 'overdue', range: request.assigned } as const;
  return { shown, queried: rangesOf(assigned).queried };
}

/** The entry of `suspended:any`: `overdue` and `due` then include suspended people. */
export const anyEntry = 'any';

const suspended = { object: 'user_filter', member: 'suspended' } as const;

/** True for the filter that `any` can be typed for. */
export function acceptsAny(object: string, member: string): boolean {
  return object === suspended.object && member === suspended.member;
}

/**
 * The filters that go into the query: those of the request, the identifiers of its titles, and without suspended people
 * for `overdue` and `due`.
 */
export function effectiveFilters(
  request: Pick<ReportRequest, 'report' | 'filters' | 'view' | 'titles'>,
): readonly FilterChoice[] {
  return withTitles(withoutSuspended(request), request);
}

function withoutSuspended({
  filters,
  view,
}: Pick<ReportRequest, 'filters' | 'view'>): readonly FilterChoice[] {
  const isTyped = filters.some(({ object, member }) => acceptsAny(object, member));
  if (view && !isTyped) return [...filters, { ...suspended, entries: ['false'] }];
  return filters.filter(
    ({ object, member, entries }) => !(acceptsAny(object, member) && entries.includes(anyEntry)),
  );
}

function withTitles(
  filters: readonly FilterChoice[],
  { report, titles = [] }: Pick<ReportRequest, 'report' | 'titles'>,
): readonly FilterChoice[] {
  return titles.reduce((chosen, { option, id }) => {
    const target = reportNamed(report).titleFilters.find((filter) => filter.option === option);
    if (!target || id === undefined) return chosen;
    const { object, member } = target;
    const before = chosen.find((choice) => choice.object === object && choice.member === member);
    const entries = [...new Set([...(before?.entries ?? []), id])];
    return [...chosen.filter((choice) => choice !== before), { object, member, entries }];
  }, filters);
}
