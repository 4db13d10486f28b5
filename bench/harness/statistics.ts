/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? Number.NaN)) / 2;
}

const resamples = 4000;

/** The interval that holds 95 % of the medians of samples drawn again from the values (a bootstrap). */
export function intervalOfMedian(values: readonly number[]): readonly [low: number, high: number] {
  let state = 1;
  // A generator with a fixed start: the same values always give the same interval.
  const random = () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  const draw = () => values[Math.floor(random() * values.length)] ?? Number.NaN;
  const medians = Array.from({ length: resamples }, () => median(values.map(draw))).sort((a, b) => a - b);
  const at = (part: number) => medians[Math.min(resamples - 1, Math.round(part * resamples))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}
