/** Adds sums to sums, one by one. */
export function addSums(sums: Float64Array, more: Float64Array, from = 0): void {
  for (let i = 0; i < more.length; i++) sums[from + i] = (sums[from + i] ?? 0) + (more[i] ?? 0);
}

/** Counts of a part of an answer. Those of the next part can be added. */
interface Totals {
  /** @param people by the number of a person of `later`: the number here */
  merge(later: unknown, people: Int32Array): void;
}

/** Adds each member that is totals. */
export function mergeMembers<T extends object>(into: T, later: T, people: Int32Array): void {
  for (const name of Object.keys(into) as (keyof T)[]) {
    const own: unknown = into[name];
    if (isTotals(own)) own.merge(later[name], people);
  }
}

function isTotals(member: unknown): member is Totals {
  return typeof member === 'object' && member !== null && 'merge' in member;
}
