import type { App, Receiver } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { Failure } from '../../errors/failure.js';
import { isPermanentError, slackErrorCode } from '../delivery/clients.js';

/** Whether Slack can reach the bot. */
type ConnectionState =
  | { readonly mode: 'socket'; readonly ready: boolean; readonly connections: number }
  | { readonly mode: 'http'; readonly ready: boolean; readonly host: string; readonly port: number };

/** How Slack reaches the bot. */
export interface Transport {
  /** The receiver for Bolt. The transport opens and closes it, not Bolt. */
  readonly receiver: Receiver;
  /** Resolves when commands reach the app. */
  open(app: App): Promise<void>;
  /** Accepts no more deliveries. `listenersDone` resolves when all have acknowledged, or at the deadline. */
  close(listenersDone: Promise<unknown>): Promise<void>;
  /** Acknowledges an envelope through another socket. False if there is none. */
  acknowledge(envelopeId: string, answer: unknown): boolean;
  state(): ConnectionState;
}

/** Waits in real time, because Slack's limits do not follow a moved clock. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const maxRetryDelayMs = 30_000;

/** Milliseconds before the next try: 1 s, doubling to 30 s, or as Slack says. `failures`: in a row, from 1. */
export function retryDelayMs(failures: number, error?: unknown): number {
  if (error instanceof Error && 'retryAfter' in error && typeof error.retryAfter === 'number') {
    return error.retryAfter * 1000;
  }
  return Math.min(maxRetryDelayMs, 1000 * 2 ** Math.min(failures - 1, 10));
}

/** Waits for `work`, and throws the signal's reason if the signal aborts first. */
export async function orAborted<Outcome>(work: Promise<Outcome>, signal?: AbortSignal): Promise<Outcome> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/**
 * The bot's identity in Slack: its IDs, the URL of the workspace, and the scopes of its token, if Slack lists them.
 *
 * @throws `slack-token-refused`, or the client's error if Slack cannot be reached
 */
export async function fetchIdentity(client: WebClient) {
  const answer = await client.auth.test().catch((error: unknown) => {
    throw isPermanentError(error)
      ? new Failure('slack-token-refused', { variable: 'SLACK_BOT_TOKEN', reason: slackErrorCode(error) })
      : error;
  });
  const { team_id: teamId, user_id: botUserId, bot_id: botId, url: workspaceUrl = '' } = answer;
  if (!teamId || !botUserId)
    throw new Failure('slack-token-refused', { variable: 'SLACK_BOT_TOKEN', reason: 'not_a_bot_token' });
  return { teamId, botUserId, botId, workspaceUrl, scopes: answer.response_metadata?.scopes ?? [] };
}
