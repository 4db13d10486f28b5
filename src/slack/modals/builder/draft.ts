import type { InputValue } from './input-names.js';
import type { BuilderState } from './state.js';

/** A builder that somebody has open. Plain data: it outlives a restart of the bot. */
export interface BuilderDraft {
  readonly state: BuilderState;
  /** The name of what submitting it does: `run`. */
  readonly purpose: string;
  /** What stands in the inputs that belong to purposes, by their names. */
  readonly extra: Readonly<Record<string, InputValue>>;
  /** Sentences over the form, such as what of an older request is not there any more. */
  readonly remarks: readonly string[];
  /** Slack's time of the newest press or choice that it knows of, in seconds. */
  readonly knownAt?: number;
  /** Absent where it was opened from no conversation. */
  readonly here?: OpenedIn;
}

/** The conversation that a builder was opened in, as it was then. */
export interface OpenedIn {
  readonly channel: string;
  readonly thread?: string;
  /** As with a place: the direct messages with the bot, a channel that the bot is in, anywhere else. */
  readonly kind: 'direct' | 'member' | 'elsewhere';
  /** True where an answer that names people may stand. */
  readonly mayNamePeople: boolean;
  /** Slack's way back, where the bot has no other one. */
  readonly answerUrl?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
