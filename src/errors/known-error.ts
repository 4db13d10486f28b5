/**
 * The part that failed.
 * - `asker`: the request cannot be run as it is; the person who asked, or the owner of the digest, can change that.
 * - `service`: the Reporting Service cannot be used now, by any request.
 * - `answer`: the service answered this query with something that cannot be used.
 * - `slack`: Slack did not take what was sent.
 * - `ours`: this program, its settings or its machine.
 */
export type ErrorScope = 'asker' | 'service' | 'answer' | 'slack' | 'ours';

/**
 * A failure that Rollcall knows about and can explain. Each cause is a small class of its own with a `code` and the
 * fields its message needs. `src/slack/messages/failures.ts` has the message for the person who asked, and
 * `src/cli/operator-messages.ts` the one for the terminal.
 */
export abstract class KnownError extends Error {
  /** Stable, for logs and metrics; holds no token, address or row. */
  abstract readonly code: string;
  readonly scope: ErrorScope = 'ours';
  /** True where the same request may well work when a person tries again. */
  readonly isRetryable: boolean = false;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}
