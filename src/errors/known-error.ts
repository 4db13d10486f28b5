import type { ErrorScope } from './failures.js';

/**
 * A failure that Rollcall knows about and can explain: an entry of the table in `failures.ts`, or a small class of its
 * own. `src/slack/messages/failures.ts` has the message for the person who asked, and
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
