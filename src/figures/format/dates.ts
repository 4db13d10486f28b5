/** `Fri 20 Nov 2026` in the zone. */
export function sayDay(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: zone,
  }).formatToParts(instant);
  return sayParts(parts, ['weekday', 'day', 'month', 'year']);
}

/** `Fri 20 Nov 2026, 14:00` in the zone. */
export function sayDayAndTime(instant: number, zone: string): string {
  const [, time] = sayMoment(instant, zone).split(', ');
  return `${sayDay(instant, zone)}, ${time}`;
}

/** `Fri 20 Nov, 14:00` in the zone. */
export function sayMoment(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).formatToParts(instant);
  return `${sayParts(parts, ['weekday', 'day', 'month'])}, ${sayParts(parts, ['hour', 'minute'], ':')}`;
}

/** `20 Nov`, of a day given as days since 1 January 1970. */
export function sayDayAndMonth(day: number): string {
  return sayParts(shortDay.formatToParts(day * 86_400_000), ['day', 'month']);
}

/** `Nov 2026`, of such a day. */
export function sayMonth(day: number): string {
  return sayParts(shortDay.formatToParts(day * 86_400_000), ['month', 'year']);
}

const shortDay = new Intl.DateTimeFormat('en-US', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

function sayParts(
  parts: readonly Intl.DateTimeFormatPart[],
  wanted: readonly string[],
  between = ' ',
): string {
  return wanted.map((type) => parts.find((part) => part.type === type)?.value ?? '').join(between);
}
