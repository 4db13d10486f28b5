import { allReports, fieldOf, memberOf, type Report } from '../catalogue/index.js';
import { parseRangeWords } from './range-words.js';
import { plainRequest, type ReportRequest } from './request.js';

/** Something that a kept request asks for and that cannot be asked for any more. */
export interface RemovedField {
  readonly what: 'report' | 'range' | 'column' | 'filter' | 'date' | 'order' | 'breakdown';
  /** As the request has it, `cost_center`. */
  readonly name: string;
}

/** What of a kept request is not in the catalogue any more; nothing for one that can be run. */
export function removedFieldsOf(request: ReportRequest): readonly RemovedField[] {
  const report = reportOf(request);
  if (!report) return [{ what: 'report', name: request.report }];
  const { range, columns = [], filters, dateField, sort, by } = request;
  const hasRange = report.range !== undefined && (range === undefined || parseRangeWords(range));
  return [
    ...(range === undefined || hasRange ? [] : [gone('range', range)]),
    ...columns.filter((flag) => !fieldOf(report, flag)).map((flag) => gone('column', flag)),
    ...filters
      .filter(({ object, member }) => !memberOf(report, object, member))
      .map(({ member }) => gone('filter', member)),
    ...(dateField === undefined || isDate(report, dateField) ? [] : [gone('date', dateField)]),
    ...(sort === undefined || report.sorts.includes(sort) ? [] : [gone('order', sort)]),
    ...(by === undefined || fieldOf(report, by) ? [] : [gone('breakdown', by)]),
  ];
}

/** The same request without what is gone, to be looked at before it is run; the first report where its own is gone. */
export function withoutRemovedFields(request: ReportRequest): ReportRequest {
  const report = reportOf(request);
  if (!report) return plainRequest(allReports[0]?.name ?? 'assignments');
  const without = removedFieldsOf(request);
  if (without.length === 0) return request;
  const stays = (what: RemovedField['what'], name: string) =>
    !without.some((one) => one.what === what && one.name === name);
  const { range, columns, filters, dateField, sort, by, ...rest } = request;
  const left = columns?.filter((flag) => stays('column', flag)) ?? [];
  return {
    ...rest,
    filters: filters.filter(({ object, member }) => memberOf(report, object, member)),
    ...(range !== undefined && stays('range', range) ? { range } : {}),
    ...(left.length > 0 ? { columns: left } : {}),
    ...(dateField !== undefined && stays('date', dateField) ? { dateField } : {}),
    ...(sort !== undefined && stays('order', sort) ? { sort } : {}),
    ...(by !== undefined && stays('breakdown', by) ? { by } : {}),
  };
}

/** `filter cost_centers, column grade`: what is gone, in words. */
export function formatRemovedFields(gone: readonly RemovedField[]): string {
  return gone.map(({ what, name }) => `${what} ${name}`).join(', ');
}

function reportOf({ report }: ReportRequest): Report | undefined {
  return allReports.find(({ name }) => name === report);
}

function isDate({ dateField }: Report, flag: string): boolean {
  return dateField?.choices.some((choice) => choice.flag === flag) ?? false;
}

function gone(what: RemovedField['what'], name: string): RemovedField {
  return { what, name };
}
