import {
  type Field,
  type FilterMember,
  fieldOf,
  memberOf,
  type Report,
  reportNamed,
  sourcesOf,
} from '../catalogue/index.js';
import { allLearnerFields, userFilter } from '../catalogue/learner.js';
import { personKeyFields } from '../figures/counting/person-fields.js';
import type { FilterValueKind, NeighbourFilter } from '../figures/neighbours.js';
import {
  acceptsAny,
  anyEntry,
  asksForOpen,
  effectiveFilters,
  type ReportRequest,
} from '../requests/request.js';

/** Values that filters or breakdowns compare, and where records hold them. */
export interface ColumnPlan extends Pick<NeighbourFilter, 'kind' | 'sources'> {
  /** The flag of a field, or the ID of a filter. */
  readonly key: string;
}

/** The yes/no and text fields of learners that filters or breakdowns compare. */
export const learnerColumns: readonly ColumnPlan[] = allLearnerFields.flatMap((field) => {
  const kind = kindOf(field);
  return kind && !field.personLevel ? [{ key: field.flag, kind, sources: [{ field: field.flag }] }] : [];
});

function kindOf({ kind }: Field): FilterValueKind | undefined {
  return kind === 'text' || kind === 'list' || kind === 'yes-no' ? kind : undefined;
}

/** Where the records of a report hold the values of a filter; empty: nowhere. */
function filterColumn(report: Report, object: string, member: FilterMember): ColumnPlan {
  const sources = sourcesOf(report, object, member);
  const [source] = sources;
  const field = source && fieldOf(report, source.field);
  const key = object === userFilter.name && source ? source.field : `${object}.${member.name}`;
  return { key, kind: (field && kindOf(field)) ?? 'text', sources };
}

/** The columns of what is learned: filters, and titles for breakdowns. */
export function rowColumns(report: Report): readonly ColumnPlan[] {
  const filters = report.filters
    .filter(({ name }) => name !== userFilter.name)
    .flatMap(({ name, members }) =>
      members.filter(({ personLevel }) => !personLevel).map((member) => filterColumn(report, name, member)),
    )
    .filter(({ sources }) => sources.length > 0);
  const titles = report.titleFilters
    .flatMap(({ sources }) =>
      sources.map(({ field, member, title }) => (member === undefined ? title : field)),
    )
    .filter((flag) => fieldOf(report, flag) !== undefined)
    .map((flag): ColumnPlan => ({ key: flag, kind: 'text', sources: [{ field: flag }] }));
  return [...new Map([...filters, ...titles].map((plan) => [plan.key, plan])).values()];
}

/** The fields that the daily look asks for. */
export function fieldsOfPeople(report: Report): readonly string[] {
  const columns = [...learnerColumns, ...rowColumns(report)];
  const fields = columns.flatMap(({ sources }) => sources.map(({ field }) => field));
  return [...new Set([...personKeyFields, ...fields.filter((flag) => fieldOf(report, flag) !== undefined)])];
}

/**
 * The filters of a request that its neighbours leave out: those that a person chose. Open assignments leave suspended
 * people out by themselves, so `suspended:false` changes nothing there, and the neighbour of `suspended:any` is the
 * request without it.
 */
export function neighbourFilters(
  request: Pick<ReportRequest, 'report' | 'filters' | 'view' | 'states' | 'titles'>,
): readonly NeighbourFilter[] {
  const report = reportNamed(request.report);
  const ofSuspended = request.filters.find(({ object, member }) => acceptsAny(object, member));
  const [state] = ofSuspended?.entries ?? [];
  const isOpen = asksForOpen(request);
  const chosen = effectiveFilters({ ...request, view: undefined, states: undefined }).filter(
    ({ object, member }) => !(isOpen && acceptsAny(object, member) && state === 'false'),
  );
  const both = isOpen && ofSuspended && state === anyEntry ? [{ ...ofSuspended, entries: yesAndNo }] : [];
  return [...chosen, ...both].flatMap((filter) => {
    const known = memberOf(report, filter);
    if (!known) return [];
    const { object, member } = filter;
    const column = filterColumn(report, object, known.member);
    return [{ ...column, member, entries: filter.entries.map((entry) => [entry]) }];
  });
}

const yesAndNo = ['false', 'true'];
