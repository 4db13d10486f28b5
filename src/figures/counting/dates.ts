import { offsetAt, whenClocksShow } from '../../time/zone-clock.js';

/** In milliseconds. */
export const dayLength = 86_400_000;

/** Offsets are remembered for at most so many days: a century of them. */
const mostRemembered = 36_525;

/** Which calendar day an instant falls on in one zone, fast enough to be asked for every record. */
export class ZoneDays {
  private readonly offsets = new Map<number, number>();

  constructor(private readonly zone: string) {}

  /**
   * Days since 1 January 1970 in the zone.
   *
   * @throws RangeError for NaN and for what a `Date` does not hold; `isInCalendar` tells
   */
  dayOf(instant: number): number {
    return Math.floor((instant + this.offsetAt(instant)) / dayLength);
  }

  /** The first instant of a day of the zone, by its number since 1 January 1970, in epoch milliseconds. */
  startOf(day: number): number {
    return whenClocksShow((day * dayLength) / 1000, this.zone) * 1000;
  }

  /** Milliseconds that the zone is ahead of UTC. */
  private offsetAt(instant: number): number {
    const utcDay = Math.floor(instant / dayLength);
    let offset = this.offsets.get(utcDay);
    if (offset === undefined) {
      offset = this.offsetAllDay(utcDay);
      if (this.offsets.size >= mostRemembered) this.offsets.clear();
      this.offsets.set(utcDay, offset);
    }
    return Number.isNaN(offset) ? this.offsetThen(instant) : offset;
  }

  /** The offset of a whole day in UTC; NaN for a day on which the clocks change. */
  private offsetAllDay(utcDay: number): number {
    const atStart = this.offsetThen(utcDay * dayLength);
    return atStart === this.offsetThen((utcDay + 1) * dayLength) ? atStart : Number.NaN;
  }

  private offsetThen(instant: number): number {
    return offsetAt(Math.floor(instant / 1000), this.zone) * 1000;
  }
}

/** The day on which a date without a time falls: those arrive as midnight UTC. */
export function dayAlone(instant: number): number {
  return Math.floor(instant / dayLength);
}
