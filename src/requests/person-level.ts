import {
  allReports,
  type Field,
  fieldOf,
  hasLearners,
  isPersonLevelFilter,
  type NestedSubject,
  reportNamed,
} from '../catalogue/index.js';
import { entryRefersToAsker, type FilterChoice, type ReportRequest } from './request.js';

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

/** True for a request with person-level columns, breakdown or filters. */
export function requestIsPersonLevel(request: ReportRequest, released: ReleasedKeys): boolean {
  const report = reportNamed(request.report);
  return (
    (request.columns ?? []).some((flag) => isPersonLevel(fieldOf(report, flag), released)) ||
    (request.by !== undefined && (fieldOf(report, request.by)?.personLevel ?? true)) ||
    request.filters.some((filter) => isPersonLevelFilter(report, filter))
  );
}

/** True if the rows of a request are person-level. Rows about learners always are. Rows of workshops depend on their columns. */
export function rowsArePersonLevel(request: ReportRequest, released: ReleasedKeys): boolean {
  const report = reportNamed(request.report);
  if (hasLearners(report)) return true;
  return (request.columns ?? report.essentials).some((flag) =>
    isPersonLevel(fieldOf(report, flag), released),
  );
}

/**
 * The request as others may read it: entries of person-level filters become `…`.
 *
 * @param own the filters that the reader chose; they stay
 */
export function maskPeople(request: ReportRequest, own: readonly FilterChoice[] = []): ReportRequest {
  const report = allReports.find(({ name }) => name === request.report);
  const filters = request.filters.map((choice) => {
    if (own.includes(choice) || (report && !isPersonLevelFilter(report, choice))) return choice;
    const entries = choice.entries.map((entry) => (entryRefersToAsker(choice.member, entry) ? entry : '…'));
    return { ...choice, entries: [...new Set(entries)] };
  });
  return { ...request, filters };
}

/** True if others would read the request without some entries of its filters. */
export function namesPeople(request: ReportRequest): boolean {
  return JSON.stringify(maskPeople(request).filters) !== JSON.stringify(request.filters);
}

/** True for a person-level field without a released member. Columns decide about a field that has one. */
function isPersonLevel(field: Field | undefined, released: ReleasedKeys): boolean {
  if (!field) return true;
  if (!field.personLevel) return false;
  const nested = field.kind === 'metadata' || field.kind === 'object';
  return !(nested && [...released].some((key) => key.startsWith(`${field.flag}.`)));
}
