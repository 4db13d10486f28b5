import { namesPeople } from '../../requests/person-level.js';
import { type ReportRequest, requestsIn } from '../../requests/request.js';
import { resolveConversation } from '../context/request-context.js';
import type { AnswerRightsParts } from './answer-run.js';

/** The filters of a request that a person wants to reuse. */
interface Filters {
  readonly request: ReportRequest;
  /** True if this person wrote them. */
  readonly choseFilters: boolean;
  /** The conversation that shows them. */
  readonly channel: string;
}

/**
 * True if the filters name people whom this person neither chose nor may ask for. Lists mask such people, so everything
 * that would show them is refused: forms, copies, schedules.
 */
export async function hidesPeople(
  { request, choseFilters, channel }: Filters,
  asker: string,
  parts: AnswerRightsParts,
): Promise<boolean> {
  if (choseFilters || !namesPeople(request)) return false;
  const naming = requestsIn(request).filter(namesPeople);
  const levels = await Promise.all(naming.map(({ report }) => parts.access.accessOf(asker, report)));
  if (levels.every(({ level }) => level === 'everything')) return false;
  const { kind, personLevel } = await resolveConversation({ channel, asker }, parts);
  return kind === 'direct' || personLevel !== 'allowed';
}

/** @param verb `change`, `duplicate` */
export function peopleHidden(verb: string): string {
  return `Somebody else chose the people in its filters, so you cannot ${verb} it. Ask its owner or an admin to do it.`;
}
