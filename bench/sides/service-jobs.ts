import type { ReportName } from '../../src/reports/catalogue/index.js';

/** A generated world in a file, and the moment that is now there. Plain data. */
export interface KeptWorld {
  readonly path: string;
  readonly learners: number;
  /** Epoch seconds. */
  readonly now: number;
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
