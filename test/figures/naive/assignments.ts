import type { FiguresPlan } from '../../../src/figures/result.js';
import type { NaiveFigures } from './figures.js';
import { dayIn, daysFrom, type NaiveDate, type Row } from './row.js';
import { countOf, given, type Lasting, medianTime, middle, people, share } from './values.js';

const hour = 3_600_000;

/** Completed: has a completion date or a completed status. */
export function isCompleted(row: Row): boolean {
  const status = row.status('assignment_status') ?? '';
  return (
    row.date('completed_date') !== undefined ||
    ['completed', 'complete', 'done', 'finished', 'passed'].includes(status)
  );
}

/** A due date without a time ends with its day in the asker's zone. */
export function isPast(due: NaiveDate, { now, zone }: FiguresPlan): boolean {
  return due.wholeDay ? dayIn('UTC', due) < dayIn(zone, { ms: now, wholeDay: false }) : due.ms < now;
}

/** Overdue: not completed and due before now. */
export function isOverdue(row: Row, plan: FiguresPlan): boolean {
  const due = row.date('due_date');
  return !isCompleted(row) && due !== undefined && isPast(due, plan);
}

export function isDueSoon(row: Row, plan: FiguresPlan): boolean {
  const due = row.date('due_date');
  if (isCompleted(row) || !due || isPast(due, plan)) return false;
  const today = dayIn(plan.zone, { ms: plan.now, wholeDay: false });
  return due.wholeDay ? daysFrom(today, dayIn('UTC', due)) <= 6 : due.ms < plan.now + 7 * 24 * hour;
}

/** On time: completed at or before the due date; undefined if a date is missing. */
export function isOnTime(row: Row, { zone }: FiguresPlan): boolean | undefined {
  const [done, due] = [row.date('completed_date'), row.date('due_date')];
  if (!done || !due) return undefined;
  if (done.wholeDay || due.wholeDay) return dayIn(zone, done) <= dayIn(zone, due);
  return done.ms <= due.ms;
}

/** How long it took, or how long it has been open. */
function lasting(row: Row, { zone, now }: FiguresPlan): Lasting | undefined {
  const isDone = isCompleted(row);
  const [from, to] = [
    row.date('assigned_date'),
    isDone ? row.date('completed_date') : { ms: now, wholeDay: false },
  ];
  if (!from || !to) return undefined;
  const days =
    from.wholeDay || to.wholeDay
      ? daysFrom(dayIn(zone, from), dayIn(zone, to))
      : Math.floor((to.ms - from.ms) / (24 * hour));
  return days < 0 ? undefined : { days, isDone };
}

export function daysOverdue(row: Row, { now, zone }: FiguresPlan): number {
  const due = row.date('due_date');
  if (!due) return Number.NaN;
  const today = dayIn(zone, { ms: now, wholeDay: false });
  return due.wholeDay ? daysFrom(dayIn('UTC', due), today) : Math.floor((now - due.ms) / (24 * hour));
}

/** Days of the calendar from today until it is due. */
export function daysUntilDue(row: Row, { now, zone }: FiguresPlan): number {
  const due = row.date('due_date');
  return due ? daysFrom(dayIn(zone, { ms: now, wholeDay: false }), dayIn(zone, due)) : Number.NaN;
}

export function notStarted(row: Row): boolean {
  return (
    ['not started', 'to do', 'assigned'].includes(row.status('assignment_status') ?? '') && !isCompleted(row)
  );
}

export function naiveAssignments(rows: readonly Row[], plan: FiguresPlan): NaiveFigures {
  const completed = rows.filter(isCompleted);
  const onTime = completed.filter((row) => isOnTime(row, plan) === true);
  const late = completed.filter((row) => isOnTime(row, plan) === false);
  const overdue = rows.filter((row) => isOverdue(row, plan));
  const byHand = completed.filter(
    (row) => !row.isMissing('manual_completed_by') || !row.isMissing('manual_completed_by_email'),
  );
  return {
    assignments: countOf(rows),
    completed: countOf(completed),
    'completion-rate': share(completed.length, rows.length),
    'on-time': share(onTime.length, onTime.length + late.length + overdue.length),
    late: countOf(late),
    overdue: countOf(overdue),
    'due-soon': countOf(rows.filter((row) => isDueSoon(row, plan))),
    'not-started': countOf(rows.filter(notStarted)),
    'days-to-complete': medianTime(given(rows.map((row) => lasting(row, plan)))),
    'by-hand': countOf(byHand),
  };
}

/** Due in the range: a moment by the instants, a date without a time by its calendar day. */
export function isDueIn(row: Row, { dueRange }: FiguresPlan): boolean {
  const due = row.date('due_date');
  if (!due || !dueRange || isCompleted(row)) return false;
  if (!due.wholeDay) return due.ms >= dueRange.from * 1000 && due.ms < dueRange.until * 1000;
  const day = dayIn('UTC', due);
  return day >= dueRange.firstDay && day <= dueRange.lastDay;
}

/** @param due the rows that are listed */
export function naiveDue(due: readonly Row[], plan: FiguresPlan): NaiveFigures {
  const today = dayIn(plan.zone, { ms: plan.now, wholeDay: false });
  const atOnce = due.filter((row) => {
    const date = row.date('due_date');
    if (!date || isPast(date, plan)) return false;
    return date.wholeDay ? dayIn('UTC', date) === today : date.ms < plan.now + 24 * hour;
  });
  return {
    due: countOf(due),
    people: people(due),
    'due-in-a-day': countOf(atOnce),
    'not-started': countOf(due.filter(notStarted)),
    overdue: countOf(due.filter((row) => isOverdue(row, plan))),
  };
}

/** @param overdue the rows that are listed */
export function naiveOverdue(overdue: readonly Row[], plan: FiguresPlan): NaiveFigures {
  return {
    overdue: countOf(overdue),
    people: people(overdue),
    'days-overdue': middle(
      overdue.map((row) => daysOverdue(row, plan)),
      'days',
    ),
    'long-overdue': countOf(overdue.filter((row) => daysOverdue(row, plan) > 30)),
    'not-started': countOf(overdue.filter(notStarted)),
  };
}

export function isOverdueList({ view, states }: FiguresPlan): boolean {
  return view === 'overdue' || (!view && states?.join() === 'overdue');
}

/** Rows that are due soon are listed like rows that are due. */
export function isDueList({ view, states }: FiguresPlan): boolean {
  return view === 'due' || (!view && ['due-soon', 'overdue,due-soon'].includes(states?.join() ?? ''));
}
