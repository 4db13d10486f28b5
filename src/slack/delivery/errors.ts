import { KnownError } from '../../errors/known-error.js';
import { Cancelled } from '../../reporting-api/errors.js';

/** An answer that Slack did not take. */
export class AnswerNotPosted extends KnownError {
  readonly code = 'answer-not-posted';
  /** @param reason Slack's own error */
  constructor(readonly reason: string) {
    super(`Slack did not take the answer: ${reason}`);
  }
}

/**
 * A file that did not get through.
 * `mayHaveArrived` is true when the last step's answer was lost, so that nobody can know.
 */
export class FileNotShared extends KnownError {
  readonly code = 'file-not-shared';
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

/** Another process took this one for dead, and has told the asker. */
export class EndedElsewhere extends Error {}

/** The bot is stopping, and with it everything that is still running. */
export class Stopping extends Cancelled {
  constructor() {
    super();
    this.name = 'Stopping';
  }
}
