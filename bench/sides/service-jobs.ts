import type { ReportName } from '../../src/catalogue/index.js';

/** A generated world in a file, and its current time. Plain data. */
export interface KeptWorld {
  readonly path: string;
  readonly learners: number;
  /** Epoch seconds. */
  readonly now: number;
}

/** A job of the service: start over a world, or report its event loop delays. */
export type ServiceJob = KeptWorld | 'stalls';

/** Milliseconds between two turns of the event loop. */
export interface Stalls {
  /** The 99th percentile. */
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

/** The result of reading an answer. */
export interface ReportRead {
  readonly records: number;
  readonly characters: number;
}
