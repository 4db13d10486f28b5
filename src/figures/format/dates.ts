import { format } from 'date-fns/format';
import { parseRequestRange, type RangeMeaning } from '../../requests/range-words.js';
import type { ResolvedRange } from '../../requests/request.js';
import { dayAt, startOfDay, timeOfDayAt } from '../../time/calendar.js';

/** `Fri 20 Nov 2026` in the zone. */
export function formatDay(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: zone,
  }).formatToParts(instant);
  return joinParts(parts, ['weekday', 'day', 'month', 'year']);
}

/** `Fri 20 Nov 2026, 14:00` in the zone. */
export function formatDayAndTime(instant: number, zone: string): string {
  return `${formatDay(instant, zone)}, ${formatTime(instant, zone)}`;
}

/** `14:00` in the zone. */
export function formatTime(instant: number, zone: string): string {
  const [, time = ''] = formatMoment(instant, zone).split(', ');
  return time;
}

/** `Fri 20 Nov, 14:00` in the zone. */
export function formatMoment(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(instant);
  return `${joinParts(parts, ['weekday', 'day', 'month'])}, ${joinParts(parts, ['hour', 'minute'], ':')}`;
}

/** `20 Nov 2026` in the zone, or `20 Nov 2026, 14:00`: short enough for a column. */
export function formatRowDate(instant: number, zone: string, withTime: boolean): string {
  const parts = rowFormatIn(zone, withTime).formatToParts(instant);
  const day = joinParts(parts, ['day', 'month', 'year']);
  return withTime ? `${day}, ${joinParts(parts, ['hour', 'minute'], ':')}` : day;
}

const rowFormats = new Map<string, Intl.DateTimeFormat>();

/** Formats are cached: many rows are listed, and making a format is slow. */
function rowFormatIn(zone: string, withTime: boolean): Intl.DateTimeFormat {
  const key = `${zone} ${withTime}`;
  const cached = rowFormats.get(key);
  if (cached) return cached;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: zone,
    ...(withTime && time),
  });
  rowFormats.set(key, format);
  return format;
}

/** `20 Nov`, of a day given as days since 1 January 1970. */
export function formatDayAndMonth(day: number): string {
  return joinParts(shortDay.formatToParts(day * 86_400_000), ['day', 'month']);
}

/** `Nov 2026`, of such a day. */
export function formatMonth(day: number): string {
  return joinParts(shortDay.formatToParts(day * 86_400_000), ['month', 'year']);
}

const shortDay = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function joinParts(
  parts: readonly Intl.DateTimeFormatPart[],
  wanted: readonly string[],
  between = ' ',
): string {
  return wanted.map((type) => parts.find((part) => part.type === type)?.value ?? '').join(between);
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
  const fromTime = startsADay(from, zone) ? '' : ` from ${timeAt(from, zone)}`;
  const untilTime = startsADay(until, zone) ? '' : ` until ${timeAt(until, zone)}`;
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
  switch (parsed.value.meaning.kind) {
    case 'last':
    case 'next-days':
      return `in the ${name}`;
    case 'from-now':
    case 'span':
      return `in ${name}`;
    default:
      return name;
  }
}

/** The name of the range; undefined where it has none besides its days. */
function nameOf(range: ResolvedRange): string | undefined {
  const parsed = parseRequestRange(range.words);
  if (!parsed.ok) return undefined;
  const { meaning, words } = parsed.value;
  if (meaning.kind === 'span') return nameOfUnit(meaning);
  if (meaning.kind === 'since') return `since ${format(meaning.first, 'd MMM yyyy')}`;
  if (meaning.kind === 'from-now') return `the next ${meaning.days} days`;
  if (meaning.kind === 'since-last-year')
    return `since ${format(dayAt(range.from, range.zone), 'd MMM yyyy')}`;
  const name = words.replaceAll('-', ' ');
  const running = meaning.kind === 'unit' && meaning.step === 0;
  return running && !startsADay(range.until, range.zone) ? `${name} so far` : name;
}

function nameOfUnit({ unit, first }: Extract<RangeMeaning, { kind: 'span' }>): string | undefined {
  if (unit === 'month') return format(first, 'MMMM yyyy');
  if (unit === 'quarter') return format(first, "'Q'Q yyyy");
  return unit === 'year' ? format(first, 'yyyy') : undefined;
}

function startsADay(instant: number, zone: string): boolean {
  return startOfDay(dayAt(instant, zone), zone) === instant;
}

/** `09:05`, as the clocks show it. */
function timeAt(instant: number, zone: string): string {
  const minutes = Math.floor(timeOfDayAt(instant, zone) / 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
