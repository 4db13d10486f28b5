import { KnownError } from '../../errors/known-error.js';

/** Slack does not take a token: no try will help until somebody sets another one. */
export class SlackTokenRefused extends KnownError {
  readonly code = 'slack-token-refused';
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
