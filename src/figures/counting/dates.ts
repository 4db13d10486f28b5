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

  /** The day of a date of a record. A whole day has its number in every zone. */
  dayOfDate(date: number): number {
    return isWholeDay(date) ? dayOfDateOnly(date) : this.dayOf(date);
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

/** A day without a time, as a date of a record, from its midnight in UTC. */
export function wholeDay(midnight: number): number {
  return midnight + 0.5;
}

/** False for a moment. */
export function isWholeDay(date: number): boolean {
  return date !== Math.floor(date);
}

/**
 * A date of a record as one number, so that reading allocates nothing: epoch milliseconds of a moment, or `wholeDay`.
 * NaN where the field holds no date that a calendar can show.
 *
 * @param index of the field; a member of an object needs none
 */
export function dateIn(record: Pick<RecordView, 'instant' | 'isDayOnly'>, index = 0): number {
  const instant = record.instant(index);
  if (!isInCalendar(instant)) return Number.NaN;
  return record.isDayOnly(index) ? wholeDay(instant) : instant;
}

/** True for a moment before `moment`, and for a whole day before `day`. */
function isBefore(date: number, moment: number, day: number): boolean {
  return isWholeDay(date) ? dayOfDateOnly(date) < day : date < moment;
}

/** Compares dates with now and with each other; a whole day ends with its day in the asker's zone. */
export class DueDates {
  private readonly days;
  private readonly today;

  constructor(
    private readonly now: number,
    zone: string,
  ) {
    this.days = new ZoneDays(zone);
    this.today = this.days.dayOf(now);
  }

  isPast(date: number): boolean {
    return isBefore(date, this.now, this.today);
  }

  /** True if something is due within this many days and not past. Today is the first day. */
  isWithin(due: number, days: number): boolean {
    return !this.isPast(due) && isBefore(due, this.now + days * dayMs, this.today + days);
  }

  /** The end of a due date, in epoch milliseconds. A whole day ends when the next one begins in the zone. */
  momentOf(due: number): number {
    return isWholeDay(due) ? this.days.startOf(dayOfDateOnly(due) + 1) : due;
  }

  /** Whole days since a past date. */
  daysSince(date: number): number {
    return this.daysBetween(date, this.now);
  }

  /** Calendar days from today, in the zone; negative for past days. */
  daysUntil(date: number): number {
    return this.days.dayOfDate(date) - this.today;
  }

  /** True if `done` is not after `due`. If either is a whole day, days are compared. */
  isInTime(done: number, due: number): boolean {
    if (!isWholeDay(done) && !isWholeDay(due)) return done <= due;
    return this.days.dayOfDate(done) <= this.days.dayOfDate(due);
  }

  /** Whole days from one date to another. If either is a whole day, calendar days are counted. */
  daysBetween(from: number, to: number): number {
    if (!isWholeDay(from) && !isWholeDay(to)) return Math.floor((to - from) / dayMs);
    return this.days.dayOfDate(to) - this.days.dayOfDate(from);
  }
}

/** A test for due dates, or dates of completion, in a range. Moments are compared with its instants, and whole days with its calendar days. */
export function isDueIn({ from, until, firstDay, lastDay }: NonNullable<FiguresPlan['dueRange']>) {
  const first = dayOfDateOnly(Date.parse(firstDay));
  const last = dayOfDateOnly(Date.parse(lastDay));
  return (due: number) => !isBefore(due, from * 1000, first) && isBefore(due, until * 1000, last + 1);
}

/** A test for moments before an end, in epoch milliseconds, and for whole days that have begun by then. */
export function isBeforeEnd(end: number, zone: string): (date: number) => boolean {
  const lastDay = new ZoneDays(zone).dayOf(end - 1);
  return (date) => isBefore(date, end, lastDay + 1);
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

/** Finds the date of a completion in the objects of its record. `indexes`: their fields, the most likely first. */
export function completionDates(indexes: readonly number[]): (record: RecordView) => number {
  const candidates = indexes.flatMap((index) => names.map((name) => ({ index, name })));
  return (record) => {
    for (const { index, name } of candidates) {
      const date = dateIn(record.member(index, name));
      if (!Number.isNaN(date)) return date;
    }
    return Number.NaN;
  };
}

/** Decides by date which completions had happened at an instant, and counts those without a date. */
export class CompletedBy {
  private completed = 0;
  private undated = 0;

  /** @param hadHappened today's completions count now, whatever their time, so those of the last day count then */
  private constructor(private readonly hadHappened: (done: number) => boolean) {}

  /** Undefined if completions count as of now. */
  static start({ asOf, zone }: FiguresPlan): CompletedBy | undefined {
    return asOf === undefined ? undefined : new CompletedBy(isBeforeEnd(asOf + 1, zone));
  }

  /** @returns false for a later completion, and for one without a date that can be read */
  wasCompleted(done: number): boolean {
    this.completed++;
    if (Number.isNaN(done)) this.undated++;
    return this.hadHappened(done);
  }

  merge({ completed, undated }: CompletedBy): void {
    this.completed += completed;
    this.undated += undated;
  }

  finish(): NonNullable<FiguresResult['recounted']> {
    return { completed: this.completed, undated: this.undated };
  }
}
