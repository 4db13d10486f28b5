import type { FigureUnit, FigureValue } from '../../../src/figures/result.js';
import type { Row } from './row.js';

export function countOf(rows: readonly Row[]): FigureValue {
  return { kind: 'count', count: rows.length };
}

export function sumOf(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((sum, number) => sum + (number ?? 0), 0);
}

/** Unknown where there are rows, and none of them gives a number. */
export function total(numbers: readonly (number | undefined)[]): FigureValue {
  return isGiven(numbers) ? { kind: 'count', count: sumOf(numbers) } : { kind: 'unknown' };
}

export function isGiven(numbers: readonly (number | undefined)[]): boolean {
  return numbers.length === 0 || numbers.some((number) => number !== undefined);
}

export function share(part: number, whole: number): FigureValue {
  return { kind: 'rate', part, whole };
}

/** The median. */
export function middle(numbers: readonly number[], unit: FigureUnit): FigureValue {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half];
  const lower = sorted.length % 2 === 1 ? upper : sorted[half - 1];
  const value = upper === undefined || lower === undefined ? null : (lower + upper) / 2;
  return { kind: 'median', value, over: sorted.length, unit };
}

/** A row with the days until it was completed, or for which it has been open. */
export interface Lasting {
  readonly days: number;
  readonly isDone: boolean;
}

/**
 * The median by the product of Kaplan and Meier, in exact fractions: the first day with an event after which at most half
 * of the rows are left.
 */
export function medianTime(rows: readonly Lasting[]): FigureValue {
  const over = rows.length;
  let [left, of] = [1n, 1n];
  for (const day of [...new Set(rows.map(({ days }) => days))].sort((a, b) => a - b)) {
    const atRisk = rows.filter(({ days }) => days >= day).length;
    const events = rows.filter(({ days, isDone }) => isDone && days === day).length;
    left *= BigInt(atRisk - events);
    of *= BigInt(atRisk);
    if (events > 0 && 2n * left <= of) return { kind: 'median', value: day, over, unit: 'days' };
  }
  return { kind: 'median', value: null, over, unit: 'days' };
}

export function given<Value>(values: readonly (Value | undefined)[]): Value[] {
  return values.filter((value) => value !== undefined);
}
export function peopleIn(rows: readonly Row[]): number {
  return new Set(rows.map((row) => row.person()).filter((person) => person !== undefined)).size;
}

export function people(rows: readonly Row[]): FigureValue {
  return { kind: 'people', count: peopleIn(rows), moreThan: false };
}
