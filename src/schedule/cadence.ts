/** A day of the week, as cadences name it. */
export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

/** In the order in which a cadence lists them. */
export const weekdays: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Which one of a month's Fridays, for example. */
export type MonthOrdinal = 'first' | 'second' | 'third' | 'fourth' | 'last';

export const monthOrdinals: readonly MonthOrdinal[] = ['first', 'second', 'third', 'fourth', 'last'];

/** A time on a wall clock, `09:00` to the minute, in 24 hours: `00:00` to `23:59`. */
export type WallTime = string;

/**
 * How often a digest comes, in times of a wall clock whose zone is kept beside it. It is plain data, and JSON keeps
 * it whole. Days of a week are in the week's order, each once, at least one; days of a month go from 1 to 31, and the
 * 31st of a shorter month is its last day.
 */
export type Cadence =
  | { readonly kind: 'daily'; readonly time: WallTime }
  /** Monday to Friday. */
  | { readonly kind: 'weekdays'; readonly time: WallTime }
  | { readonly kind: 'weekly'; readonly days: readonly Weekday[]; readonly time: WallTime }
  /** Every 2 to 52 weeks; a week is the seven days that begin with the day of the schedule's first run. */
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
  /** Every real hour, when the zone's clocks show that minute, 0 to 59. */
  | { readonly kind: 'hourly'; readonly minute: number }
  /** Five fields with one blank between them: minute, hour, day of the month, month, day of the week. */
  | { readonly kind: 'cron'; readonly expression: string };

/** A cadence with its zone and first day: all that its due times depend on. Survives JSON. */
export interface Schedule {
  readonly cadence: Cadence;
  /** IANA zone. */
  readonly zone: string;
  /**
   * The day of its first run in that zone, `2026-11-20`. `every 2 weeks` counts from it and has no run before it; no
   * other cadence looks at it. `scheduleFrom` finds it.
   */
  readonly firstDay: string;
}
