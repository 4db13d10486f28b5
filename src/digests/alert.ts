import { type AlertCondition, armsAgain, meets } from '../requests/alert-condition.js';

/** What one run of an alert found. Plain data. */
export interface AlertReading {
  readonly dueAt: number;
  /** Rows that the report counts; absent where their number may not be shown to the readers. */
  readonly rows?: number | undefined;
  /** The figures by ID, rates in percent, without those that may not be shown to the readers. */
  readonly figures: Readonly<Record<string, number>>;
  /** Rows that the run before did not have; set where the alert waits for them, but for its first run. */
  readonly newRows?: number | undefined;
}

/** What an alert remembers from run to run. Plain data. */
export interface AlertState {
  /** At most the last ten runs that counted, the oldest first. */
  readonly readings: readonly AlertReading[];
  /** The last run that had the figure of the threshold. It may be older than the others. */
  readonly lastShown?: AlertReading | undefined;
  /** True from the run that met the threshold until one that arms the alert again. */
  readonly isOn: boolean;
  /** The due time of the run that switched it on or off last. Absent: it never has been on. */
  readonly switchedAt?: number | undefined;
  /** The due time of the run with a sudden drop whose owner was asked last. A run that counts ends the question. */
  readonly askedAt?: number | undefined;
}

export const newAlert: AlertState = { readings: [], isOn: false };

/**
 * What a run of an alert does.
 * - `baseline`: it is the first with something to compare with. Nothing is posted, and its owner is told. `holds`: the condition is true already.
 * - `held`: it found so few rows that its owner is asked whether that is true. It counts for nothing until then. `asks`:
 *   false where the owner was asked a short time ago.
 * - `quiet`: there is nothing to say.
 * - `post`: the condition became true. `before`: the last run that had the figure. `since`: the due time since which the
 *   condition had been false; absent: since the baseline.
 */
export type AlertJudgement =
  | { readonly kind: 'baseline'; readonly holds: boolean; readonly next: AlertState }
  | {
      readonly kind: 'held';
      readonly smallest: number;
      readonly asks: boolean;
      readonly next: AlertState;
    }
  | { readonly kind: 'quiet'; readonly next: AlertState }
  | {
      readonly kind: 'post';
      readonly next: AlertState;
      readonly before: AlertReading;
      readonly since: number | undefined;
    };

/** So many runs are remembered, and needed before a sudden drop can be told. */
export const maxReadings = 10;

/** Data feeds break more often than companies shrink. Fewer rows than this say nothing. */
const minRowsOfDrop = 20;

/** While rows stay few, the owner is asked again after this time. */
const askAgainAfterMs = 24 * 3_600_000;

/** @param isConfirmed true once the owner has said that a sudden drop of rows is true */
export function judgeAlert(
  condition: AlertCondition,
  state: AlertState,
  reading: AlertReading,
  isConfirmed = false,
): AlertJudgement {
  const { readings, isOn, askedAt } = state;
  const { dueAt } = reading;
  const { rows = Number.POSITIVE_INFINITY } = reading;
  const counts = readings.flatMap((one) => one.rows ?? []);
  const smallest = Math.min(...counts);
  const canTell = readings.length >= maxReadings && counts.length > 0 && smallest >= minRowsOfDrop;
  if (canTell && !isConfirmed && rows < smallest / 2) {
    const asks = askedAt === undefined || Math.abs(dueAt - askedAt) >= askAgainAfterMs;
    return { kind: 'held', smallest, asks, next: asks ? { ...state, askedAt: dueAt } : state };
  }
  // A confirmed drop begins a new series, or the next run would be far below the earlier ones again.
  const series = [...(isConfirmed ? [] : readings), reading].slice(-maxReadings);
  const next = { ...state, readings: series, askedAt: undefined };
  const last = readings.at(-1);
  if (condition.kind !== 'threshold') {
    if (!last) return { kind: 'baseline', holds: false, next };
    const isNews = condition.kind === 'new-rows' ? (reading.newRows ?? 0) > 0 : differs(last, reading);
    return isNews ? { kind: 'post', next, before: last, since: undefined } : { kind: 'quiet', next };
  }
  const found = reading.figures[condition.figure];
  // A figure that could not be shown neither meets nor ends the condition.
  if (found === undefined) return last ? { kind: 'quiet', next } : { kind: 'baseline', holds: false, next };
  const holds = meets(condition, found);
  const shown = { ...next, lastShown: reading };
  const { lastShown: before, switchedAt: since } = state;
  if (!before) return { kind: 'baseline', holds, next: holds ? switched(shown, true, dueAt) : shown };
  if (!isOn && holds) return { kind: 'post', next: switched(shown, true, dueAt), before, since };
  return { kind: 'quiet', next: isOn && armsAgain(condition, found) ? switched(shown, false, dueAt) : shown };
}

function switched(state: AlertState, isOn: boolean, switchedAt: number): AlertState {
  return { ...state, isOn, switchedAt };
}

/** The IDs of the figures that both runs have and that differ. A figure that one of them lacks is no change. */
export function changedFigures(before: AlertReading, now: AlertReading): readonly string[] {
  return Object.entries(now.figures).flatMap(([id, value]) => {
    const earlier = before.figures[id];
    return earlier === undefined || areSame(earlier, value) ? [] : [id];
  });
}

function differs(before: AlertReading, now: AlertReading): boolean {
  return changedFigures(before, now).length > 0;
}

/** The service may send the same rows in another order, and sums of fractions depend on it in their last digits. */
function areSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other));
}
