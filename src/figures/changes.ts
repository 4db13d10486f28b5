import type { Figure, FiguresResult, FigureUnit, FigureValue } from './result.js';
import { sayCount, sayPercent, sayTenths, sayTime } from './words/say-numbers.js';
import { plainNumber, sayAmount, sayPerDay } from './words/say-values.js';

/** What a figure was and is, in the terms it is compared in. */
export interface Change {
  readonly before: number;
  readonly now: number;
  /** Counts and durations change by percent, rates by points, averages by their own unit. */
  readonly unit: 'count' | 'seconds' | 'percent-points' | 'per-day' | FigureUnit;
}

/** What is kept of an answer to compare a later one with. */
export type EarlierFigures = Pick<FiguresResult, 'figures'>;

/** The change of each figure that carries one and can be compared, by the figure's id. */
export function changes(now: EarlierFigures, before: EarlierFigures): ReadonlyMap<string, Change> {
  const earlier = new Map(before.figures.map((figure) => [figure.id, figure]));
  const found = new Map<string, Change>();
  for (const figure of now.figures) {
    const change = changeOf(figure, earlier.get(figure.id));
    if (change) found.set(figure.id, change);
  }
  return found;
}

function changeOf(figure: Figure, earlier: Figure | undefined): Change | undefined {
  if (!earlier || figure.ofNow || figure.value.kind !== earlier.value.kind) return undefined;
  const now = plainNumber(figure.value);
  const before = plainNumber(earlier.value);
  if (now === undefined || before === undefined) return undefined;
  return { now, before, unit: unitOf(figure.value) };
}

function unitOf(value: FigureValue): Change['unit'] {
  switch (value.kind) {
    case 'rate':
      return 'percent-points';
    case 'duration':
      return 'seconds';
    case 'per-day':
      return 'per-day';
    case 'average':
    case 'median':
    case 'amount':
      return value.unit;
    default:
      return 'count';
  }
}

/** `up 12% from 340`, `down 3.1 points from 78%`, `no change`. */
export function sayChange({ now, before, unit }: Change): string {
  if (now === before) return 'no change';
  const direction = now > before ? 'up' : 'down';
  const by = Math.abs(now - before);
  switch (unit) {
    case 'count':
      return `${direction}${sayShare(by, before)} from ${sayCount(before)}`;
    case 'per-day':
      return `${direction}${sayShare(by, before)} from ${sayPerDay(before)}`;
    case 'seconds':
      return `${direction}${sayShare(by, before)} from ${sayTime(before)}`;
    case 'percent-points':
      return `${direction} ${sayPoints(by)} from ${sayTenths(before)}%`;
    case 'percent':
      return `${direction} ${sayPoints(by)} from ${sayAmount(before, unit)}`;
    default:
      return `${direction} from ${sayAmount(before, unit)}`;
  }
}

/** ` 12%`, in whole percent from ten on, or nothing where what was before gives no percentage. */
function sayShare(by: number, before: number): string {
  if (before <= 0) return '';
  const percent = (100 * by) / before;
  return ` ${percent >= 10 ? `${sayCount(Math.round(percent))}%` : sayPercent(by, before)}`;
}

function sayPoints(by: number): string {
  const points = Math.round(by * 10) / 10;
  if (points === 0) return 'under 0.1 points';
  return `${sayTenths(points)} ${points === 1 ? 'point' : 'points'}`;
}
