import type { Scope } from '../access/scope.js';
import type { ReleasedKeys } from '../requests/person-level.js';
import { requestIsPersonLevel, rowsArePersonLevel } from '../requests/person-level.js';
import { type ReportRequest, showsRows } from '../requests/request.js';
import type { ReportResult } from './run-report.js';

/**
 * Whether a conversation may get person-level data.
 * - `allowed`: it may (a direct message with the bot, an approved channel).
 * - `not-approved`: it may not until an admin approves the channel.
 * - `never`: no approval changes that. The channel is shared with another organization or about to be, or Slack does
 *   not describe it.
 */
export type PersonLevel = 'allowed' | 'not-approved' | 'never';

/** The destinations of an answer's parts: the conversation of the request, or the asker's direct messages. */
export interface Route {
  readonly summary: 'here' | 'direct';
  readonly file: 'none' | 'here' | 'direct';
  /** Rows in the summary, or in a message of their own in the direct messages. A file that goes there has them too. */
  readonly rows: 'none' | 'in-summary' | 'direct';
  /** Why a part goes to the direct messages without to:me. */
  readonly because?: 'person-level-request' | 'person-level-rows' | 'level';
}

/**
 * The route of an answer, decided before it is read. A file with person-level members of nested objects still goes to
 * the direct messages.
 */
export function routeOf(
  request: ReportRequest,
  personLevel: PersonLevel,
  released: ReleasedKeys,
  { onlyDirect }: Pick<Scope, 'onlyDirect'>,
): Route {
  const to = (way: 'here' | 'direct') => (request.file ? way : 'none');
  const rows = showsRows(request) ? 'in-summary' : 'none';
  if (onlyDirect) return { summary: 'direct', file: to('direct'), rows, because: 'level' };
  if (request.toMe) return { summary: 'direct', file: to('direct'), rows };
  if (personLevel === 'allowed') return { summary: 'here', file: to('here'), rows };
  if (requestIsPersonLevel(request, released)) {
    return { summary: 'direct', file: to('direct'), rows, because: 'person-level-request' };
  }
  if (rowsArePersonLevel(request, released)) {
    if (request.file) return { summary: 'here', file: 'direct', rows: 'none', because: 'person-level-rows' };
    if (rows !== 'none')
      return { summary: 'here', file: 'none', rows: 'direct', because: 'person-level-rows' };
  }
  return { summary: 'here', file: to('here'), rows };
}

/** The post that follows a summary: its file, or rows that may not be in the summary. */
export function followUpOf(
  { file, rows }: Route,
  result: Pick<ReportResult, 'file' | 'rows'>,
): 'file' | 'rows' | undefined {
  if (file !== 'none' && result.file) return 'file';
  return rows === 'direct' && result.rows && result.rows.listed.length > 0 ? 'rows' : undefined;
}
