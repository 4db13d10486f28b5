import { instantOfWallTime, offsetAt } from '../../time/calendar.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan, FiguresResult } from '../result.js';
import { isInCalendar } from './missing-values.js';

/** In milliseconds. */
export const DAY_MS = 86_400_000;

/** The offset cache holds a century of days. */
const MAX_CACHED_DAYS = 36_525;

/** Which calendar day an instant falls on in one zone, fast enough to run for every record. */
export class ZoneDays {
  private readonly offsets = new Map<number, number>();

  constructor(private readonly zone: string) {}

  /**
   * Days since 1 January 1970 in the zone.
   *
   * @throws RangeError for NaN and for what a `Date` does not hold; `isInCalendar` tells
   */
  dayOf(instant: number): number {
    return Math.floor(this.wallTimeOf(instant) / DAY_MS);
  }

  /** The first instant of a day of the zone, by its number since 1 January 1970, in epoch milliseconds. */
  startOf(day: number): number {
    return instantOfWallTime((day * DAY_MS) / 1000, this.zone) * 1000;
  }

  /** What the clocks of the zone show, as the milliseconds of the instant at which those in UTC show the same. */
  wallTimeOf(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  /** Milliseconds that the zone is ahead of UTC. */
  private offsetAt(instant: number): number {
    const utcDay = Math.floor(instant / DAY_MS);
    let offset = this.offsets.get(utcDay);
    if (offset === undefined) {
      offset = this.offsetAllDay(utcDay);
      if (this.offsets.size >= MAX_CACHED_DAYS) this.offsets.clear();
      this.offsets.set(utcDay, offset);
    }
    return Number.isNaN(offset) ? this.offsetThen(instant) : offset;
  }

  /** The offset of a whole day in UTC; NaN for a day on which the clocks change. */
  private offsetAllDay(utcDay: number): number {
    const atStart = this.offsetThen(utcDay * DAY_MS);
    return atStart === this.offsetThen((utcDay + 1) * DAY_MS) ? atStart : Number.NaN;
  }

  private offsetThen(instant: number): number {
    return offsetAt(Math.floor(instant / 1000), this.zone) * 1000;
  }
}

/** The day on which a date without a time falls: those arrive as midnight UTC. */
export function dayOfDateOnly(instant: number): number {
  return Math.floor(instant / DAY_MS);
}

/** A date of a record: a moment, or a day without a time. */
export interface DateValue {
  readonly instant: number;
  readonly dayOnly: boolean;
}

export function dateValue(record: RecordView, index: number, instant: number): DateValue {
  return { instant, dayOnly: record.isDayOnly(index) };
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

  isPast({ instant, dayOnly }: DateValue): boolean {
    return dayOnly ? dayOfDateOnly(instant) < this.today : instant < this.now;
  }

  /** True for what is due within so many days from now, and not past. Today is the first day. */
  isWithin(due: DateValue, days: number): boolean {
    if (this.isPast(due)) return false;
    return due.dayOnly
      ? dayOfDateOnly(due.instant) < this.today + days
      : due.instant < this.now + days * DAY_MS;
  }

  /** The moment by which something is due, in epoch milliseconds: a whole day ends when the next one begins in the zone. */
  momentOf({ instant, dayOnly }: DateValue): number {
    return dayOnly ? this.days.startOf(dayOfDateOnly(instant) + 1) : instant;
  }

  /** Whole days since a past date. */
  daysSince({ instant, dayOnly }: DateValue): number {
    return dayOnly ? this.today - dayOfDateOnly(instant) : Math.floor((this.now - instant) / DAY_MS);
  }

  /** Calendar days from today, in the zone; negative for past days. */
  daysUntil(date: DateValue): number {
    return this.dayOf(date) - this.today;
  }

  /** True when `done` is not after `due`; where either is a whole day, by the day. */
  isInTime(done: DateValue, due: DateValue): boolean {
    if (!done.dayOnly && !due.dayOnly) return done.instant <= due.instant;
    return this.dayOf(done) <= this.dayOf(due);
  }

  /** Whole days from one date to another; where either is a whole day, by the calendar. */
  daysBetween(from: DateValue, to: DateValue): number {
    if (!from.dayOnly && !to.dayOnly) return Math.floor((to.instant - from.instant) / DAY_MS);
    return this.dayOf(to) - this.dayOf(from);
  }

  private dayOf({ instant, dayOnly }: DateValue): number {
    return dayOnly ? dayOfDateOnly(instant) : this.days.dayOf(instant);
  }
}

/** A range of due dates: moments by its instants, dates without a time by its calendar days, which no zone shifts. */
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

/** Finds the day of a completion in the objects of its record. */
export class CompletionDates {
  private readonly days: ZoneDays;
  private readonly candidates: { readonly index: number; readonly name: string }[];

  /** @param places fields of the objects that may hold it, the likeliest first */
  constructor(indexes: readonly number[], zone: string) {
    this.days = new ZoneDays(zone);
    this.candidates = indexes.flatMap((index) => names.map((name) => ({ index, name })));
  }

  /** Days since 1 January 1970; undefined where no date can be read. */
  dayOf(record: RecordView): number | undefined {
    const { instant, dayOnly } = this.dateOf(record);
    if (Number.isNaN(instant)) return undefined;
    return dayOnly ? dayOfDateOnly(instant) : this.days.dayOf(instant);
  }

  /** Its instant is NaN where no date can be read. */
  dateOf(record: RecordView): DateValue {
    for (const { index, name } of this.candidates) {
      const member = record.member(index, name);
      const instant = member.instant();
      if (isInCalendar(instant)) return { instant, dayOnly: member.isDayOnly() };
    }
    return { instant: Number.NaN, dayOnly: false };
  }
}

/** Checks by their dates which completions had happened by an instant, and counts those without a date. */
export class CompletedBy {
  private readonly lastDay: number;

  private constructor(
    private readonly asOf: number,
    private readonly days: ZoneDays,
    private completed: number,
    private undated: number,
  ) {
    this.lastDay = days.dayOf(asOf);
  }

  /** Undefined where completions count as of now. */
  static start({ asOf, zone }: FiguresPlan): CompletedBy | undefined {
    return asOf === undefined ? undefined : new CompletedBy(asOf, new ZoneDays(zone), 0, 0);
  }

  /**
   * False for what is completed now and was not then, and for what has no date.
   *
   * @param done when it was completed; its instant is NaN where no date can be read
   */
  wasCompleted({ instant, dayOnly }: DateValue): boolean {
    this.completed++;
    if (Number.isNaN(instant)) {
      this.undated++;
      return false;
    }
    // Today's completions count now, whatever their time, so those of the last day count then.
    return dayOnly ? dayOfDateOnly(instant) <= this.lastDay : instant <= this.asOf;
  }

  copy(): CompletedBy {
    return new CompletedBy(this.asOf, this.days, this.completed, this.undated);
  }

  finish(): NonNullable<FiguresResult['recounted']> {
    return { completed: this.completed, undated: this.undated };
  }
}
