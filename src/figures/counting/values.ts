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

/** Two groups' values of one figure as one. */
export function together(a: FigureValue, b: FigureValue): FigureValue {
  if (a.kind === 'count' && b.kind === 'count') return count(a.count + b.count);
  if (a.kind === 'rate' && b.kind === 'rate') return rate(a.part + b.part, a.whole + b.whole);
  if (a.kind === 'duration' && b.kind === 'duration')
    return { kind: 'duration', seconds: a.seconds + b.seconds };
  if (a.kind === 'per-day' && b.kind === 'per-day')
    return { kind: 'per-day', count: a.count + b.count, days: a.days };
  if (a.kind === 'average' && b.kind === 'average') return average(a.sum + b.sum, a.over + b.over, a.unit);
  return { kind: 'unknown' };
}
