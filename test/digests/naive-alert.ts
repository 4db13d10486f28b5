import type { AlertCondition } from '../../src/requests/alert-condition.js';

/* Computes a second time when an alert posts: for each run anew, from all runs before it, and without a state. */

interface NaiveRun {
  /** Undefined where the figure could not be shown. */
  readonly value: number | undefined;
  /** Undefined where their number could not be shown. */
  readonly rows: number | undefined;
  /** True where a sudden drop counts as true. */
  readonly accepts?: boolean;
}

type Threshold = Extract<AlertCondition, { kind: 'threshold' }>;

/** The runs with a sudden drop, by their place. */
export function heldAt(runs: readonly NaiveRun[]): readonly number[] {
  const held: number[] = [];
  for (let at = 0; at < runs.length; at += 1) if (isHeld(runs, at, held)) held.push(at);
  return held;
}

function isHeld(runs: readonly NaiveRun[], at: number, held: readonly number[]): boolean {
  if (runs[at]?.accepts) return false;
  let from = 0;
  for (let one = 0; one < at; one += 1) if (runs[one]?.accepts) from = one;
  const counted: (number | undefined)[] = [];
  for (let one = from; one < at; one += 1) if (!held.includes(one)) counted.push(runs[one]?.rows);
  const ten = counted.slice(-10);
  const shown = ten.filter((rows) => rows !== undefined);
  const now = runs[at]?.rows;
  if (now === undefined || ten.length < 10 || shown.length === 0) return false;
  return shown.every((rows) => rows >= 20 && now * 2 < rows);
}

/** The runs at which the alert posts, by their place. */
export function firedAt(when: Threshold, runs: readonly NaiveRun[]): readonly number[] {
  const held = heldAt(runs);
  const values = runs.map(({ value }, at) => (held.includes(at) ? undefined : value));
  return values.flatMap((value, at) => {
    if (value === undefined || !isTrue(when, value)) return [];
    const earlier = values.slice(0, at);
    // The first is the baseline.
    if (earlier.every((one) => one === undefined)) return [];
    const lastTrue = earlier.findLastIndex((one) => one !== undefined && isTrue(when, one));
    if (lastTrue < 0) return [at];
    const between = earlier.slice(lastTrue + 1);
    return between.some((one) => one !== undefined && isFarAway(when, one)) ? [at] : [];
  });
}

function isTrue({ comparison, value }: Threshold, found: number): boolean {
  if (comparison === '>') return found > value;
  if (comparison === '>=') return !(found < value);
  if (comparison === '<') return found < value;
  return !(found > value);
}

/** False by a twentieth of the threshold at least. */
function isFarAway(when: Threshold, found: number): boolean {
  const { comparison, value, isPercent } = when;
  if (isTrue(when, found)) return false;
  if (comparison.startsWith('>')) return found <= 0 || (value - found) * 20 >= value - 1e-9;
  return (isPercent && found >= 100) || (found - value) * 20 >= value - 1e-9;
}
