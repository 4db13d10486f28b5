import { format } from 'date-fns/format';
import type { Field } from '../../catalogue/index.js';
import { parseRequestRange, type RangeMeaning } from '../../requests/range-words.js';
import type { ResolvedRange } from '../../requests/request.js';
import { dayAt, startOfDay } from '../../time/calendar.js';
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

/** By zone: many rows are listed, and making a format is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** `Fri`, `20`, `Nov`, `2026`, `14` and `00` in the zone, by the names of the parts. */
function partsOf(instant: number, zone: string): Partial<Record<Intl.DateTimeFormatPartTypes, string>> {
  let known = formats.get(zone);
  if (!known) {
    known = new Intl.DateTimeFormat('en-US', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    });
    formats.set(zone, known);
  }
  return Object.fromEntries(known.formatToParts(instant).map(({ type, value }) => [type, value]));
}

/** `Fri 20 Nov 2026` in the zone. */
export function formatDay(instant: number, zone: string): string {
  const { weekday, day, month, year } = partsOf(instant, zone);
  return `${weekday} ${day} ${month} ${year}`;
}

/** `Fri 20 Nov 2026, 14:00` in the zone. */
export function formatDayAndTime(instant: number, zone: string): string {
  return `${formatDay(instant, zone)}, ${formatTime(instant, zone)}`;
}

/** `14:00` in the zone. */
export function formatTime(instant: number, zone: string): string {
  const { hour, minute } = partsOf(instant, zone);
  return `${hour}:${minute}`;
}

/** `Fri 20 Nov, 14:00` in the zone. */
export function formatMoment(instant: number, zone: string): string {
  const { weekday, day, month } = partsOf(instant, zone);
  return `${weekday} ${day} ${month}, ${formatTime(instant, zone)}`;
}

/** `20 Nov 2026` in the zone, or `20 Nov 2026, 14:00`: short enough for a column. */
export function formatRowDate(instant: number, zone: string, withTime: boolean): string {
  const { day, month, year, hour, minute } = partsOf(instant, zone);
  return `${day} ${month} ${year}${withTime ? `, ${hour}:${minute}` : ''}`;
}

/** `20 Nov`, of a day given as days since 1 January 1970. */
export function formatDayAndMonth(day: number): string {
  const parts = partsOf(day * 86_400_000, 'UTC');
  return `${parts.day} ${parts.month}`;
}

/** `Nov 2026`, of such a day. */
export function formatMonth(day: number): string {
  const { month, year } = partsOf(day * 86_400_000, 'UTC');
  return `${month} ${year}`;
}

/** `last week (9–15 Nov 2026, Europe/Berlin)`, for people. */
export function formatRange(range: ResolvedRange): string {
  const name = nameOf(range);
  const days = `${formatDays(range)}, ${range.zone}`;
  return name ? `${name} (${days})` : days;
}

/** `9–15 Nov 2026`, `Sun 15 Nov 2026`; with the time where it does not begin or end with a day. */
export function formatDays(range: ResolvedRange): string {
  const { from, until, zone } = range;
  const first = dayAt(from, zone);
  const last = range.firstDay === range.lastDay ? first : dayAt(until - 1, zone);
  const fromTime = startsADay(from, zone) ? '' : ` from ${formatTime(from * 1000, zone)}`;
  const untilTime = startsADay(until, zone) ? '' : ` until ${formatTime(until * 1000, zone)}`;
  if (first.getTime() === last.getTime()) return `${format(first, 'EEE d MMM yyyy')}${fromTime}${untilTime}`;
  const end = `${format(last, 'd MMM yyyy')}${untilTime}`;
  if (fromTime !== '' || first.getFullYear() !== last.getFullYear())
    return `${format(first, 'd MMM yyyy')}${fromTime} – ${end}`;
  return first.getMonth() === last.getMonth()
    ? `${format(first, 'd')}–${end}`
    : `${format(first, 'd MMM')} – ${end}`;
}

/** The range inside a sentence: `last week`, `in the last 30 days`, `in March 2026`, `1–15 Nov 2026`. */
export function formatRangeInSentence(range: ResolvedRange): string {
  const name = nameOf(range);
  const parsed = parseRequestRange(range.words);
  if (name === undefined || !parsed.ok) {
    const days = formatDays(range);
    return range.firstDay === range.lastDay ? `on ${days}` : days;
  }
  const { meaning } = parsed.value;
  if (meaning.kind === 'units') return (meaning.count ?? 1) > 1 ? `in the ${name}` : name;
  return meaning.kind === 'since' ? name : `in ${name}`;
}

/** The name of the range; undefined where it has none besides its days. */
function nameOf(range: ResolvedRange): string | undefined {
  const parsed = parseRequestRange(range.words);
  if (!parsed.ok) return undefined;
  const { meaning, words } = parsed.value;
  if (meaning.kind === 'span') return nameOfUnit(meaning);
  if (meaning.kind === 'since') return `since ${format(meaning.first, 'd MMM yyyy')}`;
  if (meaning.kind === 'from-now') return `the next ${meaning.days} days`;
  if (meaning.count === undefined) return `since ${format(dayAt(range.from, range.zone), 'd MMM yyyy')}`;
  const name = words.replaceAll('-', ' ');
  return meaning.first === 0 && !startsADay(range.until, range.zone) ? `${name} so far` : name;
}

function nameOfUnit({ unit, first }: Extract<RangeMeaning, { kind: 'span' }>): string | undefined {
  if (unit === 'month') return format(first, 'MMMM yyyy');
  if (unit === 'quarter') return format(first, "'Q'Q yyyy");
  return unit === 'year' ? format(first, 'yyyy') : undefined;
}

function startsADay(instant: number, zone: string): boolean {
  return startOfDay(dayAt(instant, zone), zone) === instant;
}
