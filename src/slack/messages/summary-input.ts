import type { SummaryFacts } from '../../figures/format/summary-facts.js';

/** A button under a summary: which one, and what its action carries. */
export interface SummaryButton {
  readonly kind: 'csv' | 'change' | 'save' | 'schedule' | 'share' | 'meanings' | 'again';
  /** At most 2,000 characters. */
  readonly value: string;
}

/** Everything that a summary's message is drawn from. */
export interface SummaryMessageInput {
  readonly facts: SummaryFacts;
  /** As typed, `/report engagement last-week`. */
  readonly command: string;
  /** The Slack ID of who asked: the only mention in the message. */
  readonly askedBy?: string;
  /** True where they did not ask just now, but set up that it comes. */
  readonly comesByItself?: true;
  /** Further lines of our own above the buttons, as where a file went. */
  readonly remarks: readonly string[];
  /** True where people may be named: a direct message. */
  readonly withPeople: boolean;
  /** Only these are drawn, in this order. */
  readonly buttons: readonly SummaryButton[];
}
