import { isFull } from '../property-runs.js';

const allZones = Intl.supportedValuesOf('timeZone');

/** The zones to compare in: all of them with `FULL=1`, every third one otherwise. */
export const comparedZones = isFull ? allZones : allZones.filter((_, index) => index % 3 === 0);

/** The date in a zone at an instant in epoch seconds, from the platform: `2026-03-05`. */
export type ReferenceClock = (instant: number) => string;

export function clockOf(zone: string): ReferenceClock {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (instant) => format.format(instant * 1000);
}

/**
 * The first second of a date in a zone, found by checking each minute. If the zone skips the date: the first second of
 * a later date.
 */
export function firstSecondOf(date: string, clock: ReferenceClock): number {
  let near = Date.parse(`${date}T00:00:00Z`) / 1000 - 15 * 3600;
  while (clock(near) < date) near += 1800;
  let later: number | undefined;
  for (let instant = near - 4 * 3600; instant <= near; instant += 60) {
    const shown = clock(instant);
    if (shown === date) return firstOfTheMinute(instant, clock, (other) => other === date);
    if (shown > date) later ??= instant;
  }
  return firstOfTheMinute(later ?? near, clock, (other) => other > date);
}

function firstOfTheMinute(instant: number, clock: ReferenceClock, is: (date: string) => boolean): number {
  let first = instant;
  while (is(clock(first - 1))) first -= 1;
  return first;
}

/** Days on which the zone's offset changed, as instants. */
export function changesOfOffset(zone: string, fromYear: number, toYear: number): readonly number[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsetOn = (day: number) => format.format(day * 86_400_000).split(' ')[1];
  const last = Date.UTC(toYear, 11, 31) / 86_400_000;
  const changes: number[] = [];
  let day = Date.UTC(fromYear, 0, 5) / 86_400_000;
  let offset = offsetOn(day);
  for (let week = day + 7; week < last; week += 7) {
    const offsetNow = offsetOn(week);
    if (offsetNow !== offset) {
      let after = day + 1;
      while (offsetOn(after) === offset) after += 1;
      changes.push((after - 1) * 86_400);
    }
    day = week;
    offset = offsetNow;
  }
  return changes;
}
