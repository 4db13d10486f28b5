import { intervalOfMedian, median } from './statistics.js';

/** A result as text. It is missed only if the whole interval misses the target. */
export interface Measured {
  readonly what: string;
  readonly target: string;
  readonly found: string;
  readonly verdict: 'aim reached' | 'reached' | 'missed' | 'no target';
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
  const { ratio, high, found } = compare(pairs, unit);
  const reached = aim !== undefined && ratio >= aim ? 'aim reached' : 'reached';
  return {
    what,
    target: `at least ${atLeast}${aim === undefined ? '' : `, aim ${aim}`}`,
    found,
    verdict: high < atLeast ? 'missed' : reached,
  };
}

/** The same ratio without a target, against a side that does less than ours. */
export function ratioBeside(what: string, pairs: readonly Pair[], unit = 's'): Measured {
  return { what, target: 'none', found: compare(pairs, unit).found, verdict: 'no target' };
}

function compare(pairs: readonly Pair[], unit: string) {
  const ratios = pairs.map(({ theirs, ours }) => theirs / ours);
  const [low, high] = intervalOfMedian(ratios);
  const ratio = median(ratios);
  const sides = [median(pairs.map(({ theirs }) => theirs)), median(pairs.map(({ ours }) => ours))];
  const found = `${digits(ratio)} (${digits(low)} to ${digits(high)}; ${sides.map(digits).join(' and ')} ${unit}, ${pairs.length} pairs)`;
  return { ratio, high, found };
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
