export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

/** In the order of the week. */
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** For example, the `second` Friday of a month. */
export type MonthOrdinal = 'first' | 'second' | 'third' | 'fourth' | 'last';

export const monthOrdinals: readonly MonthOrdinal[] = ['first', 'second', 'third', 'fourth', 'last'];

/** A time on a wall clock, `09:00` to the minute, in 24 hours: `00:00` to `23:59`. */
export type WallTime = string;

/**
 * How often a digest runs, in wall-clock times of the schedule's zone. Plain data that survives JSON. `days` is not
 * empty, in the order of the week, without duplicates. `day` is 1 to 31; in a shorter month it means the last day.
 */
export type Cadence =
  | { readonly kind: 'daily'; readonly time: WallTime }
  /** Monday to Friday. */
  | { readonly kind: 'weekdays'; readonly time: WallTime }
  | { readonly kind: 'weekly'; readonly days: readonly Weekday[]; readonly time: WallTime }
  /** Every 2 to 52 weeks. A week is seven days from the day of the schedule's first run. */
  | {
      readonly kind: 'every-weeks';
      readonly weeks: number;
      readonly days: readonly Weekday[];
      readonly time: WallTime;
    }
  | { readonly kind: 'monthly'; readonly day: number; readonly time: WallTime }
  /** The last day of each month. */
  | { readonly kind: 'monthly-last'; readonly time: WallTime }
  | {
      readonly kind: 'monthly-weekday';
      readonly which: MonthOrdinal;
      readonly weekday: Weekday;
      readonly time: WallTime;
    }
  /** A day of January, April, July and October. */
  | { readonly kind: 'quarterly'; readonly day: number; readonly time: WallTime }
  /** Every elapsed hour, when the zone's clocks show this minute, 0 to 59. */
  | { readonly kind: 'hourly'; readonly minute: number }
  /** Five fields separated by one space: minute, hour, day of the month, month, day of the week. */
  | { readonly kind: 'cron'; readonly expression: string };

/** Everything that due times depend on. Survives JSON. */
export interface Schedule {
  readonly cadence: Cadence;
  /** IANA zone. */
  readonly zone: string;
  /**
   * The day of the first run in the zone, `2026-11-20`. Only `every-weeks` uses it: it counts weeks from this day and
   * has no run before it.
   */
  readonly firstDay: string;
}
