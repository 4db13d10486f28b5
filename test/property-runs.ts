/** True for `FULL=1`: tests try all cases instead of a sample, which takes minutes. */
export const isFull = process.env.FULL === '1';

/** The number of runs of a property test: all with `FULL=1`, otherwise a quarter. */
export function propertyRuns(full: number): number {
  return isFull ? full : Math.ceil(full / 4);
}
