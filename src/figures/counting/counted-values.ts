/** The largest absolute value that is counted: enough for days and for thousandths of a point. */
const maxValue = 20_000_000_000;
const span = 2 * maxValue + 1;

export interface Median {
  /** In the counted units; null if nothing was counted, or if the median of times is not reached. */
  readonly value: number | null;
  readonly over: number;
}

/** What is counted: plain values, or times as `eventAfter` and `openAfter` write them. */
export type CountedKind = 'values' | 'times';

/** A time after which something happened. */
export function eventAfter(time: number): number {
  return 2 * time;
}

/** A time for which it has not happened yet. Of equal times, it comes after the events. */
export function openAfter(time: number): number {
  return 2 * time + 1;
}

/**
 * Counts each integer value per row, for exact medians without storing all values. Memory grows with the number of
 * different values, which is limited.
 */
export class CountedValues {
  private counts: Map<number, number> | undefined = new Map();

  /** @param limit maximum different values over all rows; above it there are no medians */
  constructor(
    private readonly limit: number,
    private readonly kind: CountedKind = 'values',
  ) {}

  /** True once there were more different values than the limit. */
  get full(): boolean {
    return this.counts === undefined;
  }

  static canCount(value: number): boolean {
    return value >= -maxValue && value <= maxValue;
  }

  add(row: number, value: number, count = 1): void {
    if (!this.counts) return;
    const key = row * span + value + maxValue;
    this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    if (this.counts.size > this.limit) this.counts = undefined;
  }

  /** @param rowOf the row here for one of `later` */
  merge({ counts }: CountedValues, rowOf = (row: number) => row): void {
    if (!counts) this.counts = undefined;
    for (const [key, count] of counts ?? []) {
      const row = Math.floor(key / span);
      this.add(rowOf(row), key - row * span - maxValue, count);
    }
  }

  /** Each value of a row with its count, smallest first. */
  valuesOf(row: number): readonly (readonly [value: number, count: number])[] {
    return this.valuesOfRows([[row]])[0] ?? [];
  }

  /** The median of each set of rows, computed in one pass. */
  medians(sets: readonly (readonly number[])[]): Median[] {
    return this.valuesOfRows(sets).map(this.kind === 'times' ? medianTimeOf : medianOf);
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

/** More than the rounding of all factors, and less than one of a hundred million rows. */
const roundingError = 1e-9;

/**
 * The first time at which at most half are left, estimated by Kaplan and Meier: at each event, the share that is left
 * falls by the events among all who had come that far. Null if more than half are left in the end.
 */
function medianTimeOf(values: readonly (readonly [value: number, count: number])[]): Median {
  const over = values.reduce((sum, [, count]) => sum + count, 0);
  let atRisk = over;
  let left = 1;
  for (const [value, count] of values) {
    const isEvent = value % 2 === 0;
    if (isEvent) left *= 1 - count / atRisk;
    if (isEvent && left <= 0.5 + roundingError) return { value: value / 2, over };
    atRisk -= count;
  }
  return { value: null, over };
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
