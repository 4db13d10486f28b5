import type { ResolvedRange } from '../requests/request.js';
import { formatCount, formatDecimals, formatDuration, plainNumber } from './format/values.js';
import type { Comparison, Figure, FiguresResult, FigureUnit, FigureValue } from './result.js';

/**
 * The numbers of figures by ID. They are stored for later comparisons. `listOfLeftOut` has the list of people whose rows
 * were left out: figures with another one are about other people.
 */
export type FigureNumbers = Readonly<Record<string, number>>;

/** Both sides of a comparison, of one figure each. */
export interface FigureBaselines {
  readonly periodBefore?: FigureNumbers;
  readonly lastRun?: FigureNumbers;
}

/** The earlier and the current value of a figure. */
export interface Change {
  readonly before: number;
  readonly now: number;
  /** Counts and durations change by percent, rates by points, averages by their own unit. */
  readonly unit: 'count' | 'seconds' | 'percent-points' | 'per-day' | FigureUnit;
}

/** A change from fewer than this is shown in numbers: a percentage of so few means little. */
const minForPercent = 5;

/** The numbers of the figures that are compared in one of these ways. */
export function comparableNumbers(
  { figures, leftOut }: Pick<FiguresResult, 'figures' | 'leftOut'>,
  compared: readonly Comparison[],
): FigureNumbers {
  const numbers = figures.flatMap((figure) => {
    const number = plainNumber(figure.value);
    return number !== undefined && compared.includes(figure.compared) ? [[figure.id, number] as const] : [];
  });
  return Object.fromEntries(leftOut ? [...numbers, [listOfLeftOut, leftOut.list] as const] : numbers);
}

/** No figure has this ID. */
const listOfLeftOut = 'left-out';

/** True if the same people were left out of earlier figures. */
export function leavesOutTheSame(
  { leftOut }: Pick<FiguresResult, 'leftOut'>,
  earlier: FigureNumbers,
): boolean {
  return earlier[listOfLeftOut] === leftOut?.list;
}

/** The change of each figure that carries one and can be compared, by the figure's id. */
export function changesById(
  now: Pick<FiguresResult, 'figures'>,
  { periodBefore = {}, lastRun = {} }: FigureBaselines,
): ReadonlyMap<string, Change> {
  const found = new Map<string, Change>();
  for (const figure of now.figures) {
    const change = changeOf(figure, figure.compared === 'last-run' ? lastRun : periodBefore);
    if (change) found.set(figure.id, change);
  }
  return found;
}

function changeOf({ id, value, compared }: Figure, earlier: FigureNumbers): Change | undefined {
  const now = plainNumber(value);
  const before = earlier[id];
  if (compared === 'nothing' || now === undefined || before === undefined) return undefined;
  return { now, before, unit: unitOf(value) };
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

/** The decimals that both sides are shown with: as many as either needs, up to those that are compared. */
export function decimalsOf({ before, now, unit }: Change): number {
  const least = Math.min(...[before, now].filter((side) => side !== 0).map(Math.abs));
  const most = maxDecimals(unit, least);
  const needed = [before, now].map((side) => {
    const inUnit = unit === 'seconds' ? side / secondsPerHour : rounded(side, most, unit);
    const [, decimals = ''] = inUnit.toFixed(most).split('.');
    return decimals.replace(/0+$/, '').length;
  });
  return Math.max(...needed);
}

const secondsPerHour = 3600;

function maxDecimals(unit: Change['unit'], least: number): number {
  // Minutes, seconds, and hours from a hundred on have no decimals.
  if (unit === 'seconds') return least >= secondsPerHour && least < 100 * secondsPerHour ? 1 : 0;
  if (unit === 'rating' || unit === 'attempts') return 2;
  if (least >= 1 || (unit !== 'per-day' && unit !== 'points')) return 1;
  // Scores may be fractions of 1, and one a year is less than a hundredth a day.
  return unit === 'points' ? 3 : Math.min(1 - Math.floor(Math.log10(least)), 6);
}

/** A change in words, in three lengths. */
export interface FormattedChange {
  /** Beside a figure: `▲ 12%`, `▼ 2.1 points`, `no change`. */
  readonly short: string;
  /** In a sentence: `up 12%`, `down 2.1 points`, `no change`. */
  readonly words: string;
  /** With what it was: `up 12% from 340`, `no change`. */
  readonly long: string;
}

export function formatChange(change: Change): FormattedChange {
  const { unit } = change;
  const decimals = decimalsOf(change);
  if (unit === 'seconds') {
    const from = formatDuration(change.before, decimals);
    if (from === formatDuration(change.now, decimals)) return noChange;
    return inThreeLengths(change, change.before === 0 ? '' : formatPercentChange(change), from);
  }
  const before = rounded(change.before, decimals, unit);
  const now = rounded(change.now, decimals, unit);
  if (now === before) return noChange;
  const by = formatDecimals(Math.abs(now - before), decimals);
  const from = formatDecimals(before, decimals);
  switch (unit) {
    case 'count':
    case 'per-day':
      if (before === 0) return inThreeLengths(change, '', from);
      return inThreeLengths(change, before < minForPercent ? by : formatPercentChange(change), from);
    case 'percent-points':
    case 'percent':
      return inThreeLengths(change, `${by} ${by === '1' ? 'point' : 'points'}`, `${from}%`);
    case 'days':
      return inThreeLengths(change, inDays(by), inDays(from));
    default:
      return inThreeLengths(change, by, from);
  }
}

const noChange: FormattedChange = { short: 'no change', words: 'no change', long: 'no change' };

/** @param by empty where a share of 0 would say nothing */
function inThreeLengths({ before, now }: Change, by: string, from: string): FormattedChange {
  const [sign, direction] = now > before ? ['▲', 'up'] : ['▼', 'down'];
  if (by === '')
    return { short: `${sign} from 0`, words: `${direction} from 0`, long: `${direction} from 0` };
  return {
    short: `${sign} ${by}`,
    words: `${direction} ${by}`,
    long: `${direction} ${by} from ${from}`,
  };
}

function inDays(number: string): string {
  return `${number} ${number === '1' ? 'day' : 'days'}`;
}

/** `12%`, with a decimal below ten. */
function formatPercentChange({ before, now }: Change): string {
  const percent = (100 * Math.abs(now - before)) / before;
  if (percent < 0.05) return 'under 0.1%';
  return `${formatCount(percent >= 10 ? Math.round(percent) : Math.round(percent * 10) / 10)}%`;
}

/** A rate is never rounded to all or nothing where it is neither. */
function rounded(value: number, decimals: number, unit: Change['unit']): number {
  const round = Number(value.toFixed(decimals));
  if (unit !== 'percent-points') return round;
  if (round === 0 && value > 0) return 0.1;
  return round === 100 && value < 100 ? 99.9 : round;
}

/** The figures of the period before. */
export interface EarlierFigures {
  readonly figures: FigureNumbers;
  readonly range: ResolvedRange;
  /** Set if they were counted at equal age: the instant that they describe, milliseconds since the epoch. */
  readonly asOf?: number;
  /** When they were read, milliseconds since the epoch, where an earlier query read them; absent: with the answer. */
  readonly readAt?: number;
}

/** Figures of the last run of the same request. */
export interface LastRun {
  readonly figures: FigureNumbers;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Whose last run it was. */
  readonly of: 'digest' | 'saved-report' | 'asker';
}

/**
 * Why there is nothing to compare with: it is not read yet, was not ready in time, could not be had, there is no such
 * period, too many of its completed rows do not tell when they were completed, or too few people match in it.
 */
export type NoEarlierFigures = 'not-yet' | 'late' | 'failed' | 'none' | 'undated' | 'too-few';
