import { learnerFilter, type Scope } from '../access/scope.js';
import { userFilter } from '../catalogue/learner.js';
import { entryRefersToAsker, plainRequest, type ReportRequest } from '../requests/request.js';
import type { RunOptions } from './queries.js';

/** The managers whose teams a request is about. Empty: it is about no team. */
export function managersIn(
  request: ReportRequest,
  { rows, address }: Scope,
  me: string | undefined,
): readonly string[] {
  if (rows === 'team' && address !== undefined) return [address];
  const entries = rows === 'self' ? [] : (learnerFilter(request, 'manager_email')?.entries ?? []);
  return entries.flatMap((entry) => (entryRefersToAsker('manager_email', entry) ? (me ?? []) : entry));
}

/** The assignments of a year of some teams. Whoever has none in it is in no team that could be shown. */
export function teamRequest(managers: readonly string[]): ReportRequest {
  const filter = { object: userFilter.name, member: 'manager_email', entries: managers };
  return { ...plainRequest('assignments'), range: 'last-12-months', filters: [filter] };
}

/** What is needed to find out whether a team is empty: no file, no rows and no progress. */
export function teamOptions({
  asker,
  requestedAt,
  scope,
  urgency,
  maxSharedAgeMs,
  signal,
}: RunOptions): RunOptions {
  return { asker, requestedAt, scope, urgency, maxSharedAgeMs, signal, fileOnly: true };
}
