import { type FilterMember, type FilterObject, type Report, reportNamed } from '../../../catalogue/index.js';
import { type BuilderState, entriesOf } from './state.js';

/** A filter of a report, as the builder names it. */
export interface BuilderFilter {
  /** In full, `user.departments`: the same for all reports that have it. */
  readonly name: string;
  readonly object: FilterObject;
  readonly member: FilterMember;
}

/** So many filters can be written as lists at once: a form has room for so much text. */
export const mostLists = 5;

/** Every filter of a report, in the order of the catalogue. */
export function filtersOfReport(report: Report): readonly BuilderFilter[] {
  return report.filters.flatMap((object) =>
    object.members.map((member) => ({ name: `${object.prefix}.${member.name}`, object, member })),
  );
}

/** The filters that are shown: common ones first, the others behind "More filters" unless something is chosen there. */
export function shownFilters(report: Report, state: BuilderState): readonly BuilderFilter[] {
  const all = filtersOfReport(report);
  const common = all.filter(({ member }) => member.common);
  const others = all.filter(
    (filter) => !filter.member.common && (state.allFilters || isInUse(filter, state)),
  );
  return [...common, ...others];
}

/** True where some filters wait behind "More filters". */
export function hidesFilters(report: Report, state: BuilderState): boolean {
  return shownFilters(report, state).length < filtersOfReport(report).length;
}

function isInUse({ name }: BuilderFilter, state: BuilderState): boolean {
  return entriesOf(state, name).entries.length > 0 || state.lists.includes(name);
}

/** A filter by its name, among those of the report that is chosen now. */
export function filterNamed(name: string, state: BuilderState): BuilderFilter | undefined {
  return filtersOfReport(reportNamed(state.report)).find((filter) => filter.name === name);
}

/** So many texts are kept that were offered under a mark. */
const mostOffered = 8;

/** The state with a text that is offered for a filter under its mark. */
export function withOffered(state: BuilderState, filter: string, text: string): BuilderState {
  const before = entriesOf(state, filter);
  const offered = [...(before.offered ?? []).filter((other) => other !== text), text].slice(-mostOffered);
  return { ...state, filters: { ...state.filters, [filter]: { ...before, offered } } };
}
