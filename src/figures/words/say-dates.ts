/** `Fri 20 Nov 2026` in the zone. */
export function sayDay(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: zone,
  }).formatToParts(instant);
  return sayParts(parts, ['weekday', 'day', 'month', 'year']);
}

/** `Fri 20 Nov, 14:00` in the zone. */
export function sayMoment(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).formatToParts(instant);
  return `${sayParts(parts, ['weekday', 'day', 'month'])}, ${sayParts(parts, ['hour', 'minute'], ':')}`;
}

function sayParts(
  parts: readonly Intl.DateTimeFormatPart[],
  wanted: readonly string[],
  between = ' ',
): string {
  return wanted.map((type) => parts.find((part) => part.type === type)?.value ?? '').join(between);
}
