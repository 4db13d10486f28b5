import type { RecordView } from '../record-view.js';
import { dayAlone, dayLength, ZoneDays } from './dates.js';

/** A date as a record gives it: a moment, or a whole day. */
export interface GivenDate {
  readonly instant: number;
  readonly dayOnly: boolean;
}

export function givenDate(record: RecordView, place: number, instant: number): GivenDate {
  return { instant, dayOnly: record.isDayOnly(place) };
}

/** Compares dates with now and with each other; a date without a time ends with its day in the asker's zone. */
export class DueDates {
  private readonly days: ZoneDays;
  private readonly today: number;

  constructor(
    private readonly now: number,
    zone: string,
  ) {
    this.days = new ZoneDays(zone);
    this.today = this.days.dayOf(now);
  }

  isPast({ instant, dayOnly }: GivenDate): boolean {
    return dayOnly ? dayAlone(instant) < this.today : instant < this.now;
  }

  /** True for what is due within seven days from now, and not past. */
  isSoon(due: GivenDate): boolean {
    if (this.isPast(due)) return false;
    return due.dayOnly ? dayAlone(due.instant) < this.today + 7 : due.instant < this.now + 7 * dayLength;
  }

  /** The moment by which something is due, in epoch milliseconds: a whole day ends when the next one begins in the zone. */
  momentOf({ instant, dayOnly }: GivenDate): number {
    return dayOnly ? this.days.startOf(dayAlone(instant) + 1) : instant;
  }

  /** Whole days since a past date. */
  daysSince({ instant, dayOnly }: GivenDate): number {
    return dayOnly ? this.today - dayAlone(instant) : Math.floor((this.now - instant) / dayLength);
  }

  /** True when `done` is not after `due`; where either is a whole day, by the day. */
  isInTime(done: GivenDate, due: GivenDate): boolean {
    if (!done.dayOnly && !due.dayOnly) return done.instant <= due.instant;
    return this.dayOf(done) <= this.dayOf(due);
  }

  /** Whole days from one date to another; where either is a whole day, by the calendar. */
  daysBetween(from: GivenDate, to: GivenDate): number {
    if (!from.dayOnly && !to.dayOnly) return Math.floor((to.instant - from.instant) / dayLength);
    return this.dayOf(to) - this.dayOf(from);
  }

  private dayOf({ instant, dayOnly }: GivenDate): number {
    return dayOnly ? dayAlone(instant) : this.days.dayOf(instant);
  }
}
