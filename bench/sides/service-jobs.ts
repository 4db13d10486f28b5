import type { ReportName } from '../../src/catalogue/index.js';

/** A generated world in a file, and the moment that is now there. Plain data. */
export interface KeptWorld {
  readonly path: string;
  readonly learners: number;
  /** Epoch seconds. */
  readonly now: number;
}

/** What the service is told: over which world to start, or to say how its event loop was held. */
export type ServiceJob = KeptWorld | 'stalls';

/** Milliseconds between two turns of the event loop. */
export interface Stalls {
  /** All but one in a hundred were shorter. */
  readonly usual: number;
  readonly longest: number;
}

/** One answer to read. Plain data. */
export interface ReportJob {
  readonly world: KeptWorld;
  readonly report: ReportName;
  /** Epoch seconds, `[from, until)`. */
  readonly from: number;
  readonly until: number;
  readonly flags: readonly string[];
}

/** What came of reading an answer. */
export interface ReportRead {
  readonly records: number;
  readonly characters: number;
}
