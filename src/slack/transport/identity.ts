import type { WebClient } from '@slack/web-api';
import type { Log } from '../../logging/logger.js';
import { slackErrorCode } from './clients.js';
import { SlackTokenRefused } from './errors.js';
import { type Sleep, waitBefore } from './wait-before.js';

/** Who the bot is in Slack. */
export interface SlackIdentity {
  readonly teamId: string;
  readonly botUserId: string;
  /** Absent where Slack leaves it out. */
  readonly botId?: string;
  /** The workspace's address, `https://example.slack.com/`. */
  readonly workspaceUrl: string;
  /** The scopes of the token, where Slack tells them. */
  readonly scopes: readonly string[];
}

/**
 * Asks Slack whose token this is, for as long as it takes while Slack cannot be reached.
 *
 * @throws SlackTokenRefused
 */
export async function whoAmI(
  client: WebClient,
  log: Log,
  sleep: Sleep,
  signal?: AbortSignal,
): Promise<SlackIdentity> {
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    try {
      return await askOnce(client);
    } catch (error) {
      if (error instanceof SlackTokenRefused) throw error;
      const wait = waitBefore(failures + 1, error);
      log.warn(
        { reason: slackErrorCode(error), retryInMs: wait },
        'Slack cannot be reached yet; Rollcall will try again',
      );
      await sleep(wait, signal);
    }
  }
}

/** @throws SlackTokenRefused, or what the client throws where Slack cannot be reached */
export async function askOnce(client: WebClient): Promise<SlackIdentity> {
  const answer = await client.auth.test().catch((error: unknown) => {
    throw isRefusal(error) ? new SlackTokenRefused('SLACK_BOT_TOKEN', slackErrorCode(error)) : error;
  });
  const { team_id: teamId, user_id: botUserId, bot_id: botId, url, response_metadata: metadata } = answer;
  if (!teamId || !botUserId) throw new SlackTokenRefused('SLACK_BOT_TOKEN', 'not_a_bot_token');
  return {
    teamId,
    botUserId,
    ...(botId ? { botId } : {}),
    workspaceUrl: url ?? '',
    scopes: metadata?.scopes ?? [],
  };
}

/** True when Slack answered, and its answer will be the same the next time. */
export function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'data' in error &&
    !['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'].includes(
      slackErrorCode(error),
    )
  );
}
