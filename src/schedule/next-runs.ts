import { whenClocksShow } from '../time/zone-clock.js';
import type { Cadence, Schedule } from './cadence.js';
import { dayShown, runsAfter } from './next-runs-after.js';
import { dateOfDay, wallTimeOf, wallTimes } from './wall-times.js';

/** What became due while nobody looked. */
export interface Missed {
  /** The last of the due times; absent: there was none. */
  readonly latest?: number;
  /** How many came before it. */
  readonly missed: number;
}

/**
 * The next due times after an instant, all in epoch milliseconds, each later than the one before. Fewer than `count`
 * only where a cron expression has no more of them.
 */
export function nextRuns(schedule: Schedule, after: number, count: number): readonly number[] {
  const runs: number[] = [];
  if (count < 1) return runs;
  for (const run of runsAfter(schedule, after)) {
    runs.push(run);
    if (runs.length >= count) break;
  }
  return runs;
}

/**
 * The due times after one instant and up to another, the latter included; all in epoch milliseconds, at most so many
 * of them, the earliest first.
 */
export function dueBetween(
  schedule: Schedule,
  after: number,
  until: number,
  most: number,
): readonly number[] {
  const due: number[] = [];
  for (const run of runsAfter(schedule, after)) {
    if (run > until || due.length >= most) break;
    due.push(run);
  }
  return due;
}

/** The last due time after one instant and up to another, the latter included, and how many came before it. */
export function latestDue(schedule: Schedule, after: number, now: number): Missed {
  let latest: number | undefined;
  let missed = 0;
  for (const run of runsAfter(schedule, after)) {
    // Also where it is no number at all: a schedule that somebody broke would go on for ever.
    if (!(run <= now)) break;
    if (latest !== undefined) missed += 1;
    latest = run;
  }
  return { ...(latest === undefined ? {} : { latest }), missed };
}

/** A cadence as a schedule that begins now, in epoch milliseconds: its first run is the first time after now. */
export function scheduleFrom(cadence: Cadence, zone: string, now: number): Schedule {
  const today = dayShown(now / 1000, zone);
  if (cadence.kind !== 'every-weeks') return { cadence, zone, firstDay: dateOfDay(today) };
  const { time } = cadence;
  const { nextDay } = wallTimes({ ...cadence, kind: 'weekly' }, today);
  const isOver = (day: number) => whenClocksShow(wallTimeOf(day, time), zone) * 1000 <= now;
  let firstDay = nextDay(today) ?? today;
  while (isOver(firstDay)) firstDay = nextDay(firstDay + 1) ?? firstDay + 1;
  return { cadence, zone, firstDay: dateOfDay(firstDay) };
}
