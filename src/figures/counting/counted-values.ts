/** The largest absolute value that is counted: enough for days and for thousandths of a point. */
const maxValue = 20_000_000_000;
const span = 2 * maxValue + 1;

export interface Median {
  /** In the counted units; null if nothing was counted. */
  readonly value: number | null;
  /** The number of values. */
  readonly over: number;
}

/**
 * Counts each integer value per row, for exact medians without storing all values. Memory grows with the number of
 * different values, which is limited.
 */
export class CountedValues {
  private constructor(
    private readonly limit: number,
    private counts: Map<number, number> | undefined,
  ) {}

  /** @param limit maximum different values over all rows; above it there are no medians */
  static withLimit(limit: number): CountedValues {
    return new CountedValues(limit, new Map());
  }

  /** True once there were more different values than the limit. */
  get full(): boolean {
    return this.counts === undefined;
  }

  /** True when the value is one that can be counted. */
  static canCount(value: number): boolean {
    return value >= -maxValue && value <= maxValue;
  }

  add(row: number, value: number): void {
    if (!this.counts) return;
    const key = row * span + value + maxValue;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    if (this.counts.size > this.limit) this.counts = undefined;
  }

  /** Each value of a row with its count, smallest first. */
  valuesOf(row: number): readonly (readonly [value: number, count: number])[] {
    return this.valuesOfRows([[row]])[0] ?? [];
  }

  /** The median of each set of rows, computed in one pass. */
  medians(sets: readonly (readonly number[])[]): Median[] {
    return this.valuesOfRows(sets).map(medianOf);
  }

  copy(): CountedValues {
    return new CountedValues(this.limit, this.counts && new Map(this.counts));
  }

  private valuesOfRows(sets: readonly (readonly number[])[]): [value: number, count: number][][] {
    const found = sets.map((): [value: number, count: number][] => []);
    const setsOf = new Map<number, number[]>();
    sets.forEach((rows, set) => {
      for (const row of rows) setsOf.set(row, [...(setsOf.get(row) ?? []), set]);
    });
    for (const [key, count] of this.counts ?? []) {
      const row = Math.floor(key / span);
      for (const set of setsOf.get(row) ?? []) found[set]?.push([key - row * span - maxValue, count]);
    }
    for (const values of found) values.sort(([a], [b]) => a - b);
    return found;
  }
}

/** The middle value, or the mean of the two in the middle. */
function medianOf(values: readonly (readonly [value: number, count: number])[]): Median {
  const over = values.reduce((sum, [, count]) => sum + count, 0);
  if (over === 0) return { value: null, over };
  return { value: (valueAt(values, (over - 1) >> 1) + valueAt(values, over >> 1)) / 2, over };
}

/** The value at an index, from 0, of all values in order. */
function valueAt(values: readonly (readonly [value: number, count: number])[], index: number): number {
  let before = 0;
  for (const [value, count] of values) {
    before += count;
    if (before > index) return value;
  }
  return Number.NaN;
}
