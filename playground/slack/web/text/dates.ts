import { TZDate } from '@date-fns/tz';
import { addDays, format, nextMonday, set } from 'date-fns';

/** What Slack's date format depends on: the reader's time zone, and the present for "yesterday" and "ago". */
export interface DateContext {
  /** IANA zone of the reader. */
  zone: string;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * Formats a moment as Slack formats `<!date^UNIX^format^…>`, such as `{date_short} at {time}`. Unknown tokens stay
 * unchanged. `seconds` are Unix seconds.
 */
export function formatSlackDate(seconds: number, format: string, context: DateContext): string {
  return format.replace(
    /\{(\w+)\}/g,
    (token, name: string) => tokenText(name, seconds * 1000, context) ?? token,
  );
}

function tokenText(name: string, moment: number, context: DateContext): string | undefined {
  if (name.endsWith('_pretty') && name !== 'day_divider_pretty') {
    return (
      nearDay(moment, context)?.toLowerCase() ?? tokenText(name.slice(0, -'_pretty'.length), moment, context)
    );
  }
  const write = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone: context.zone }).format(moment);
  switch (name) {
    case 'date_num':
      return isoDay(moment, context.zone);
    case 'date_slash':
      return write({ year: 'numeric', month: '2-digit', day: '2-digit' });
    case 'date':
      return `${write({ month: 'long' })} ${ordinal(moment, context.zone)}, ${write({ year: 'numeric' })}`;
    case 'date_short':
      return write({ month: 'short', day: 'numeric', year: 'numeric' });
    case 'date_long':
    case 'date_long_full':
      return `${write({ weekday: 'long' })}, ${write({ month: 'long' })} ${ordinal(moment, context.zone)}, ${write({ year: 'numeric' })}`;
    case 'day_divider_pretty':
      return nearDay(moment, context) ?? write({ weekday: 'long', month: 'long', day: 'numeric' });
    case 'time':
      return write({ hour: 'numeric', minute: '2-digit' });
    case 'time_secs':
      return write({ hour: 'numeric', minute: '2-digit', second: '2-digit' });
    case 'ago':
      return ago(moment, context.now);
    default:
      return undefined;
  }
}

/** The calendar day of a moment in a zone, as `2026-11-20`. */
export function isoDay(moment: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: zone,
  }).format(moment);
}

function nearDay(moment: number, { zone, now }: DateContext): string | undefined {
  const days = Math.round((Date.parse(isoDay(moment, zone)) - Date.parse(isoDay(now, zone))) / 86_400_000);
  if (days === 0) return 'Today';
  if (days === -1) return 'Yesterday';
  if (days === 1) return 'Tomorrow';
  return undefined;
}

function ordinal(moment: number, zone: string): string {
  const day = Number(new Intl.DateTimeFormat('en-US', { day: 'numeric', timeZone: zone }).format(moment));
  const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };
  const ending = endings[new Intl.PluralRules('en-US', { type: 'ordinal' }).select(day)] ?? 'th';
  return `${day}${ending}`;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function ago(moment: number, now: number): string {
  const seconds = Math.round((moment - now) / 1000);
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en-US').format(Math.trunc(seconds / length), unit);
}

/** The wall clock of a zone at a moment, as an `<input type="datetime-local">` has it: `2026-11-20T09:00`. */
export function wallClock(seconds: number, zone: string): string {
  return format(new TZDate(seconds * 1000, zone), "yyyy-MM-dd'T'HH:mm");
}

/** The moment at which the wall clock of a zone shows such a text, in Unix seconds. */
export function secondsOf(text: string, zone: string): number {
  const [date = '', time = ''] = text.split('T');
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return Math.floor(new TZDate(year, month - 1, day, hour, minute, zone).getTime() / 1000);
}

/** The next Monday at 09:00 on the zone's wall clock, strictly after `now`; both in milliseconds. */
export function nextMondayMorning(now: number, zone: string): number {
  const today = new TZDate(now, zone);
  const morning = { hours: 9, minutes: 0, seconds: 0, milliseconds: 0 };
  const thisMorning = set(today, morning);
  if (today.getDay() === 1 && thisMorning.getTime() > now) return thisMorning.getTime();
  return set(nextMonday(today), morning).getTime();
}

/** How far a moved clock is ahead, in words: `3 d 4 h ahead`. */
export function formatClockOffset(milliseconds: number): string {
  const minutes = Math.round(Math.abs(milliseconds) / 60_000);
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor((minutes % 1440) / 60), 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const words = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return `${words.slice(0, 2).join(' ') || 'a moment'} ${milliseconds < 0 ? 'behind' : 'ahead'}`;
}

/** Tomorrow at 09:00, as a first proposal for a chosen moment. */
export function tomorrowMorning(now: number, zone: string): number {
  return set(addDays(new TZDate(now, zone), 1), {
    hours: 9,
    minutes: 0,
    seconds: 0,
    milliseconds: 0,
  }).getTime();
}
