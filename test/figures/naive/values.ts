import type { FigureUnit, FigureValue } from '../../../src/figures/result.js';
import type { Row } from './row.js';

export function countOf(rows: readonly Row[]): FigureValue {
  return { kind: 'count', count: rows.length };
}

export function sumOf(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((sum, number) => sum + (number ?? 0), 0);
}

export function total(numbers: readonly (number | undefined)[]): FigureValue {
  return { kind: 'count', count: sumOf(numbers) };
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

export function given(numbers: readonly (number | undefined)[]): number[] {
  return numbers.filter((number) => number !== undefined);
}

export function peopleIn(rows: readonly Row[]): number {
  return new Set(rows.map((row) => row.person()).filter((person) => person !== undefined)).size;
}

export function people(rows: readonly Row[]): FigureValue {
  return { kind: 'people', count: peopleIn(rows), moreThan: false };
}
