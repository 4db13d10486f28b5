export interface PostedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly link?: string;
}

/** The right of one worker to work on a post. Only this worker may record its outcome. */
export interface Claim {
  readonly id: string;
  /** `null` for an answer to a command, which has no lease. */
  readonly worker: string | null;
  /** The process of an answer to a command. Absent: this one. Any other one has ended. `null`: none. */
  readonly process?: string | null;
}

/** Which counter of a post a failed attempt increases. */
export type AttemptCount = 'attempt' | 'rate-limit' | 'none';

/** Slack's answer could not be written. The next start finds the post and decides. */
export class OutcomeNotSaved extends Error {
  constructor(
    /** False: Slack has the post. */
    readonly isUnconfirmed: boolean,
    cause: unknown,
  ) {
    super('The outcome of a post could not be saved', { cause });
  }
}
