import { unlimitedScope } from '../../access/scope.js';
import { type AlertReading, judgeAlert, newAlert } from '../../digests/alert.js';
import { alertRefusal, protectedAlertRefusal } from '../../digests/alert-refusal.js';
import { type AlertWords, alertWords, describeCheck, type JudgedRun } from '../../digests/alert-words.js';
import type { ClaimedRun, Digest } from '../../digests/digest.js';
import type { NotificationKind } from '../../digests/notification.js';
import { Failure } from '../../errors/failure.js';
import { numberInUnit } from '../../figures/summary/named-figures.js';
import type { AlertCondition } from '../../requests/alert-condition.js';
import type { RunOptions } from '../../runner/queries.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { NewAlertMemory } from '../../store/digests/alert-states.js';
import type { Store } from '../../store/store.js';
import type { OwnerRights } from './rights.js';

/** What a run of an alert does with its report. */
export type AlertDecision =
  | {
      readonly posts: true;
      readonly words: AlertWords;
      /** Absent where the run counts for nothing. */
      readonly alert: NewAlertMemory | undefined;
    }
  | ({ readonly posts: false } & NonNullable<Parameters<Store['ledger']['markSkipped']>[2]>);

/** A run of an alert, from what it remembers to what it decides. */
export interface AlertRun {
  /** How new rows are found; absent: the alert does not wait for them. */
  readonly newRows: RunOptions['newRows'];
  decide(result: ReportResult): AlertDecision;
}

/** @throws `alert-refused` where its readers may not get such an alert any more, or its figure is gone */
export async function alertOfRun(
  { digest, run }: Pick<ClaimedRun, 'digest' | 'run'>,
  when: AlertCondition,
  { asker, scope }: OwnerRights,
  store: Pick<Store, 'alertStates'>,
): Promise<AlertRun> {
  assertPossible(digest, scope.smallestGroup);
  const { id, request, schedule, owner } = digest;
  const of = { run: { kind: 'digest', id }, asker: asker.id, request, scope, when } as const;
  const memory = await store.alertStates.find(run, of);
  const { state = newAlert, acceptsDrop = false } = memory ?? {};
  const isAgain = run.settled === 'sent-again';
  const isByHand = run.isByHand || isAgain;
  return {
    newRows:
      when.kind === 'new-rows' ? { known: memory?.knownRows, key: store.alertStates.keyOfRows() } : undefined,
    decide(result) {
      const reading = readingOf(result, run.dueAt);
      const judged = judgeAlert(when, state, reading, acceptsDrop);
      const judgedRun: JudgedRun = { when, request, zone: schedule.zone, judged, reading, state, isByHand };
      const { kind, next } = judged;
      const isHeld = kind === 'held';
      const alert: NewAlertMemory = {
        of,
        state: next,
        knownRows: isHeld ? memory?.knownRows : result.newRows?.rows,
        usesAcceptedDrop: acceptsDrop,
      };
      if (kind === 'post' || isByHand) {
        // A later run has said what has happened since. The owner is not asked about a message that they wanted.
        const counts = !isHeld && (!isAgain || memory === undefined || memory.isOfThisRun);
        return { posts: true, words: alertWords(judgedRun), alert: counts ? alert : undefined };
      }
      const [code, notification] = endOf(judged);
      return {
        posts: false,
        why: { code, reason: describeCheck(judgedRun) },
        rows: result.rowCount,
        alert,
        notification: notification && { kind: notification, recipients: [owner] },
      };
    },
  };
}

/** A run of an alert for managers: what it remembers once it has ended, or that its owner is asked first. */
type RowsCheck =
  | { readonly isHeld: false; readonly alert: NewAlertMemory | undefined }
  | { readonly isHeld: true; readonly checked: NonNullable<Parameters<Store['ledger']['markSkipped']>[2]> };

/**
 * Judges how many rows an answer for managers has. What is new in them is judged for each reader.
 *
 * @param rows of all teams, new or not
 */
export async function checkRows(
  { digest, run }: Pick<ClaimedRun, 'digest' | 'run'>,
  when: AlertCondition,
  rows: number,
  store: Pick<Store, 'alertStates'>,
): Promise<RowsCheck> {
  const { id, request, schedule, owner } = digest;
  const of = { run: { kind: 'digest', id }, asker: owner, request, scope: unlimitedScope, when } as const;
  const { state = newAlert, acceptsDrop = false } = (await store.alertStates.find(run, of)) ?? {};
  const reading = { dueAt: run.dueAt, rows, figures: {} };
  const judged = judgeAlert(when, state, reading, acceptsDrop);
  const alert = { of, state: judged.next, usesAcceptedDrop: acceptsDrop };
  if (judged.kind !== 'held') return { isHeld: false, alert };
  // Whoever starts a run wants it.
  if (run.isByHand) return { isHeld: false, alert: undefined };
  const judgedRun = { when, request, zone: schedule.zone, judged, reading, state, isByHand: false };
  const [code, notification] = endOf(judged);
  const why = { code, reason: describeCheck(judgedRun) };
  const told = notification && { kind: notification, recipients: [owner] };
  return { isHeld: true, checked: { why, rows, alert, notification: told } };
}

function assertPossible({ request, schedule, when }: Digest, smallestGroup: number): void {
  const draft = { request, when, cadence: schedule.cadence, skipEmpty: false };
  const protection = { smallestGroup, endsInDirectMessages: false };
  const refusal =
    alertRefusal(draft) ?? (smallestGroup > 1 ? protectedAlertRefusal(draft, protection) : undefined);
  if (refusal) throw new Failure('alert-refused', { sentence: refusal.sentence });
}

/** What a run of an alert is judged by. */
export function readingOf({ figures, rowCount, newRows }: ReportResult, dueAt: number): AlertReading {
  const numbers: Record<string, number> = {};
  for (const { id, value } of figures?.figures ?? []) {
    const number = numberInUnit(value);
    if (number !== undefined) numbers[id] = number;
  }
  return { dueAt, rows: rowCount, figures: numbers, newRows: newRows?.count };
}

/** The code of a run that posts nothing, and what its owner is told. */
function endOf(judged: ReturnType<typeof judgeAlert>): readonly [code: string, told?: NotificationKind] {
  if (judged.kind === 'baseline') return [judged.holds ? 'alert-met' : 'alert-baseline', 'alert-baseline'];
  if (judged.kind !== 'held') return ['alert-quiet'];
  return judged.asks ? ['alert-drop', 'alert-drop'] : ['alert-drop'];
}
