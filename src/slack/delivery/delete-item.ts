import type { WebClient } from '@slack/web-api';
import { failureOfSlack } from '../../digests/failure.js';
import type { DeletionOutcome, PostedItem } from '../../posts/posted-items.js';
import { deleteMessage, outcomeOfFailure } from './post-message.js';

const goneErrors: ReadonlySet<string> = new Set([
  'message_not_found',
  'file_not_found',
  'file_deleted',
  'thread_not_found',
]);

/** Seconds before the next deletion if Slack cannot be reached or rejects deletions. */
const waitSeconds = 60;

/**
 * Deletes a message or file of the bot. Slack lets a bot delete only its own.
 *
 * @param client makes each call once, without retries, and rejects rate-limited calls at once
 */
export async function deleteFromSlack(
  { kind, channel, item }: PostedItem,
  client: WebClient,
): Promise<DeletionOutcome> {
  try {
    if (kind === 'file') await client.files.delete({ file: item });
    else await deleteMessage({ channel, ts: item }, client);
    return { kind: 'deleted' };
  } catch (error) {
    const outcome = outcomeOfFailure(error);
    const { code } = outcome;
    if (goneErrors.has(code)) return { kind: 'deleted' };
    const retryAfter = outcome.kind === 'not-posted' ? outcome.retryAfterSeconds : undefined;
    // A missing permission concerns this item alone. Other failures of Slack concern every call.
    const concernsAll = outcome.kind === 'unknown' || failureOfSlack(code).kind !== 'own';
    return concernsAll && code !== 'missing_scope'
      ? { kind: 'wait', code, seconds: retryAfter ?? waitSeconds }
      : { kind: 'refused', code };
  }
}
