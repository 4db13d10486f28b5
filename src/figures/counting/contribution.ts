/** What one record adds to the figures. One is kept and filled anew for each record, so that reading allocates nothing. */
export class Contribution {
  /** What it adds to each of the report's sums. */
  readonly sums: Float64Array;
  /** The value whose median is wanted, a whole number; NaN: it has none. */
  measured = Number.NaN;
  /** Where it stands among the counted records, the lowest first; NaN: they have no order. */
  rank = Number.NaN;
  /** True where it names the person it is about, and people are counted: the hash says who. */
  hasPerson = false;
  personHigh = 0;
  personLow = 0;
  /** True when it shows that person as active. */
  active = false;

  constructor(sums: number) {
    this.sums = new Float64Array(sums);
  }

  clear(): void {
    this.sums.fill(0);
    this.measured = Number.NaN;
    this.rank = Number.NaN;
    this.hasPerson = false;
    this.active = false;
  }
}
