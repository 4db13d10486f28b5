import { csvIsPersonLevel, type ReleasedKeys, requestIsPersonLevel } from '../../requests/person-level.js';
import type { ReportRequest } from '../../requests/request.js';
import type { Conversation, PersonLevel } from '../request-context.js';

/** Where the parts of an answer go: to the conversation it was asked in, or to the asker's direct messages. */
export interface Route {
  readonly summary: 'here' | 'direct';
  readonly csv: 'none' | 'here' | 'direct';
  /** Why something goes to the direct messages although nobody asked for that. */
  readonly because?: 'person-level-request' | 'person-level-file';
}

/**
 * The route of an answer, before anybody knows what the answer holds.
 * A file that turns out to hold person-level members of nested objects goes to the direct messages all the same.
 */
export function routeOf(
  request: ReportRequest,
  personLevel: PersonLevel,
  file: boolean,
  released: ReleasedKeys,
): Route {
  const csv = (way: 'here' | 'direct') => (file ? way : 'none');
  if (request.toMe) return { summary: 'direct', csv: csv('direct') };
  if (personLevel === 'allowed') return { summary: 'here', csv: csv('here') };
  if (requestIsPersonLevel(request, released)) {
    return { summary: 'direct', csv: csv('direct'), because: 'person-level-request' };
  }
  if (file && csvIsPersonLevel(request, released)) {
    return { summary: 'here', csv: 'direct', because: 'person-level-file' };
  }
  return { summary: 'here', csv: csv('here') };
}

/** True where some part of the answer goes to the direct messages and was asked elsewhere. */
export function needsDirectMessages({ kind }: Pick<Conversation, 'kind'>, { summary, csv }: Route): boolean {
  return kind !== 'direct' && (summary === 'direct' || csv !== 'none' || kind === 'elsewhere');
}

/**
 * True where names are about to be posted to a channel. A channel may have been shared with another organization since
 * Slack last described it, so its description must be fresh then.
 */
export function postsNamesToChannel(
  request: ReportRequest,
  { kind, personLevel }: Pick<Conversation, 'kind' | 'personLevel'>,
  { summary, csv }: Route,
  released: ReleasedKeys,
): boolean {
  if (kind === 'direct' || personLevel !== 'allowed') return false;
  return csv === 'here' || (summary === 'here' && requestIsPersonLevel(request, released));
}
