import { sayCount } from '../format/values.js';
import type { Chart } from '../result.js';

const bars = 10;

/**
 * How the scores spread, in ten equal steps: of 10 where all lie between 0 and 100, else of whatever is round and
 * covers them.
 *
 * @param values each score with its count, the smallest first, in steps of a point
 * @param perPoint how many steps make a point
 */
export function scoreChart(
  values: readonly (readonly [value: number, count: number])[],
  perPoint: number,
): Chart | undefined {
  const lowest = (values[0]?.[0] ?? 0) / perPoint;
  const highest = (values.at(-1)?.[0] ?? 0) / perPoint;
  if (values.length < 2) return undefined;
  const { from, width } =
    lowest >= 0 && highest <= 100 ? { from: 0, width: 10 } : roundSteps(lowest, highest);
  const counts = new Array<number>(bars).fill(0);
  for (const [value, count] of values) {
    const bar = Math.min(bars - 1, Math.floor((value / perPoint - from) / width));
    counts[bar] = (counts[bar] ?? 0) + count;
  }
  return {
    title: 'Spread of scores',
    shape: 'bar',
    categories: counts.map((_, bar) => stepLabel(from + bar * width, width, bar === bars - 1)),
    series: [{ name: 'Results', values: counts }],
    inTable: false,
  };
}

/** Ten steps of 1, 2 or 5 times a power of ten. */
function roundSteps(lowest: number, highest: number): { from: number; width: number } {
  const least = (highest - lowest) / (bars - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  const width = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
  return { from: Math.floor(lowest / width) * width, width };
}

/** `70 to 79`; the last step holds its upper end: `90 to 100`. */
function stepLabel(from: number, width: number, last: boolean): string {
  const to = width >= 10 && !last ? from + width - 1 : from + width;
  return `${sayCount(from)} to ${sayCount(to)}`;
}
