import { type ReleasedKeys, requestIsPersonLevel } from '../../requests/person-level.js';
import type { ReportRequest } from '../../requests/request.js';
import type { Route } from '../../runner/route.js';
import type { Conversation } from '../request-context.js';

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
