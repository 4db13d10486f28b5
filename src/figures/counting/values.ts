import type { FigureUnit, FigureValue } from '../result.js';
import type { CountedRow } from './counted-row.js';

export function count(many: number): FigureValue {
  return { kind: 'count', count: many };
}

export function rate(part: number, whole: number): FigureValue {
  return { kind: 'rate', part, whole };
}

export function average(sum: number, over: number, unit: FigureUnit): FigureValue {
  return { kind: 'average', sum, over, unit };
}

/** Distinct people, whose number stands in that sum. */
export function distinctPeople(row: CountedRow, sum: number): FigureValue {
  if (row.morePeople === undefined) return { kind: 'unknown' };
  return { kind: 'people', count: row.sum(sum), moreThan: row.morePeople };
}

/** @param per how many counted steps make one unit: 10 where tenths were counted */
export function median(row: CountedRow, unit: FigureUnit, per = 1): FigureValue {
  if (!row.median) return { kind: 'unknown' };
  const { value, over } = row.median;
  return { kind: 'median', value: value === null ? null : value / per, over, unit };
}
