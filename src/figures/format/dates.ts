import { format } from 'date-fns/format';
import { parseRequestRange, type RangeMeaning } from '../../requests/range-words.js';
import type { ResolvedRange } from '../../requests/request.js';
import { dayAt, startOfDay } from '../../time/calendar.js';

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
