import { type Field, fieldOf, memberOf, type NestedSubject, reportNamed } from './catalogue/index.js';
import type { ReportRequest } from './request.js';

/** Subjects whose identifiers, titles, types, statuses and dates may go to any channel. */
const openSubjects: ReadonlySet<NestedSubject> = new Set(['content', 'track', 'journey']);

/** Matches members that identify, title, type, state or date their object: `id`, `track_id`, `completed_at`. */
const openMember = /^(?:.*_)?(?:id|title|name|type|status|date|at|on)$|^(?:id|title|type|status|date)$/;

/** Members that `openMember` would let through although they speak of a person. */
const namesAPerson =
  /(?:author|creator|created_by|user|manager|assign|owner|host|learner|person|email|first|last)/;

/**
 * True when a CSV column may go only where person-level data may: a field that is, or a member of a nested object
 * unless it belongs to a content, track or journey and is its identifier, title, type, status or date.
 *
 * @param memberPath the member's name where the column is one of a nested object's, as the service spelled it
 */
export function columnIsPersonLevel(field: Field, memberPath?: string): boolean {
  if (field.personLevel) return true;
  if (memberPath === undefined) return false;
  if (!field.about || !openSubjects.has(field.about)) return true;
  const name = memberPath.toLowerCase();
  return !openMember.test(name) || namesAPerson.test(name);
}

/** True when the request itself names person-level things (columns, breakdown or filters), whatever its answer holds. */
export function requestIsPersonLevel(request: ReportRequest): boolean {
  const report = reportNamed(request.report);
  const flags = [...(request.columns ?? []), ...(request.by ? [request.by] : [])];
  return (
    flags.some((flag) => fieldOf(report, flag)?.personLevel ?? true) ||
    request.filters.some(({ object, member }) => memberOf(report, object, member)?.member.personLevel ?? true)
  );
}

/** True when the request's CSV would hold person-level columns by the catalogue alone. */
export function csvIsPersonLevel(request: ReportRequest): boolean {
  const report = reportNamed(request.report);
  return (request.columns ?? report.essentials).some((flag) => fieldOf(report, flag)?.personLevel ?? true);
}
