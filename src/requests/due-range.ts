import type { Schedule } from '../schedule/cadence.js';
import { nextRuns } from '../schedule/next-runs.js';
import { addUnits, dayAt, startOfDay, startOfUnit, type WeekStart } from '../time/calendar.js';
import { resolveRange } from './date-range.js';
import { parseRangeWords } from './range-words.js';
import { type PartOfRequest, type RangeOfRequest, rangesOf } from './request.js';

const maxRuns = 60;
const maxLookAheadMs = 2 * 366 * 24 * 60 * 60 * 1000;

/**
 * Finds a due time at which the range of a digest would be refused. Looks at the next runs, and at runs at the start of
 * days and months, when `today` or `this-month` is empty: the next runs of an hourly digest may not reach those.
 *
 * @param after epoch milliseconds
 * @returns the due time in epoch milliseconds, and why there is no such range
 */
export function findRefusedDueRange(
  request: PartOfRequest,
  schedule: Schedule,
  after: number,
  weekStart: WeekStart,
) {
  const { shown, queried } = rangesOf(request);
  for (const range of new Set([shown, queried])) {
    const refused = range && findRefusedRun(range, schedule, after, weekStart);
    if (refused) return refused;
  }
  return undefined;
}

function findRefusedRun(
  { words, report }: RangeOfRequest,
  schedule: Schedule,
  after: number,
  weekStart: WeekStart,
) {
  const runs = endsNow(words) ? runsToLookAt(schedule, after) : nextRuns(schedule, after, 1);
  for (const due of runs) {
    const resolved = resolveRange(words, report, due, schedule.zone, weekStart);
    if (!resolved.ok) return { due, refusal: resolved.refusal };
  }
  return undefined;
}

/** Only ranges that end now can be empty at a later run. Others are valid at every run, or at none. */
function endsNow(words: string): boolean {
  const parsed = parseRangeWords(words);
  if (!parsed.ok) return false;
  const { meaning } = parsed.value;
  return meaning.kind === 'units' && meaning.first === 0;
}

function* runsToLookAt(schedule: Schedule, after: number) {
  const [first] = nextRuns(schedule, after, 1);
  if (first === undefined) return;
  yield first;
  const runs = nextRuns(schedule, first, maxRuns - 1, after + maxLookAheadMs);
  yield* runs;
  const last = runs.at(-1) ?? first;
  const starts = startsAfter(after, schedule.zone).filter((start) => start > last);
  for (const start of starts) yield* nextRuns(schedule, start - 1, 1);
}

/** The starts of the days of a week and of the months of a year, in epoch milliseconds. */
function startsAfter(after: number, zone: string) {
  const today = dayAt(Math.floor(after / 1000), zone);
  const month = startOfUnit(today, 'month', 'monday');
  const next = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  return [
    ...next(7).map((days) => addUnits(today, 'day', days)),
    ...next(12).map((months) => addUnits(month, 'month', months)),
  ].map((day) => startOfDay(day, zone) * 1000);
}
