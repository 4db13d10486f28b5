import type { Assignment } from '../world/rows.js';
import type { Campaign } from './campaigns.js';
import type { Library } from './library.js';
import type { Span } from './span.js';

/** What the stories of all learners share. */
export interface Scene {
  readonly span: Span;
  readonly library: Library;
  readonly campaigns: readonly Campaign[];
  /** Writes an assignment and returns its id. */
  assign(row: Omit<Assignment, 'publicId'>): number;
}
