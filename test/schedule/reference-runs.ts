import type { Schedule } from '../../src/schedule/cadence.js';
import { minuteOfEveryHour, referenceRule } from './reference-cadence.js';

/** The wall-clock time of a zone at each minute, from the platform. */
export interface ShownMinutes {
  /** Epoch milliseconds of the first minute. */
  readonly from: number;
  /** Minutes since 1970 as if the clocks were at UTC. */
  readonly shown: readonly number[];
}

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

export function minutesShown(zone: string, from: number, until: number): ShownMinutes {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const shownAt = (instant: number) => Date.parse(`${format.format(instant)}Z`) / MINUTE;
  const shown: number[] = [];
  for (let instant = from; instant <= until; ) {
    const [first, later] = [shownAt(instant), shownAt(instant + QUARTER)];
    // Nobody sets a clock twice within a quarter of an hour, so that most quarters have no surprise in them.
    const isEven = later - first === QUARTER / MINUTE;
    for (const end = instant + QUARTER; instant < end && instant <= until; instant += MINUTE)
      shown.push(isEven ? later - (end - instant) / MINUTE : shownAt(instant));
  }
  return { from, shown };
}

/** Minutes before the first that counts, to know earlier wall-clock times. */
export const LEAD = 6 * 60;

/** The due times of a schedule, found by checking each minute after the lead. */
export function referenceRuns(schedule: Schedule, minutes: ShownMinutes): readonly number[] {
  const every = minuteOfEveryHour(schedule.cadence);
  return every === undefined ? whenFirstReached(schedule, minutes) : everyRealHour(schedule, minutes, every);
}

/** A run happens at the first minute at which the clocks show its time or have skipped it. */
function whenFirstReached(schedule: Schedule, { from, shown }: ShownMinutes): readonly number[] {
  const comesAt = referenceRule(schedule);
  const runs: number[] = [];
  let furthest = Math.max(...shown.slice(0, LEAD));
  for (let index = LEAD; index < shown.length; index += 1) {
    const minute = shown[index] ?? furthest;
    let isDue = false;
    for (let reached = furthest + 1; reached <= minute; reached += 1) isDue ||= comesAt(reached);
    if (isDue) runs.push(from + index * MINUTE);
    furthest = Math.max(furthest, minute);
  }
  return runs;
}

/** True if the clocks show the minute and did not show it within the hour before. */
function everyRealHour(schedule: Schedule, { from, shown }: ShownMinutes, every: number): readonly number[] {
  const comesAt = referenceRule(schedule);
  const runs: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [index, minute] of shown.entries()) {
    if (minute % 60 !== every) continue;
    if (index >= LEAD && index - last >= 60 && comesAt(minute)) runs.push(from + index * MINUTE);
    last = index;
  }
  return runs;
}
