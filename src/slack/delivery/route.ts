import { csvIsPersonLevel, type ReleasedKeys, requestIsPersonLevel } from '../../requests/person-level.js';
import type { ReportRequest } from '../../requests/request.js';

/**
 * What a place may hold.
 * - `allowed`: anything (a direct message with the bot, an approved channel).
 * - `not-approved`: no person-level data, until an admin approves the channel.
 * - `never`: no person-level data whatever anybody approves (shared with another organization, about to be, or not
 *   described by Slack).
 */
export type PersonLevel = 'allowed' | 'not-approved' | 'never';

/** Where the parts of an answer go: to the place it was asked in, or to the asker's direct messages. */
export interface Route {
  readonly summary: 'here' | 'direct';
  readonly csv: 'none' | 'here' | 'direct';
  /** Why something goes to the direct messages although it was not asked to. */
  readonly because?: 'person-level-request' | 'person-level-file';
}

/**
 * The route of an answer, before it is known what the answer holds.
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
