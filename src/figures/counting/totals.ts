export function addSums(sums: Float64Array, more: Float64Array, from = 0): void {
  for (let i = 0; i < more.length; i++) sums[from + i] = (sums[from + i] ?? 0) + (more[i] ?? 0);
}

/** Counts of a part of an answer. Those of the next part can be added. */
export interface Totals {
  /** @param people by the number of a person of `later`: the number here */
  merge(later: unknown, people: Int32Array): void;
}
