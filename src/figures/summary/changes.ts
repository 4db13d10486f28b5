import type { ResolvedRange } from '../../requests/request.js';
import {
  formatCount,
  formatDecimals,
  formatDuration,
  formatPercent,
  formatPerDay,
  isNotReached,
  maxDecimalsOf,
  minForTenths,
  plainNumber,
} from '../format/values.js';
import type { Comparison, FiguresResult, FigureUnit, FigureValue, PeopleSketch } from '../result.js';

/**
 * The numbers of figures by ID. They are stored for later comparisons. `listOfLeftOut` has the list of people whose rows
 * were left out: figures with another one are about other people.
 */
export type FigureNumbers = Readonly<Record<string, number>>;

export interface Change {
  readonly before: Side;
  readonly now: Side;
  /** Counts and durations change by percent, rates by points, averages by their own unit. */
  readonly unit: 'count' | 'seconds' | 'percent-points' | 'per-day' | FigureUnit;
}

interface Side {
  readonly value: number;
  /** What it was divided by: the whole of a rate, the days of a number per day, the values of an average. */
  readonly of?: number | undefined;
}

/** A change from fewer than this is shown in numbers: a percentage of so few means little. */
const minForPercent = 10;

/** A larger multiple is shown as such. */
const maxPercentMultiple = 10;

/** A share of fewer is compared by its counts: points of so few mean little. */
const minForPoints = 20;

/** The numbers of the figures that are compared in one of these ways. */
export function comparableNumbers(
  { figures, leftOut, records }: Pick<FiguresResult, 'figures' | 'leftOut'> & { readonly records?: number },
  compared: readonly Comparison[],
): FigureNumbers {
  const numbers: Record<string, number> = {};
  for (const { id, value, compared: how } of figures) {
    const number = comparableNumber(value);
    if (number === undefined || !compared.includes(how)) continue;
    numbers[id] = number;
    const of = divisorOf(value);
    if (of !== undefined) numbers[`${id}${divisor}`] = of;
  }
  if (records !== undefined && Object.keys(numbers).length > 0) numbers[allRecords] = records;
  if (leftOut) numbers[listOfLeftOut] = leftOut.list;
  return numbers;
}

/** The stored number of a median that is not reached: more than any that is, and JSON can hold it. */
export const notReached = Number.MAX_VALUE;

/** A median that is not reached has a number too. */
export function comparableNumber(value: FigureValue): number | undefined {
  return isNotReached(value) ? notReached : plainNumber(value);
}

// No figure has these IDs.
const listOfLeftOut = 'left-out';
const allRecords = 'records';
const divisor = '/of';

/** How many records the answer of earlier figures had, before it was narrowed. */
export function recordsOf(earlier: FigureNumbers): number | undefined {
  return earlier[allRecords];
}

function divisorOf(value: FigureValue): number | undefined {
  if (value.kind === 'rate') return value.whole;
  if (value.kind === 'per-day') return value.days;
  return value.kind === 'average' ? value.over : undefined;
}

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
  {
    periodBefore = {},
    lastRun = {},
  }: { readonly periodBefore?: FigureNumbers; readonly lastRun?: FigureNumbers },
): ReadonlyMap<string, Change> {
  const found = new Map<string, Change>();
  for (const { id, value, compared } of now.figures) {
    const earlier = compared === 'last-run' ? lastRun : periodBefore;
    const number = comparableNumber(value);
    const before = earlier[id];
    if (compared === 'nothing' || number === undefined || before === undefined) continue;
    found.set(id, {
      now: { value: number, of: divisorOf(value) },
      before: { value: before, of: earlier[`${id}${divisor}`] },
      unit: 'unit' in value ? value.unit : (unitOfKind[value.kind] ?? 'count'),
    });
  }
  return found;
}

const unitOfKind: Readonly<Partial<Record<FigureValue['kind'], Change['unit']>>> = {
  rate: 'percent-points',
  duration: 'seconds',
  'per-day': 'per-day',
};

/** The decimals that both sides are shown with: as many as either needs, up to those that are compared. */
function decimalsOf(change: Change): number {
  const { before, now, unit } = change;
  const most = maxDecimals(change);
  const inUnit = unit === 'seconds' ? secondsPerHour : 1;
  const needed = [before, now].map(
    ({ value }) => String(rounded(value / inUnit, most, unit)).split('.')[1]?.length ?? 0,
  );
  return Math.max(...needed);
}

const secondsPerHour = 3600;

function maxDecimals({ before, now, unit }: Change): number {
  const sides = [before, now];
  const least = Math.min(...sides.filter(({ value }) => value !== 0).map(({ value }) => Math.abs(value)));
  switch (unit) {
    // Minutes, seconds, and hours from a hundred on have no decimals.
    case 'seconds':
      return least >= secondsPerHour && least < 100 * secondsPerHour ? 1 : 0;
    // One a year is less than a hundredth a day.
    case 'per-day':
      return least >= 1 ? 1 : Math.min(1 - Math.floor(Math.log10(least)), 6);
    case 'count':
      return 1;
    case 'percent-points':
      return sides.every(({ of = 0 }) => of >= minForTenths) ? 1 : 0;
    default: {
      // Scores may be fractions of 1.
      if (unit === 'points' && least < 1) return 3;
      return maxDecimalsOf(unit, Math.min(...sides.map(({ of = Number.POSITIVE_INFINITY }) => of)));
    }
  }
}

/** A change in words, in three lengths. No-break spaces keep each number with its sign and its unit. */
export interface FormattedChange {
  /** Beside a figure: `▲ 12%`, `▼ 2 points`, `31 times as many`, `no change`. */
  readonly short: string;
  /** In a sentence: `up 12%`, `down 2 points from 33 of 80`, `no change`. */
  readonly words: string;
  /** With what it was: `up 12% from 340`, `down 2 points from 41% (33 of 80)`, `no change`. */
  readonly long: string;
  /** The decimals of the earlier value, which the current one has too; absent: as it is shown alone. */
  readonly decimals?: number;
}

export function formatChange(change: Change): FormattedChange {
  const { unit, before, now } = change;
  const after = unsubtracted(change);
  if (after !== undefined) return before.value === now.value ? noChange : inOneLength(`after ${after}`);
  if (unit === 'count' || unit === 'per-day') {
    const many = before.value * (before.of ?? 1);
    const from = unit === 'count' ? formatCount(before.value) : formatPerDay(before.value);
    const share = many > 0 && many < minForPercent ? undefined : formatShare(change, from, 'as many', many);
    if (share) return share;
  }
  const decimals = decimalsOf(change);
  if (unit === 'seconds') {
    const from = onOneLine(formatDuration(before.value, decimals));
    if (from === onOneLine(formatDuration(now.value, decimals))) return { ...noChange, decimals };
    const share = formatShare(change, from, 'as much') ?? inThreeLengths(change, 'under 1%', from);
    return { ...share, decimals };
  }
  const [earlier, later] = [rounded(before.value, decimals, unit), rounded(now.value, decimals, unit)];
  if (earlier === later) return { ...noChange, decimals };
  const by = formatDecimals(Math.abs(later - earlier), decimals);
  const from = formatDecimals(earlier, decimals);
  const [inUnit, fromUnit] = withUnit(change, by, from, decimals);
  const texts = inThreeLengths(change, inUnit, fromUnit);
  const counts = unit === 'percent-points' ? countsOf(before) : undefined;
  if (counts === undefined) return { ...texts, decimals };
  return { ...texts, words: `${texts.words} from ${counts}`, long: `${texts.long} (${counts})` };
}

/** The difference and what it is from, in their units. */
function withUnit({ before, unit }: Change, by: string, from: string, decimals: number): [string, string] {
  if (unit === 'days') return [counted(by, 'day'), counted(from, 'day')];
  if (unit !== 'percent' && unit !== 'percent-points') return [by, from];
  const { value, of } = before;
  const isRounded = unit === 'percent' || of === undefined || decimals > 0;
  return [counted(by, 'point'), isRounded ? `${from}%` : formatPercent((value * of) / 100, of)];
}

/** What was, where there is nothing to subtract: a median that is not reached, a share of few. */
function unsubtracted({ before, now, unit }: Change): string | undefined {
  if (before.value === notReached) return 'not reached';
  if (now.value === notReached) return counted(formatCount(before.value), 'day');
  const isOfFew = Math.min(before.of ?? 0, now.of ?? 0) < minForPoints;
  return unit === 'percent-points' && isOfFew ? countsOf(before) : undefined;
}

/** `33 of 80`, of 41.25 and 80. */
function countsOf({ value, of }: Side): string | undefined {
  if (of === undefined) return undefined;
  return `${formatCount(Number(((value * of) / 100).toFixed(6)))} of ${formatCount(of)}`;
}

function inOneLength(text: string): FormattedChange {
  return { short: text, words: text, long: text };
}

const noChange = inOneLength('no change');

const fromNothing = inOneLength('new');

/** The words of a change that say that it is from the year before: `up 12% from a year before`. */
export function fromYearBefore(words: string): string {
  if (words === fromNothing.words) return 'none a year before';
  if (/ from |^after /.test(words)) return `${words} a year before`;
  return `${words} ${/ as (?:many|much)$/.test(words) ? 'as' : 'from'} a year before`;
}

/** Undefined where nothing changed, or too little to say in percent. `many`: how many were counted before. */
function formatShare(
  change: Change,
  from: string,
  as: 'as many' | 'as much',
  many = 0,
): FormattedChange | undefined {
  const { before, now } = change;
  if (before.value === 0) return now.value > 0 ? fromNothing : undefined;
  const multiple = now.value / before.value;
  if (multiple > maxPercentMultiple) {
    const times = `${onOneLine(`${formatCount(Math.round(multiple))} times`)} ${as}`;
    return { ...inOneLength(times), long: `${times}, from ${from}` };
  }
  const percent = 100 * Math.abs(multiple - 1);
  const decimals = percent < 10 && many >= minForTenths ? 1 : 0;
  const shown = Number(percent.toFixed(decimals));
  return shown === 0 ? undefined : inThreeLengths(change, `${formatCount(shown)}%`, from);
}

function inThreeLengths({ before, now }: Change, by: string, from: string): FormattedChange {
  const [sign, direction] = now.value > before.value ? ['▲', 'up'] : ['▼', 'down'];
  return {
    short: onOneLine(`${sign} ${by}`),
    words: `${direction} ${onOneLine(by)}`,
    long: `${direction} ${onOneLine(by)} from ${from}`,
  };
}

/** With no-break spaces: a line that ends after a sign, or before a unit, is read wrongly. */
function onOneLine(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

function counted(number: string, unit: 'day' | 'point'): string {
  return onOneLine(`${number} ${unit}${number === '1' ? '' : 's'}`);
}

/** A rate is never rounded to all or nothing where it is neither. */
function rounded(value: number, decimals: number, unit: Change['unit']): number {
  const round = Number(value.toFixed(decimals));
  if (unit !== 'percent-points') return round;
  const step = 10 ** -decimals;
  if (round === 0 && value > 0) return step;
  return round === 100 && value < 100 ? 100 - step : round;
}

export interface EarlierFigures {
  readonly figures: FigureNumbers;
  readonly range: ResolvedRange;
  /** Set if they were counted at equal age: the instant that they describe, milliseconds since the epoch. */
  readonly asOf?: number;
  /** When they were read, milliseconds since the epoch, where an earlier query read them; absent: with the answer. */
  readonly readAt?: number;
  /** The people of that period. It is compared with others and then dropped. */
  readonly sketch?: PeopleSketch | undefined;
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
