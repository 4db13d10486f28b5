import { type AlertCondition, armsAgain, meets } from '../requests/alert-condition.js';

/** What one run of an alert found. Plain data. */
export interface AlertReading {
  readonly dueAt: number;
  /** Rows that the report counts. */
  readonly rows: number;
  /** The figures by ID, rates in percent, without those that may not be shown to the readers. */
  readonly figures: Readonly<Record<string, number>>;
  /** Rows that the run before did not have; set where the alert waits for them, but for its first run. */
  readonly newRows?: number | undefined;
}

/** What an alert remembers from run to run. Plain data. */
export interface AlertState {
  /** At most the last ten runs that counted, the oldest first. */
  readonly readings: readonly AlertReading[];
  /** True from the run that met the threshold until one that arms the alert again. */
  readonly isOn: boolean;
  /** The due time of the run that switched it on or off last. Absent: it never has been on. */
  readonly switchedAt?: number | undefined;
}

export const newAlert: AlertState = { readings: [], isOn: false };

/**
 * What a run of an alert does.
 * - `baseline`: it is the first with something to compare with. Nothing is posted, and its owner is told. `holds`: the condition is true already.
 * - `held`: it found so few rows that its owner is asked whether that is true. It counts for nothing until then.
 * - `quiet`: there is nothing to say.
 * - `post`: the condition became true. `before`: the last run that had the figure. `since`: the due time since which the
 *   condition had been false; absent: since the baseline.
 */
export type AlertJudgement =
  | { readonly kind: 'baseline'; readonly holds: boolean; readonly next: AlertState }
  | { readonly kind: 'held'; readonly smallest: number }
  | { readonly kind: 'quiet'; readonly next: AlertState }
  | {
      readonly kind: 'post';
      readonly next: AlertState;
      readonly before: AlertReading | undefined;
      readonly since: number | undefined;
    };

/** So many runs are remembered, and needed before a sudden drop can be told. */
export const maxReadings = 10;

/** Data feeds break more often than companies shrink. Fewer rows than this say nothing. */
const minRowsOfDrop = 20;

/** @param isConfirmed true once the owner has said that a sudden drop of rows is true */
export function judgeAlert(
  condition: AlertCondition,
  state: AlertState,
  reading: AlertReading,
  isConfirmed = false,
): AlertJudgement {
  const { readings, isOn } = state;
  const smallest = Math.min(...readings.map(({ rows }) => rows));
  const canTell = readings.length >= maxReadings && smallest >= minRowsOfDrop;
  if (canTell && !isConfirmed && reading.rows < smallest / 2) return { kind: 'held', smallest };
  const last = readings.at(-1);
  // A confirmed drop begins a new series, or the next run would be far below the earlier ones again.
  const next = { ...state, readings: [...(isConfirmed ? [] : readings), reading].slice(-maxReadings) };
  if (condition.kind !== 'threshold') {
    if (!last) return { kind: 'baseline', holds: false, next };
    const isNews = condition.kind === 'new-rows' ? (reading.newRows ?? 0) > 0 : differs(last, reading);
    return isNews ? { kind: 'post', next, before: last, since: undefined } : { kind: 'quiet', next };
  }
  const found = reading.figures[condition.figure];
  // A figure that could not be shown neither meets nor ends the condition.
  if (found === undefined) return last ? { kind: 'quiet', next } : { kind: 'baseline', holds: false, next };
  const holds = meets(condition, found);
  const before = readings.findLast(({ figures }) => figures[condition.figure] !== undefined);
  if (!before) return { kind: 'baseline', holds, next: holds ? switched(next, true) : next };
  if (!isOn && holds) return { kind: 'post', next: switched(next, true), before, since: state.switchedAt };
  return { kind: 'quiet', next: isOn && armsAgain(condition, found) ? switched(next, false) : next };

  function switched(to: AlertState, isOnNow: boolean): AlertState {
    return { ...to, isOn: isOnNow, switchedAt: reading.dueAt };
  }
}

/** The IDs of the figures that both runs have and that differ. A figure that one of them lacks is no change. */
export function changedFigures(before: AlertReading, now: AlertReading): readonly string[] {
  return Object.keys(now.figures).filter(
    (id) => before.figures[id] !== undefined && before.figures[id] !== now.figures[id],
  );
}

function differs(before: AlertReading, now: AlertReading): boolean {
  return changedFigures(before, now).length > 0;
}
