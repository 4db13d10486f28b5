import { fieldOf, memberOf, type Report, reportNamed } from '../reports/catalogue/index.js';
import type { ReportRequest } from '../reports/request.js';
import { chosenRange } from './ranges.js';
import type { BuilderState, ChosenEntries, ChosenForReport } from './state.js';

/**
 * The builder as it asks for exactly this request. What the catalogue does not have any more, as in a request that was
 * kept for long, is left out.
 */
export function stateOf(request: ReportRequest): BuilderState {
  const report = reportNamed(request.report);
  const { range, csv, toMe, overdueOnly } = request;
  const filters = request.filters.flatMap(({ object, member, entries }): [string, ChosenEntries][] => {
    const known = memberOf(report, object, member);
    return known ? [[`${known.object.prefix}.${member}`, { entries, text: '' }]] : [];
  });
  return {
    report: request.report,
    overdueOnly,
    range: chosenRange(range, report),
    ofReports: { [request.report]: chosenForReport(request, report) },
    filters: Object.fromEntries(filters),
    csv,
    where: toMe ? 'me' : 'here',
    allFilters: false,
    lists: [],
    redrawn: {},
  };
}

function chosenForReport({ dateField, sort, by, columns }: ReportRequest, report: Report): ChosenForReport {
  const kept = columns?.filter((flag) => fieldOf(report, flag));
  return {
    ...(report.dateField?.choices.some(({ flag }) => flag === dateField) && dateField ? { dateField } : {}),
    ...(sort !== undefined && report.sorts.includes(sort) ? { sort } : {}),
    ...(by !== undefined && fieldOf(report, by) ? { by } : {}),
    ...(kept && kept.length > 0 ? { columns: kept } : {}),
  };
}
