import { Cron } from 'croner';

/** What a cron expression means for wall clocks: days of the calendar, and the same times on each. */
export interface CronTimes {
  /** The first of its days at or after one, as days since 1970-01-01; undefined: it has none. */
  readonly nextDay: (from: number) => number | undefined;
  /** Minutes since midnight, in order; or one minute of every hour. */
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

const DAY = 24 * 60 * 60 * 1000;
const MAX_EXPRESSION_LENGTH = 200;

/** Expressions remembered at a time: reading one takes croner a millisecond. */
const MAX_CACHED = 500;
const remembered = new Map<string, CronTimes | { readonly refused: CronRefusal }>();

/**
 * Reads a cron expression of five fields with croner. Wall clocks are all that croner is asked about: by itself it
 * repeats the hour that comes twice and leaves out what falls into a gap, where the expression has several hours.
 */
export function parseCron(expression: string): CronTimes | { readonly refused: CronRefusal } {
  const known = remembered.get(expression);
  if (known) return known;
  if (remembered.size >= MAX_CACHED) remembered.clear();
  const read = readWithCroner(expression);
  remembered.set(expression, read);
  return read;
}

function readWithCroner(expression: string): CronTimes | { readonly refused: CronRefusal } {
  const fields = expression.split(' ');
  if (fields.length === 6 || fields.length === 7) return { refused: 'seconds' };
  const [minute, hour, ...days] = fields;
  if (fields.length !== 5 || expression.length > MAX_EXPRESSION_LENGTH) return { refused: 'form' };
  const [everyHour, everyDay, onItsDays] = [
    onWallClocks(`${minute} * * * *`),
    onWallClocks(`${minute} ${hour} * * *`),
    onWallClocks(`0 0 ${days.join(' ')}`),
  ];
  if (!everyHour || !everyDay || !onItsDays) return { refused: 'form' };
  if (runsOnFirstDay(everyHour).length > 24) return { refused: 'too-often' };
  const nextDay = daysOf(onItsDays);
  if (nextDay(0) === undefined) return { refused: 'never' };
  const minutes = runsOnFirstDay(everyDay).map((run) => run.getTime() / 60_000);
  const [first = 0] = minutes;
  return { nextDay, times: minutes.length === 24 ? { everyHourAt: first } : { minutes } };
}

/** Asks croner once for each day that there is, since asking it takes as long as a hundred runs. */
function daysOf(cron: Cron): CronTimes['nextDay'] {
  let known: { readonly from: number; readonly next: number | undefined } | undefined;
  return (from) => {
    if (known && from >= known.from && (known.next === undefined || from <= known.next)) return known.next;
    const next = cron.nextRun(new Date(from * DAY - 1000));
    known = { from, next: next ? next.getTime() / DAY : undefined };
    return known.next;
  };
}

/** UTC has neither gaps nor repeated hours, so it can represent any wall clock. */
function onWallClocks(expression: string): Cron | undefined {
  try {
    return new Cron(expression, { mode: '5-part', utcOffset: 0 });
  } catch {
    return undefined;
  }
}

/** Up to 25 runs of 1970-01-01. */
function runsOnFirstDay(cron: Cron): readonly Date[] {
  return cron.nextRuns(25, new Date(-1000)).filter((run) => run.getTime() < DAY);
}
