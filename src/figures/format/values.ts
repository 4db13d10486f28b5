import type { Field } from '../../catalogue/index.js';
import type { FigureUnit, FigureValue } from '../result.js';

/** At most so many decimals, `1,234.5`. */
const upTo = (maximumFractionDigits: number) => new Intl.NumberFormat('en-US', { maximumFractionDigits });
const [whole, tenths, hundredths, thousandths] = [upTo(0), upTo(1), upTo(2), upTo(3)];
/** The first two digits that are not 0, `0.0027`. */
const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** `1,234`. */
export function formatCount(count: number): string {
  return (Number.isInteger(count) ? whole : tenths).format(count);
}

/** By number of decimals, because making one takes longer than using it. */
const fixedFormats = new Map<number, Intl.NumberFormat>();

/** With a fixed number of decimals, `4.00`, `1,234.5`. */
export function formatDecimals(value: number, decimals: number): string {
  let format = fixedFormats.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat('en-US', {
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    });
    fixedFormats.set(decimals, format);
  }
  return format.format(value);
}

/** `1 person`, `2 people`, `1,234 people`. */
export function formatPlural(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Of so many, one more or less is a tenth of a percent at most. */
export const minForTenths = 1000;

/**
 * `78%`; of a thousand and more with a decimal beyond 1 and 99. Never 100% of less than all, nor 0% of more than nothing.
 */
export function formatPercent(part: number, of: number): string {
  const percent = (100 * part) / of;
  const [least, format] = of >= minForTenths ? [0.1, tenths] : [1, whole];
  if (part > 0 && percent < least / 2) return `under ${least}%`;
  if (part < of && percent >= 100 - least / 2) return `over ${100 - least}%`;
  const isNearAnEnd = (percent > 0 && percent < 1) || (percent > 99 && percent < 100);
  return `${(isNearAnEnd ? format : whole).format(percent)}%`;
}

/** The same as a number for a chart. */
export function roundedPercent(part: number, of: number): number {
  if (of <= 0) return 0;
  const percent = (100 * part) / of;
  if (of >= minForTenths) return Math.round(10 * percent) / 10;
  if (percent > 99 && percent < 100) return 99;
  return percent > 0 && percent < 1 ? 1 : Math.round(percent);
}

/** `45 minutes`, `7.5 hours`, `1,234 hours`; `decimals` fixes those of hours. */
export function formatDuration(seconds: number, decimals?: number): string {
  const minutes = Math.round(seconds / 60);
  if (Math.abs(seconds) > 0 && Math.abs(seconds) < 60)
    return formatPlural(Math.round(seconds), ['second', 'seconds']);
  if (seconds !== 0 && Math.abs(minutes) < 60) return formatPlural(minutes, ['minute', 'minutes']);
  const hours = seconds / 3600;
  if (decimals !== undefined && decimals > 0) return `${formatDecimals(hours, decimals)} hours`;
  const shown = Math.abs(hours) < 100 ? Math.round(hours * 10) / 10 : Math.round(hours);
  return formatPlural(shown, ['hour', 'hours']);
}

const noValue = '–';

/**
 * A value with what it was counted from: `78% (312 of 400)`, `4.2 (from 318 ratings)`.
 *
 * @param decimals fixes their number, where the value is shown beside one that it is compared with
 */
export function formatValue(value: FigureValue, decimals?: number): string {
  switch (value.kind) {
    case 'count':
      return decimals === undefined ? formatCount(value.count) : formatDecimals(value.count, decimals);
    case 'people':
      return `${value.moreThan ? 'more than ' : ''}${formatCount(value.count)}`;
    case 'rate':
      if (value.whole <= 0) return noValue;
      return `${formatPercent(value.part, value.whole)} (${formatCount(value.part)} of ${formatCount(value.whole)})`;
    case 'average':
    case 'median':
      if (value.over <= 0) return noValue;
      return `${formatMiddle(value, decimals)} (from ${formatPlural(value.over, countedIn[value.unit])})`;
    case 'duration':
      return formatDuration(value.seconds, decimals);
    case 'per-day':
      return value.days > 0
        ? `${formatPerDay(value.count / value.days, decimals)} (over ${formatPlural(value.days, ['day', 'days'])})`
        : noValue;
    case 'amount':
      return formatAmount(value.amount, value.unit, decimals);
    case 'unknown':
      return noValue;
    case 'too-few':
      return 'too few';
  }
}

/** `17 days`, of `17 days (from 20 values)`. */
export function withoutSampleSize(value: string): string {
  return value.replace(/ \((?:from|over) [^)]*\)$/, '');
}

/** `63%`, of `63% (476 of 757)`. A share of fewer than 100 keeps its counts, which say how little it may mean. */
export function withoutLargeCounts(value: string): string {
  return value.replace(/ \([\d,]+ of [\d,]{3,}\)$/, '');
}

/** The same in few characters, for tables: `78% (312 of 400)`, `4.2 (318)`. */
export function formatShort(value: FigureValue): string {
  switch (value.kind) {
    case 'average':
    case 'median':
      return value.over > 0 ? `${formatMiddle(value)} (${formatCount(value.over)})` : noValue;
    case 'per-day':
      return value.days > 0 ? formatPerDay(value.count / value.days) : noValue;
    default:
      return formatValue(value);
  }
}

/** True for the median of times where fewer than half are over. It is longer than any that is reached. */
export function isNotReached(value: FigureValue): boolean {
  return value.kind === 'median' && value.value === null && value.over > 0;
}

/** The number that a value is sorted and compared by; undefined where there is none. Rates are in percent. */
export function plainNumber(value: FigureValue): number | undefined {
  switch (value.kind) {
    case 'count':
      return value.count;
    case 'people':
      return value.moreThan ? undefined : value.count;
    case 'rate':
      return value.whole > 0 ? (100 * value.part) / value.whole : undefined;
    case 'average':
      return value.over > 0 ? value.sum / value.over : undefined;
    case 'median':
      return value.value ?? undefined;
    case 'duration':
      return value.seconds;
    case 'amount':
      return value.amount;
    case 'per-day':
      return value.days > 0 ? value.count / value.days : undefined;
    case 'unknown':
      return undefined;
  }
}

/** Below one a day, tenths and even hundredths would round to nothing. */
export function formatPerDay(amount: number, decimals?: number): string {
  if (decimals !== undefined) return formatDecimals(amount, decimals);
  return amount < 1 ? twoDigits.format(amount) : tenths.format(amount);
}

function formatMiddle(value: Extract<FigureValue, { over: number }>, decimals?: number): string {
  const { over, unit } = value;
  if (value.kind === 'average') return formatAmount(value.sum / over, unit, decimals, over);
  return value.value === null ? 'not reached' : formatAmount(value.value, unit, decimals);
}

/**
 * An amount in its unit: `12 days`, `64%`, `82.5`.
 *
 * @param over how many values an average is made of: of few it has fewer decimals
 */
function formatAmount(
  amount: number,
  unit: FigureUnit,
  decimals?: number,
  over = Number.POSITIVE_INFINITY,
): string {
  if (decimals !== undefined) return formatFixed(amount, unit, decimals);
  const most = maxDecimalsOf(unit, over);
  switch (unit) {
    case 'days': {
      const days = Math.round(amount * 10) / 10;
      return formatPlural(days, ['day', 'days']);
    }
    case 'percent':
      return formatPercent(amount, 100);
    case 'points':
      // Scores may be fractions of 1.
      if (Math.abs(amount) < 1) return thousandths.format(amount);
      return most > 0 ? tenths.format(amount) : whole.format(amount);
    case 'rating':
    case 'attempts':
      return most > 1 ? hundredths.format(amount) : tenths.format(amount);
  }
}

/** The decimals of an average that one value can move. A rating and a number of attempts have one at least. */
export function maxDecimalsOf(unit: FigureUnit, over: number): number {
  if (unit === 'rating' || unit === 'attempts') return over < 100 ? 1 : 2;
  return unit === 'points' && over < 10 ? 0 : 1;
}

function formatFixed(amount: number, unit: FigureUnit, decimals: number): string {
  const number = formatDecimals(amount, decimals);
  if (unit === 'percent') return `${number}%`;
  return unit === 'days' ? `${number} ${number === '1' ? 'day' : 'days'}` : number;
}

const countedIn: Readonly<Record<FigureUnit, readonly [one: string, many: string]>> = {
  days: ['value', 'values'],
  points: ['score', 'scores'],
  percent: ['value', 'values'],
  rating: ['rating', 'ratings'],
  attempts: ['person', 'people'],
};

/** The name of a field inside a sentence: `due date`, `value for sessions`, `user ID`. */
export function formatField({ label, kind }: Field): string {
  const words = /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
  if (kind === 'number') return `value for ${words}`;
  return kind === 'date' && !/\b(?:on|date)$/.test(words) ? `${words} date` : words;
}
