import {
  allReports,
  type Field,
  fieldOf,
  hasLearners,
  isPersonLevelFilter,
  type NestedSubject,
  reportNamed,
} from '../catalogue/index.js';
import {
  entryRefersToAsker,
  type FilterChoice,
  mapRequests,
  type ReportRequest,
  requestsIn,
} from './request.js';
import { conditionIsPersonLevel, type RowCondition } from './row-conditions.js';

/** Subjects whose identifiers, titles, types, statuses and dates may go to any channel. */
const openSubjects: ReadonlySet<NestedSubject> = new Set(['content', 'track', 'journey']);

/** Names of members with an identifier, title, type, status or date, with any usual prefix. */
const openMember =
  /^_?id$|^(?:content|track|journey|entity)?_?(?:id|title|name|type|status)$|^(?:[a-z]+_)?(?:date|at|on)$/;

/** The keys that admins released, each a flag and a member of its objects: `content_metadata.cost_center`. */
export type ReleasedKeys = ReadonlySet<string>;

/**
 * True for a person-level column of a file. A member of a nested object is person-level too, with two exceptions:
 * members that an admin released, and the identifier, title, type, status or dates of a content, track or journey.
 *
 * @param member the member's name where the column is one of a nested object's, as the service spelled it
 */
export function columnIsPersonLevel(
  field: Field,
  member: string | undefined,
  released: ReleasedKeys,
): boolean {
  if (member === undefined) return field.personLevel;
  if (released.has(`${field.flag}.${member}`)) return false;
  if (field.personLevel || !field.about || !openSubjects.has(field.about)) return true;
  return !openMember.test(member.toLowerCase());
}

/** True for a request with a filter or a condition that is person-level. */
export function filtersPeople({
  report: name,
  filters,
  conditions = [],
}: Pick<ReportRequest, 'report' | 'filters' | 'conditions'>): boolean {
  const report = reportNamed(name);
  return (
    filters.some((filter) => isPersonLevelFilter(report, filter)) ||
    conditions.some((condition) => conditionIsPersonLevel(report, condition))
  );
}

/** True for a request with person-level columns, breakdown, filters or conditions. */
export function requestIsPersonLevel(request: ReportRequest, released: ReleasedKeys): boolean {
  if (request.scorecard) return requestsIn(request).some((line) => requestIsPersonLevel(line, released));
  const report = reportNamed(request.report);
  return (
    (request.columns ?? []).some((flag) => isPersonLevel(fieldOf(report, flag), released)) ||
    (request.by !== undefined && (fieldOf(report, request.by)?.personLevel ?? true)) ||
    filtersPeople(request)
  );
}

/** The conditions on members of nested objects that are not for everybody: no admin released them. */
export function unreleasedConditions(
  { report: name, conditions = [] }: Pick<ReportRequest, 'report' | 'conditions'>,
  released: ReleasedKeys,
): readonly RowCondition[] {
  const report = reportNamed(name);
  return conditions.filter(({ field: id }) => {
    const [flag = ''] = id.split('.');
    const field = fieldOf(report, flag);
    return field && flag !== id && columnIsPersonLevel(field, id.slice(flag.length + 1), released);
  });
}

/**
 * True if the rows of a request are person-level. Rows about learners always are. Rows of workshops depend on their columns.
 * The file of an answer over time has totals in place of rows.
 */
export function rowsArePersonLevel(request: ReportRequest, released: ReleasedKeys): boolean {
  if (request.over !== undefined) return false;
  const report = reportNamed(request.report);
  if (hasLearners(report)) return true;
  return (request.columns ?? report.essentials).some((flag) =>
    isPersonLevel(fieldOf(report, flag), released),
  );
}

/**
 * The request as others may read it: entries of person-level filters and conditions become `…`.
 *
 * @param own the filters that the reader chose; they stay
 */
export function maskPeople(
  request: ReportRequest,
  own: readonly (FilterChoice | RowCondition)[] = [],
): ReportRequest {
  if (request.scorecard) return mapRequests(request, (line) => maskPeople(line, own));
  const report = allReports.find(({ name }) => name === request.report);
  const masked = (member: string, entries: readonly string[]) => [
    ...new Set(entries.map((entry) => (entryRefersToAsker(member, entry) ? entry : '…'))),
  ];
  const filters = request.filters.map((choice) => {
    if (own.includes(choice) || (report && !isPersonLevelFilter(report, choice))) return choice;
    return { ...choice, entries: masked(choice.member, choice.entries) };
  });
  const conditions = request.conditions?.map((condition) => {
    if (own.includes(condition) || (report && !conditionIsPersonLevel(report, condition))) return condition;
    return { ...condition, values: masked(condition.field, condition.values) };
  });
  return { ...request, filters, ...(conditions && { conditions }) };
}

/** True if others would read the request without some entries of its filters. */
export function namesPeople(request: ReportRequest): boolean {
  return requestsIn(request).some((one) => {
    const { filters, conditions } = maskPeople(one);
    return JSON.stringify([filters, conditions]) !== JSON.stringify([one.filters, one.conditions]);
  });
}

/** True for a person-level field without a released member. Columns decide about a field that has one. */
function isPersonLevel(field: Field | undefined, released: ReleasedKeys): boolean {
  if (!field) return true;
  if (!field.personLevel) return false;
  const nested = field.kind === 'metadata' || field.kind === 'object';
  return !(nested && [...released].some((key) => key.startsWith(`${field.flag}.`)));
}
