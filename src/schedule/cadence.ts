import { z } from 'zod';

/** In the order of the week. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof weekdays)[number];

export const monthOrdinals = ['first', 'second', 'third', 'fourth', 'last'] as const;

/** For example, the `second` Friday of a month. */
export type MonthOrdinal = (typeof monthOrdinals)[number];

/** A time on a wall clock, `09:00` to the minute, in 24 hours: `00:00` to `23:59`. */
export type WallTime = string;

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
/** In the order of the week, without duplicates. */
const days = z.array(z.enum(weekdays)).min(1).readonly();
/** In a shorter month it means the last day. */
const day = z.int().min(1).max(31);

/** How often a digest runs, in wall-clock times of the schedule's zone. */
export const cadenceSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('daily'), time }),
    /** Monday to Friday. */
    z.object({ kind: z.literal('weekdays'), time }),
    z.object({ kind: z.literal('weekly'), days, time }),
    /** A week is seven days from the day of the schedule's first run. */
    z.object({ kind: z.literal('every-weeks'), weeks: z.int().min(2).max(52), days, time }),
    z.object({ kind: z.literal('monthly'), day, time }),
    /** The last day of each month. */
    z.object({ kind: z.literal('monthly-last'), time }),
    z.object({
      kind: z.literal('monthly-weekday'),
      which: z.enum(monthOrdinals),
      weekday: z.enum(weekdays),
      time,
    }),
    /** A day of January, April, July and October. */
    z.object({ kind: z.literal('quarterly'), day, time }),
    /** Every elapsed hour, when the zone's clocks show this minute. */
    z.object({ kind: z.literal('hourly'), minute: z.int().min(0).max(59) }),
    /** Five fields separated by one space: minute, hour, day of the month, month, day of the week. */
    z.object({ kind: z.literal('cron'), expression: z.string() }),
  ])
  .readonly();

/** Plain data that survives JSON. */
export type Cadence = z.infer<typeof cadenceSchema>;

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
