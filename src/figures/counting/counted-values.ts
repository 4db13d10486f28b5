/** The largest countable integer, either side of 0: enough for days and for thousandths of a point. */
const MAX_VALUE = 20_000_000_000;
const span = 2 * MAX_VALUE + 1;

export interface Median {
  /** In the units that were counted; null where nothing was. */
  readonly value: number | null;
  /** How many values went in. */
  readonly over: number;
}

/**
 * How often each whole value came up in each row, for exact medians without keeping the values. What grows is the
 * number of different values, which is bounded.
 */
export class CountedValues {
  private constructor(
    private readonly limit: number,
    private counts: Map<number, number> | undefined,
  ) {}

  /** @param limit how many different values, over all rows, are counted; beyond that there are no medians */
  static withLimit(limit: number): CountedValues {
    return new CountedValues(limit, new Map());
  }

  /** True once there were more different values than the limit. */
  get full(): boolean {
    return this.counts === undefined;
  }

  /** True when the value is one that can be counted. */
  static canCount(value: number): boolean {
    return value >= -MAX_VALUE && value <= MAX_VALUE;
  }

  add(row: number, value: number): void {
    if (!this.counts) return;
    const key = row * span + value + MAX_VALUE;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    if (this.counts.size > this.limit) this.counts = undefined;
  }

  /** Each value of a row with its count, smallest first. */
  valuesOf(row: number): readonly (readonly [value: number, count: number])[] {
    return this.valuesOfRows([[row]])[0] ?? [];
  }

  /** The medians of several rows together, for each such set of rows; found in one pass. */
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
      for (const set of setsOf.get(row) ?? []) found[set]?.push([key - row * span - MAX_VALUE, count]);
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

/** The value at that place, from 0, of all values laid out in order. */
function valueAt(values: readonly (readonly [value: number, count: number])[], index: number): number {
  let before = 0;
  for (const [value, count] of values) {
    before += count;
    if (before > index) return value;
  }
  return Number.NaN;
}
