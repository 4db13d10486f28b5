import { KnownError } from '../errors/known-error.js';

/** Where a message stands. */
export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly link?: string;
}

/** Who works on a post: nobody else can write what became of it. */
export interface Claim {
  readonly id: string;
  /** `null`: the process that took a request by hand, with no lease. */
  readonly worker: string | null;
}

/** Whether a try counts as one of the post's own, as one at which Slack asked to wait, or not at all. */
export type AttemptCount = 'attempt' | 'rate-limit' | 'none';

/**
 * A file that did not get through.
 * `mayHaveArrived` is true when the last step's answer was lost, so that nobody can know.
 */
export class FileNotShared extends KnownError {
  readonly code = 'file-not-shared';
  override readonly scope = 'slack';
  override readonly isRetryable = true;
  /** Slack asks to wait so long. */
  readonly retryAfterSeconds: number | undefined;
  constructor(
    /** Slack's own error, or what broke: `http_503`, `connection_lost`. */
    readonly reason: string,
    readonly mayHaveArrived: boolean,
    options?: { cause?: unknown; retryAfterSeconds?: number | undefined },
  ) {
    super(`Slack did not take the file: ${reason}`, options);
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

/**
 * Writes down what Slack said, several times over if need be: it must not be lost because somebody else is writing for
 * long.
 *
 * @throws what the last try threw
 */
export async function retryWrite<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
