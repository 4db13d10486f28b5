import type { ReportRequest } from '../requests/request.js';
import type { Cadence } from '../schedule/cadence.js';

/** A digest that somebody is about to set up, or to change. Plain data: it outlives a restart of the bot. */
export interface DigestDraft {
  readonly request: ReportRequest;
  readonly channel: string;
  readonly owner: string;
  readonly cadence: Cadence;
  /** IANA zone. */
  readonly zone: string;
  readonly skipEmpty: boolean;
  /** The digest that it changes, as it was then; absent: it is a new one. */
  readonly changes?: { readonly id: string; readonly revision: number };
}
