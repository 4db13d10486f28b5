/** True for `FULL=1`: everything that is sampled otherwise is tried, which takes minutes. */
export const isFull = process.env.FULL === '1';

/** The number of runs of a property: all of them with `FULL=1`, a quarter of them otherwise. */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.ceil(full / 4);
}
