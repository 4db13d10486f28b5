import type { FiguresPlan } from '../../../src/figures/result.js';
import { isCompleted, isDueIn, isDueSoon, isOnTime, isOverdue, isPast, notStarted } from './assignments.js';
import type { Row } from './row.js';
import { isCancelled, isTrackCompleted, progressScale } from './taking-part.js';

type InState = (row: Row, plan: FiguresPlan, all: readonly Row[]) => boolean;

const inProgress = ['in progress'];

/** The condition of each state, as docs/figures.md defines it. */
const states: Readonly<Record<string, Readonly<Record<string, InState>>>> = {
  assignments: {
    overdue: isOverdue,
    'due-soon': isDueSoon,
    'not-started': notStarted,
    'in-progress': (row) => inProgress.includes(row.status('assignment_status') ?? '') && !isCompleted(row),
    'not-completed': (row) => !isCompleted(row),
    completed: isCompleted,
    late: (row, plan) => isCompleted(row) && isOnTime(row, plan) === false,
  },
  tracks: {
    stalled: (row, _plan, all) =>
      inProgress.includes(row.status('track_status') ?? '') &&
      !isTrackCompleted(row) &&
      (row.percent('track_progress') ?? 100) * progressScale(all) < 50,
    'not-started': (row) =>
      ['not started', 'to do', 'assigned'].includes(row.status('track_status') ?? '') &&
      !isTrackCompleted(row),
    'in-progress': (row) => inProgress.includes(row.status('track_status') ?? '') && !isTrackCompleted(row),
    'not-completed': (row) => !isTrackCompleted(row),
    completed: isTrackCompleted,
  },
  assessments: {
    passed: (row) => row.status('assessment_status') === 'passed',
    failed: (row) => row.status('assessment_status') === 'failed',
    waiting: (row) => ['waiting for grading', 'ungraded'].includes(row.status('assessment_status') ?? ''),
  },
  engagement: {
    active: (row) => isActive(row),
    inactive: (row) => !isActive(row),
  },
  workshops: {
    'free-seats': (row, plan) => {
      const start = row.date('workshop_start_date');
      const [offered, registered] = [row.number('offered_seats'), row.number('registered_seats')];
      if (!start || isPast(start, plan) || offered === undefined || registered === undefined) return false;
      const isClosed = row.yesOrNo('archived') === true || row.yesOrNo('registration_disabled') === true;
      return !isCancelled(row) && !isClosed && registered < offered;
    },
    full: (row) => {
      const offered = row.number('offered_seats') ?? 0;
      return offered > 0 && (row.number('registered_seats') ?? -1) >= offered;
    },
    waitlist: (row) => (row.number('total_waiting') ?? 0) > 0,
  },
};

function isActive(row: Row): boolean {
  return ['sessions', 'views', 'seconds_viewed', 'assignments_completed'].some(
    (flag) => (row.number(flag) ?? 0) > 0,
  );
}

/** The rows that a plan counts. */
export function countedRows(
  rows: readonly Row[],
  plan: FiguresPlan,
  all: readonly Row[] = rows,
): readonly Row[] {
  const { view, states: chosen } = plan;
  return rows.filter((row) => {
    if (view === 'overdue' && !isOverdue(row, plan)) return false;
    if (view === 'overdue' && plan.dueRange && !isDueIn(row, plan)) return false;
    if (view === 'due' && !isDueIn(row, plan)) return false;
    return !chosen || chosen.some((state) => states[plan.report]?.[state]?.(row, plan, all));
  });
}
