import {
  allReports,
  type Field,
  fieldOf,
  hasLearners,
  memberOf,
  type NestedSubject,
  reportNamed,
} from '../catalogue/index.js';
import { entryMeansAsker, type FilterChoice, type ReportRequest } from './request.js';

/** Subjects whose identifiers, titles, types, statuses and dates may go to any channel. */
const openSubjects: ReadonlySet<NestedSubject> = new Set(['content', 'track', 'journey']);

/** The members that identify, title, type, state or date such a subject, however a service prefixes them. */
const openMember =
  /^_?id$|^(?:content|track|journey|entity)?_?(?:id|title|name|type|status)$|^(?:[a-z]+_)?(?:date|at|on)$/;

/** What admins released: `content_metadata.cost_center`, a flag and a member of what arrives under it. */
export type ReleasedKeys = ReadonlySet<string>;

/**
 * True when a column of a file may go only where person-level data may: a field that is, or a member of a nested object
 * unless it is released, or belongs to a content, track or journey and is its identifier, title, type, status or date.
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

/** True when the request itself names person-level things (columns, breakdown or filters), whatever its answer holds. */
export function requestIsPersonLevel(request: ReportRequest, released: ReleasedKeys): boolean {
  const report = reportNamed(request.report);
  return (
    (request.columns ?? []).some((flag) => isClosed(fieldOf(report, flag), released)) ||
    (request.by !== undefined && (fieldOf(report, request.by)?.personLevel ?? true)) ||
    request.filters.some(({ object, member }) => memberOf(report, object, member)?.member.personLevel ?? true)
  );
}

/**
 * True when the rows of a request may go only where person-level data may. Rows about learners always are, whatever
 * their columns; those of workshops are by their columns.
 */
export function rowsArePersonLevel(request: ReportRequest, released: ReleasedKeys): boolean {
  const report = reportNamed(request.report);
  if (hasLearners(report)) return true;
  return (request.columns ?? report.essentials).some((flag) => isClosed(fieldOf(report, flag), released));
}

/**
 * The request as people may read it who did not write it: entries of person-level filters become `…`.
 *
 * @param own the filters that the reader wrote; they stay
 */
export function withoutPeople(request: ReportRequest, own: readonly FilterChoice[] = []): ReportRequest {
  const report = allReports.find(({ name }) => name === request.report);
  const filters = request.filters.map((choice) => {
    const known = report && memberOf(report, choice.object, choice.member);
    if (own.includes(choice) || (known && !known.member.personLevel)) return choice;
    const entries = choice.entries.map((entry) => (entryMeansAsker(choice.member, entry) ? entry : '…'));
    return { ...choice, entries: [...new Set(entries)] };
  });
  return { ...request, filters };
}

/** True for a person-level field without a released member. Columns decide about a field that has one. */
function isClosed(field: Field | undefined, released: ReleasedKeys): boolean {
  if (!field) return true;
  if (!field.personLevel) return false;
  const nested = field.kind === 'metadata' || field.kind === 'object';
  return !(nested && [...released].some((key) => key.startsWith(`${field.flag}.`)));
}
