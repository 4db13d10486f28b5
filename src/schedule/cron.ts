import { Cron } from 'croner';
import { ok, type Result, refused } from '../errors/failure.js';

/** The days and wall-clock times of a cadence, independent of a zone. */
export interface WallTimes {
  /** The first matching day at or after `from`, as days since 1970-01-01; undefined if there is none. */
  readonly nextDay: (from: number) => number | undefined;
  /** Minutes since midnight in ascending order, the same on each day, or one minute of every hour. */
  readonly times: { readonly minutes: readonly number[] } | { readonly everyHourAt: number };
}

export type CronRefusal =
  /** Not five fields, or an invalid field. */
  | 'form'
  /** Six or seven fields, so the first one is seconds. */
  | 'seconds'
  /** More than one minute of an hour. */
  | 'too-often'
  /** A day that no calendar has, such as 30 February. */
  | 'never';

const dayMs = 24 * 60 * 60 * 1000;
const maxExpressionLength = 200;

/** Parsing takes about a millisecond, so results are cached. */
const maxCached = 500;
const cache = new Map<string, Result<WallTimes, CronRefusal>>();

/**
 * Parses a cron expression of five fields. Croner calculates wall-clock times only. Its own handling of clock changes
 * repeats the doubled hour and skips times in a gap, if the expression has several hours.
 */
export function parseCron(expression: string): Result<WallTimes, CronRefusal> {
  const known = cache.get(expression);
  if (known) return known;
  if (cache.size >= maxCached) cache.clear();
  const read = parseUncached(expression);
  cache.set(expression, read);
  return read;
}

function parseUncached(expression: string): Result<WallTimes, CronRefusal> {
  const fields = expression.split(' ');
  if (fields.length === 6 || fields.length === 7) return refused('seconds');
  const [minute, hour, ...days] = fields;
  if (fields.length !== 5 || expression.length > maxExpressionLength) return refused('form');
  const [everyHour, everyDay, matchingDays] = [
    wallClockCron(`${minute} * * * *`),
    wallClockCron(`${minute} ${hour} * * *`),
    wallClockCron(`0 0 ${days.join(' ')}`),
  ];
  if (!everyHour || !everyDay || !matchingDays) return refused('form');
  if (runsOnFirstDay(everyHour).length > 24) return refused('too-often');
  const nextDay = nextDayFinder(matchingDays);
  if (nextDay(0) === undefined) return refused('never');
  const minutes = runsOnFirstDay(everyDay).map((run) => run.getTime() / 60_000);
  const [first = 0] = minutes;
  return ok({ nextDay, times: minutes.length === 24 ? { everyHourAt: first } : { minutes } });
}

/** Caches the last result, because one croner call costs as much as a hundred runs. */
function nextDayFinder(cron: Cron): WallTimes['nextDay'] {
  let known: { readonly from: number; readonly next: number | undefined } | undefined;
  return (from) => {
    if (known && from >= known.from && (known.next === undefined || from <= known.next)) return known.next;
    const next = cron.nextRun(new Date(from * dayMs - 1000));
    known = { from, next: next ? next.getTime() / dayMs : undefined };
    return known.next;
  };
}

/** UTC has neither gaps nor repeated hours, so it can represent any wall clock. */
function wallClockCron(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { mode: '5-part', utcOffset: 0 });
  } catch {
    return undefined;
  }
}

/** Up to 25 runs of 1970-01-01. */
function runsOnFirstDay(cron: Cron) {
  return cron.nextRuns(25, new Date(-1000)).filter((run) => run.getTime() < dayMs);
}
