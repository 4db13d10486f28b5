import { conditionField } from '../catalogue/conditions.js';
import { allReports, fieldOf, memberOf } from '../catalogue/index.js';
import { parseOver } from './over-time.js';
import { hasRangeForm } from './range-words.js';
import { mapRequests, plainRequest, type ReportRequest, type TitleChoice } from './request.js';
import { formatTarget } from './target.js';

/** A part of a stored request that the catalogue no longer has. */
export interface RemovedField {
  readonly what:
    | 'report'
    | 'range'
    | 'column'
    | 'filter'
    | 'condition'
    | 'date'
    | 'order'
    | 'breakdown'
    | 'state'
    | 'title'
    | 'target';
  /** As the request has it, `cost_center`. */
  readonly name: string;
}

/** The parts of a stored request that the catalogue no longer has. Empty where it can be run. */
export function removedFieldsOf(request: ReportRequest): readonly RemovedField[] {
  // Each line of a scorecard says so itself.
  if (request.scorecard) return [];
  return split(request)?.removed ?? [{ what: 'report', name: request.report }];
}

/** The request without removed parts, for review before it runs. Becomes the first report where its own was removed. */
export function withoutRemovedFields(request: ReportRequest): ReportRequest {
  if (request.scorecard) return mapRequests(request, withoutRemovedFields);
  const parts = split(request);
  if (!parts) return plainRequest(allReports[0]?.name ?? 'assignments');
  return parts.removed.length === 0 ? request : { ...request, ...parts.left };
}

/** The parts of a request that may be removed: those that are left, and the others. Undefined: the report is removed. */
function split(request: ReportRequest) {
  const report = allReports.find(({ name }) => name === request.report);
  if (!report) return undefined;
  const removed: RemovedField[] = [];
  const isLeft = (what: RemovedField['what'], name: string, exists: boolean) => {
    if (!exists) removed.push({ what, name });
    return exists;
  };
  const one = (what: RemovedField['what'], name: string | undefined, exists = false) =>
    name !== undefined && isLeft(what, name, exists) ? name : undefined;
  const some = <Value>(values: readonly Value[] = []) => (values.length > 0 ? values : undefined);
  const isRange = (range = '') => report.range !== undefined && hasRangeForm(range);
  const isField = (flag = '') => fieldOf(report, flag) !== undefined;
  const isState = (state: string) => report.states.some(({ name }) => name === state);
  const isTitle = ({ option }: TitleChoice) => report.titleFilters.some((filter) => filter.option === option);
  const { range, assigned, over, states, titles, columns, dateField, sort = '', by, target } = request;
  const left: Partial<ReportRequest> = {
    range: one('range', range, isRange(range)),
    assigned: one('range', assigned, isRange(assigned)),
    over: one('range', over, report.range !== undefined && parseOver(over ?? '').ok),
    states: some(states?.filter((state) => isLeft('state', state, isState(state)))),
    titles: some(titles?.filter((title) => isLeft('title', title.text, isTitle(title)))),
    columns: some(columns?.filter((flag) => isLeft('column', flag, isField(flag)))),
    filters: request.filters.filter((filter) =>
      isLeft('filter', filter.member, memberOf(report, filter) !== undefined),
    ),
    conditions: some(
      request.conditions?.filter(({ field }) =>
        isLeft('condition', field, conditionField(report, field) !== undefined),
      ),
    ),
    dateField: one(
      'date',
      dateField,
      report.dateField?.choices.some(({ flag }) => flag === dateField),
    ),
    sort: one('order', request.sort, report.sorts.includes(sort)),
    by: one('breakdown', by, isField(by)),
    ...(target && {
      target: isLeft('target', formatTarget(target), report.mainRate !== undefined) ? target : undefined,
    }),
  };
  return { left, removed };
}

/** `filter cost_centers, column grade`. */
export function formatRemovedFields(fields: readonly RemovedField[]): string {
  return fields.map(({ what, name }) => `${what} ${name}`).join(', ');
}
