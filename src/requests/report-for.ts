import { type Report, reportNamed } from '../catalogue/index.js';
import { yearUpToNow } from './range-words.js';
import type { FilterChoice, ReportRequest } from './request.js';

/**
 * The report of a request, with the range that this request takes: `overdue` has a default of its own, and a date that
 * lies ahead, such as the due date, gives a report a future.
 */
export function reportForRequest({
  report: name,
  view,
  dateField,
}: Pick<ReportRequest, 'report' | 'view' | 'dateField'>): Report {
  const report = reportNamed(name);
  const { range } = report;
  if (!range) return report;
  if (view === 'overdue') return { ...report, range: { ...range, defaultWords: yearUpToNow.words } };
  const liesAhead = report.dateField?.choices.some(
    ({ flag, canBeFuture }) => canBeFuture && flag === dateField,
  );
  return liesAhead ? { ...report, range: { ...range, hasFuture: true } } : report;
}

/** The entry of `suspended:any`: `overdue` then includes suspended people. */
export const anyEntry = 'any';

const suspended = { object: 'user_filter', member: 'suspended' } as const;

/** True for the filter that `any` can be typed for. */
export function acceptsAny(object: string, member: string): boolean {
  return object === suspended.object && member === suspended.member;
}

/** The filters of a request with what it leaves out by itself: `overdue` and `due` leave out suspended people. */
export function effectiveFilters({
  filters,
  view,
}: Pick<ReportRequest, 'filters' | 'view'>): readonly FilterChoice[] {
  const isTyped = filters.some(({ object, member }) => acceptsAny(object, member));
  if (view && !isTyped) return [...filters, { ...suspended, entries: ['false'] }];
  return filters.filter(
    ({ object, member, entries }) => !(acceptsAny(object, member) && entries.includes(anyEntry)),
  );
}
