import { memberOf, reportNamed } from '../../../catalogue/index.js';
import { reportFor } from '../../../requests/report-for.js';
import type { ReportRequest } from '../../../requests/request.js';
import { chosenRange } from './ranges.js';
import type { BuilderState, ChosenEntries } from './state.js';

/** The builder as it asks for exactly this request, which holds nothing that the catalogue does not have. */
export function stateOf(request: ReportRequest): BuilderState {
  const report = reportNamed(request.report);
  const { range, dateField, sort, by, columns, csv, toMe, overdueOnly } = request;
  const filters = request.filters.flatMap(({ object, member, entries }): [string, ChosenEntries][] => {
    const known = memberOf(report, object, member);
    return known ? [[`${known.object.prefix}.${member}`, { entries, text: '' }]] : [];
  });
  return {
    report: request.report,
    overdueOnly,
    range: chosenRange(range, reportFor(request)),
    ofReports: {
      [request.report]: {
        ...(dateField === undefined ? {} : { dateField }),
        ...(sort === undefined ? {} : { sort }),
        ...(by === undefined ? {} : { by }),
        ...(columns === undefined ? {} : { columns }),
      },
    },
    filters: Object.fromEntries(filters),
    csv,
    where: toMe ? 'me' : 'here',
    allFilters: false,
    lists: [],
    redrawn: {},
  };
}
