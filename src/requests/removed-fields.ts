import { allReports, fieldOf, memberOf, type Report } from '../catalogue/index.js';
import { hasRangeForm } from './range-words.js';
import { plainRequest, type ReportRequest, type TitleChoice } from './request.js';

/** A part of a stored request that the catalogue no longer has. */
export interface RemovedField {
  readonly what:
    | 'report'
    | 'range'
    | 'column'
    | 'filter'
    | 'date'
    | 'order'
    | 'breakdown'
    | 'state'
    | 'title';
  /** As the request has it, `cost_center`. */
  readonly name: string;
}

/** The parts of a stored request that the catalogue no longer has. Empty where it can be run. */
export function removedFieldsOf(request: ReportRequest): readonly RemovedField[] {
  const report = reportOf(request);
  if (!report) return [{ what: 'report', name: request.report }];
  const { columns = [], filters, states = [], titles = [], dateField, sort, by } = request;
  const ranges = [request.range, request.assigned].filter((range) => range !== undefined);
  return [
    ...ranges
      .filter((range) => report.range === undefined || !hasRangeForm(range))
      .map((range) => removed('range', range)),
    ...states.filter((state) => !isState(report, state)).map((state) => removed('state', state)),
    ...titles.filter((title) => !isTitle(report, title)).map(({ text }) => removed('title', text)),
    ...columns.filter((flag) => !fieldOf(report, flag)).map((flag) => removed('column', flag)),
    ...filters
      .filter(({ object, member }) => !memberOf(report, object, member))
      .map(({ member }) => removed('filter', member)),
    ...(dateField === undefined || isDate(report, dateField) ? [] : [removed('date', dateField)]),
    ...(sort === undefined || report.sorts.includes(sort) ? [] : [removed('order', sort)]),
    ...(by === undefined || fieldOf(report, by) ? [] : [removed('breakdown', by)]),
  ];
}

/** The request without removed parts, for review before it runs. Becomes the first report where its own was removed. */
export function withoutRemovedFields(request: ReportRequest): ReportRequest {
  const report = reportOf(request);
  if (!report) return plainRequest(allReports[0]?.name ?? 'assignments');
  const without = removedFieldsOf(request);
  if (without.length === 0) return request;
  const stays = (what: RemovedField['what'], name: string) =>
    !without.some((one) => one.what === what && one.name === name);
  const { range, assigned, columns, filters, states, titles, dateField, sort, by, ...rest } = request;
  const statesLeft = states?.filter((state) => isState(report, state)) ?? [];
  const titlesLeft = titles?.filter((title) => isTitle(report, title)) ?? [];
  const left = columns?.filter((flag) => stays('column', flag)) ?? [];
  return {
    ...rest,
    filters: filters.filter(({ object, member }) => memberOf(report, object, member)),
    range: range !== undefined && stays('range', range) ? range : undefined,
    assigned: assigned !== undefined && stays('range', assigned) ? assigned : undefined,
    states: statesLeft.length > 0 ? statesLeft : undefined,
    titles: titlesLeft.length > 0 ? titlesLeft : undefined,
    columns: left.length > 0 ? left : undefined,
    dateField: dateField !== undefined && stays('date', dateField) ? dateField : undefined,
    sort: sort !== undefined && stays('order', sort) ? sort : undefined,
    by: by !== undefined && stays('breakdown', by) ? by : undefined,
  };
}

/** `filter cost_centers, column grade`. */
export function formatRemovedFields(fields: readonly RemovedField[]): string {
  return fields.map(({ what, name }) => `${what} ${name}`).join(', ');
}

function reportOf({ report }: ReportRequest): Report | undefined {
  return allReports.find(({ name }) => name === report);
}

function isDate({ dateField }: Report, flag: string): boolean {
  return dateField?.choices.some((choice) => choice.flag === flag) ?? false;
}

function isState({ states }: Report, state: string): boolean {
  return states.some(({ name }) => name === state);
}

function isTitle({ titleFilters }: Report, { option }: TitleChoice): boolean {
  return titleFilters.some((filter) => filter.option === option);
}

function removed(what: RemovedField['what'], name: string): RemovedField {
  return { what, name };
}
