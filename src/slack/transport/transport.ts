import type { App, Receiver } from '@slack/bolt';
import { KnownError } from '../../errors/known-error.js';

/** Whether Slack can reach the bot at this moment. */
export type ConnectionState =
  | { readonly mode: 'socket'; readonly ready: boolean; readonly connections: number }
  | { readonly mode: 'http'; readonly ready: boolean; readonly host: string; readonly port: number };

/** The way by which Slack reaches the bot. */
export interface Transport {
  /** What Bolt is built with. It is opened and closed here, not through Bolt. */
  readonly receiver: Receiver;
  /** Resolves when commands come through to the app. */
  open(app: App): Promise<void>;
  /**
   * Lets nothing more in.
   *
   * @param listenersDone resolves when those who still have something to acknowledge are done, or out of time
   */
  close(listenersDone: Promise<unknown>): Promise<void>;
  /** Acknowledges an envelope by another way than that by which it came. False where there is none. */
  acknowledge(envelopeId: string, answer: unknown): boolean;
  state(): ConnectionState;
}

/** Slack does not take a token: no try will help until somebody sets another one. */
export class SlackTokenRefused extends KnownError {
  readonly code = 'slack-token-refused';
  override readonly scope = 'slack';
  constructor(
    readonly variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN',
    /** Slack's own word, such as `invalid_auth` or `missing_scope`. */
    readonly reason: string,
  ) {
    super(`Slack refuses ${variable}: ${reason}`);
  }
}

/** The address of HTTP mode cannot be listened on. */
export class CannotListen extends KnownError {
  readonly code = 'cannot-listen';
  constructor(
    readonly host: string,
    readonly port: number,
    /** The system's word for it, such as `EADDRINUSE` or `EACCES`. */
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`Nobody can listen on ${host}:${port}: ${reason}`, options);
  }
}

/** Waits in real time: Slack's limits know nothing of a clock that is moved by hand. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const maxRetryDelayMs = 30_000;

/**
 * How long to wait before Slack is tried once more, in milliseconds: 1 s, doubling to 30 s, or what Slack asked for.
 *
 * @param failures how often it failed in a row, at least once
 */
export function retryDelayMs(failures: number, error?: unknown): number {
  if (error instanceof Error && 'retryAfter' in error && typeof error.retryAfter === 'number') {
    return error.retryAfter * 1000;
  }
  return Math.min(maxRetryDelayMs, 1000 * 2 ** Math.min(failures - 1, 10));
}

/** The outcome of `work`, or the signal's reason where that comes first. */
export async function orAborted<Outcome>(work: Promise<Outcome>, signal?: AbortSignal): Promise<Outcome> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
