/** An axis: its ends and the values worth a line across the chart, all in the data's own unit. */
export interface Axis {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** An axis over the values with round ticks, about `count` of them. Zero is always on it, so that lengths are honest. */
export function roundAxis(values: readonly number[], count = 4): Axis {
  const least = Math.min(0, ...values);
  const greatest = Math.max(0, ...values);
  // Differences too small to be anything but noise are drawn as none.
  const most = greatest - least > 1e-9 ? greatest : least + 1;
  const step = roundStep((most - least) / count, values.every(Number.isInteger));
  const low = Math.floor(least / step) * step;
  const high = Math.ceil(most / step) * step;
  const steps = Math.round((high - low) / step);
  const ticks = Array.from({ length: steps + 1 }, (_, index) => Number((low + index * step).toPrecision(12)));
  return { low, high, ticks };
}

/** The nearest of 1, 2, 2.5, 5 and their tenfolds that is not smaller; a whole one where the values count things. */
function roundStep(rough: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  const fits = steps.find((step) => rough <= step * 1.0001 && (!whole || Number.isInteger(step)));
  return fits ?? Math.max(1, 10 * power);
}

/** Maps a value to pixels between two ends. */
export function place(value: number, axis: Axis, bottom: number, top: number): number {
  return bottom + ((value - axis.low) / (axis.high - axis.low)) * (top - bottom);
}

const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });

export function writeValue(value: number): string {
  return exact.format(value);
}

export function writeTick(value: number): string {
  return Math.abs(value) >= 10_000 ? compact.format(value) : exact.format(value);
}

/** Pixels that a label takes at the charts' small size, near enough to decide whether labels fit side by side. */
export function roughTextWidth(text: string, fontSize = 11): number {
  return [...text].length * fontSize * 0.56;
}
