import { instantOfWallTime, offsetAt } from '../../time/calendar.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan, FiguresResult } from '../result.js';

export const dayMs = 86_400_000;

/** Dates before the year 1 and after the year 9999 are mistakes, and calendars here cannot represent them. */
const firstInstant = Date.parse('0001-01-02');
const lastInstant = Date.parse('9999-12-30');

/** True for an instant that a calendar can show in every zone; false for NaN too. */
export function isInCalendar(instant: number): boolean {
  return instant >= firstInstant && instant <= lastInstant;
}

/** The offset cache holds a century of days. */
const maxCachedDays = 36_525;

/** The calendar days of instants in one zone. Fast, because it runs for every record. */
export class ZoneDays {
  private readonly offsets = new Map<number, number>();

  constructor(private readonly zone: string) {}

  /**
   * Days since 1 January 1970 in the zone.
   *
   * @throws RangeError if `isInCalendar` is false
   */
  dayOf(instant: number): number {
    return Math.floor(this.wallTimeOf(instant) / dayMs);
  }

  /** The day of a date. One without a time has its day in every zone. */
  dayOfDate({ instant, dayOnly }: DateValue): number {
    return dayOnly ? dayOfDateOnly(instant) : this.dayOf(instant);
  }

  /** The first instant of a day of the zone, by its number since 1 January 1970, in epoch milliseconds. */
  startOf(day: number): number {
    return instantOfWallTime((day * dayMs) / 1000, this.zone) * 1000;
  }

  /** The wall-clock time of the zone, as the epoch milliseconds of the same time in UTC. */
  wallTimeOf(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /** Milliseconds that the zone is ahead of UTC. */
  private offsetAt(instant: number): number {
    const utcDay = Math.floor(instant / dayMs);
    let offset = this.offsets.get(utcDay);
    if (offset === undefined) {
      offset = this.offsetAllDay(utcDay);
      if (this.offsets.size >= maxCachedDays) this.offsets.clear();
      this.offsets.set(utcDay, offset);
    }
    return Number.isNaN(offset) ? this.offsetThen(instant) : offset;
  }

  /** The offset of a whole day in UTC; NaN for a day on which the clocks change. */
  private offsetAllDay(utcDay: number): number {
    const atStart = this.offsetThen(utcDay * dayMs);
    return atStart === this.offsetThen((utcDay + 1) * dayMs) ? atStart : Number.NaN;
  }

  private offsetThen(instant: number): number {
    return offsetAt(Math.floor(instant / 1000), this.zone) * 1000;
  }
}

/** The day of a date without a time, which arrives as midnight UTC. */
export function dayOfDateOnly(instant: number): number {
  return Math.floor(instant / dayMs);
}

/** A date of a record: a moment, or a day without a time. */
export interface DateValue {
  readonly instant: number;
  readonly dayOnly: boolean;
}

/** Undefined where the field holds no date that a calendar can show. */
export function dateIn(record: RecordView, index: number): DateValue | undefined {
  const instant = record.instant(index);
  return isInCalendar(instant) ? { instant, dayOnly: record.isDayOnly(index) } : undefined;
}

/** Compares dates with now and with each other; a date without a time ends with its day in the asker's zone. */
export class DueDates {
  readonly moment: DateValue;
  private readonly days: ZoneDays;
  private readonly today: number;

  constructor(
    private readonly now: number,
    zone: string,
  ) {
    this.moment = { instant: now, dayOnly: false };
    this.days = new ZoneDays(zone);
    this.today = this.days.dayOf(now);
  }

  isPast({ instant, dayOnly }: DateValue): boolean {
    return dayOnly ? dayOfDateOnly(instant) < this.today : instant < this.now;
  }

  /** True if something is due within this many days and not past. Today is the first day. */
  isWithin(due: DateValue, days: number): boolean {
    if (this.isPast(due)) return false;
    return due.dayOnly
      ? dayOfDateOnly(due.instant) < this.today + days
      : due.instant < this.now + days * dayMs;
  }

  /** The end of a due date, in epoch milliseconds. A whole day ends when the next one begins in the zone. */
  momentOf({ instant, dayOnly }: DateValue): number {
    return dayOnly ? this.days.startOf(dayOfDateOnly(instant) + 1) : instant;
  }

  /** Whole days since a past date. */
  daysSince({ instant, dayOnly }: DateValue): number {
    return dayOnly ? this.today - dayOfDateOnly(instant) : Math.floor((this.now - instant) / dayMs);
  }

  /** Calendar days from today, in the zone; negative for past days. */
  daysUntil(date: DateValue): number {
    return this.days.dayOfDate(date) - this.today;
  }

  /** True if `done` is not after `due`. If either is a whole day, days are compared. */
  isInTime(done: DateValue, due: DateValue): boolean {
    if (!done.dayOnly && !due.dayOnly) return done.instant <= due.instant;
    return this.days.dayOfDate(done) <= this.days.dayOfDate(due);
  }

  /** Whole days from one date to another. If either is a whole day, calendar days are counted. */
  daysBetween(from: DateValue, to: DateValue): number {
    if (!from.dayOnly && !to.dayOnly) return Math.floor((to.instant - from.instant) / dayMs);
    return this.days.dayOfDate(to) - this.days.dayOfDate(from);
  }
}

/** A range of due dates. Moments are compared with its instants, and whole days with its calendar days. */
export class DueRange {
  private readonly firstDay: number;
  private readonly lastDay: number;

  constructor(private readonly range: NonNullable<FiguresPlan['dueRange']>) {
    this.firstDay = dayOfDateOnly(Date.parse(range.firstDay));
    this.lastDay = dayOfDateOnly(Date.parse(range.lastDay));
  }

  holds({ instant, dayOnly }: DateValue): boolean {
    const { from, until } = this.range;
    if (!dayOnly) return instant >= from * 1000 && instant < until * 1000;
    const day = dayOfDateOnly(instant);
    return day >= this.firstDay && day <= this.lastDay;
  }
}

/** The end of a range, which is not part of it. */
export class RangeEnd {
  private readonly lastDay: number;

  /** @param until epoch seconds */
  constructor(
    private readonly until: number,
    zone: string,
  ) {
    this.lastDay = new ZoneDays(zone).dayOf(until * 1000 - 1);
  }

  /** True for a moment before the end, and for a whole day that has begun by then. */
  isAfter({ instant, dayOnly }: DateValue): boolean {
    return dayOnly ? dayOfDateOnly(instant) <= this.lastDay : instant < this.until * 1000;
  }
}

/** Members of a nested object that may hold its completion date. The service does not specify them. */
const names = [
  'completed_date',
  'completed_at',
  'completed_on',
  'content_completed_on',
  'completion_date',
  'date_completed',
  'completedAt',
  'completedDate',
] as const;

/**
 * Finds the date of a completion in the objects of its record.
 *
 * @param indexes fields of the objects that may have it, the most likely first
 */
export function completionDates(indexes: readonly number[]): (record: RecordView) => DateValue | undefined {
  const candidates = indexes.flatMap((index) => names.map((name) => ({ index, name })));
  return (record) => {
    for (const { index, name } of candidates) {
      const member = record.member(index, name);
      const instant = member.instant();
      if (isInCalendar(instant)) return { instant, dayOnly: member.isDayOnly() };
    }
    return undefined;
  };
}

/** Decides by date which completions had happened at an instant, and counts those without a date. */
export class CompletedBy {
  private readonly lastDay: number;
  private completed = 0;
  private undated = 0;

  private constructor(
    private readonly asOf: number,
    zone: string,
  ) {
    this.lastDay = new ZoneDays(zone).dayOf(asOf);
  }

  /** Undefined if completions count as of now. */
  static start({ asOf, zone }: FiguresPlan): CompletedBy | undefined {
    return asOf === undefined ? undefined : new CompletedBy(asOf, zone);
  }

  /** @returns false for a later completion, and for one without a date that can be read */
  wasCompleted(done: DateValue | undefined): boolean {
    this.completed++;
    if (!done) {
      this.undated++;
      return false;
    }
    // Today's completions count now, whatever their time, so those of the last day count then.
    return done.dayOnly ? dayOfDateOnly(done.instant) <= this.lastDay : done.instant <= this.asOf;
  }

  merge({ completed, undated }: CompletedBy): void {
    this.completed += completed;
    this.undated += undated;
  }

  finish(): NonNullable<FiguresResult['recounted']> {
    return { completed: this.completed, undated: this.undated };
  }
}
