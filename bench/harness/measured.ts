import { intervalOfMedian, median } from './statistics.js';

/** A result as text. It is missed only if the whole interval misses the target. */
export interface Measured {
  readonly what: string;
  readonly target: string;
  readonly found: string;
  readonly verdict: 'aim reached' | 'reached' | 'missed';
}

/** A measurement of both sides, one after the other, in any unit. */
export interface Pair {
  readonly theirs: number;
  readonly ours: number;
}

/** Compares two sides: how many times as long the other side takes. More is better. */
export function ratioAtLeast(
  what: string,
  pairs: readonly Pair[],
  { atLeast, aim, unit = 's' }: { atLeast: number; aim?: number; unit?: string },
): Measured {
  const [low, high] = intervalOfMedian(pairs.map(({ theirs, ours }) => theirs / ours));
  const ratio = median(pairs.map(({ theirs, ours }) => theirs / ours));
  const reached = aim !== undefined && ratio >= aim ? 'aim reached' : 'reached';
  const sides = [median(pairs.map(({ theirs }) => theirs)), median(pairs.map(({ ours }) => ours))];
  return {
    what,
    target: `at least ${atLeast}${aim === undefined ? '' : `, aim ${aim}`}`,
    found: `${digits(ratio)} (${digits(low)} to ${digits(high)}; ${sides.map(digits).join(' and ')} ${unit}, ${pairs.length} pairs)`,
    verdict: high < atLeast ? 'missed' : reached,
  };
}

/** Compares measurements with a limit. Less is better. */
export function atMost(
  what: string,
  values: readonly number[],
  { limit, unit }: { limit: number; unit: string },
): Measured {
  const [low, high] = intervalOfMedian(values);
  return {
    what,
    target: `at most ${digits(limit)} ${unit}`,
    found: `${digits(median(values))} ${unit} (${digits(low)} to ${digits(high)}; ${values.length} runs)`,
    verdict: low > limit ? 'missed' : 'reached',
  };
}

/** Three significant digits. */
function digits(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
