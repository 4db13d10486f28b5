import type { Median } from './numbers.js';

/** The sums of one group, or of the whole answer, as the rules for figures read them. */
export class CountedRow {
  constructor(
    private readonly sums: Float64Array,
    /** Absent where it is not known: for several groups together. */
    readonly median?: Median | undefined,
    /** Whether there were more people than were counted; absent where people are not known. */
    readonly morePeople?: boolean | undefined,
  ) {}

  sum(which: number): number {
    return this.sums[which] ?? 0;
  }

  withMedian(median: Median | undefined): CountedRow {
    return new CountedRow(this.sums, median, this.morePeople);
  }
}
