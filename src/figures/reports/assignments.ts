import { compact } from '../../requests/text.js';
import { eventAfter, openAfter } from '../counting/counted-values.js';
import { CompletedBy, DueDates, isDueIn } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import { nameFields, PeopleList, personKeyReader } from '../counting/person-fields.js';
import {
  type Contribution,
  fieldIndexes,
  type RecordCounter,
  type ReportFigures,
} from '../counting/report-figures.js';
import {
  barsOf,
  byMost,
  dueListOf,
  figure,
  inAnyState,
  inStates,
  isNarrowed,
  medianIn,
  mostOf,
  numbered,
  peopleOf,
  shareOf,
  shareOfRows,
  stateBits,
  sumOf,
  wantedStates,
} from '../counting/rules.js';
import { Statuses, type StatusMeaning } from '../counting/statuses.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, factIfAny } from '../result.js';

/** Assignments that are overdue for more days than this have a figure of their own. */
const longOverdueDays = 30;

/** Assignments due within this many days count as due soon. `due` has a shorter limit. */
const soonDays = { all: 7, due: 1 } as const;

const at = numbered(
  'all',
  'completed',
  'onTime',
  'late',
  'overdue',
  'longOverdue',
  'dueSoon',
  'notStarted',
  'byHand',
  'withoutDate',
  'recent',
  'beforeAssigned',
  'people',
  'withoutPerson',
);

const flags = [
  'assignment_status',
  'assigned_date',
  'due_date',
  'completed_date',
  'manual_completed_by',
  'manual_completed_by_email',
] as const;

const bits = stateBits(
  'overdue',
  'due-soon',
  'not-started',
  'in-progress',
  'not-completed',
  'completed',
  'late',
);

/** Rows in these states may be overdue, due soon, or neither. */
const open = ['not-started', 'in-progress', 'not-completed'];

/** Every assignment: what is done, in time or late, and where it is stuck. */
export const assignments: ReportFigures = {
  sums: at,
  rows: at.all,
  size: at.all,
  pace: { recent: at.recent, undated: at.withoutDate },
  medianOf: 'times',
  people: { sum: at.people, onlyInStates: true },
  groupedBy: 'content_title',
  listed: { title: 'content_title' },
  rules: () => [
    figure('assignments', 'Assignments', 'period-before', sumOf(at.all), inAnyState),
    figure('people', 'People', 'equal-age', peopleOf(at.people), { ...inAnyState, onlyInStates: true }),
    figure('completed', 'Completed', 'equal-age', sumOf(at.completed), inStates([], 'completed')),
    figure('completion-rate', 'Completion rate', 'equal-age', shareOfRows(at.completed, at.all)),
    figure(
      'on-time',
      'Completed on time',
      'equal-age',
      shareOf(at.onTime, [at.onTime, at.late, at.overdue]),
      {
        // Without what is overdue, it would tell how many of few were on time.
        alsoAbout: { rowsOfSums: [at.onTime, at.late] },
        heading: 'On time',
        ...inStates(['completed']),
      },
    ),
    figure('late', 'Completed late', 'equal-age', sumOf(at.late), {
      // Of all rows, it would tell how many of few were on time.
      denominator: { rowsOfSums: [at.onTime, at.late] },
      heading: 'Late',
      ...inStates(['completed'], 'late'),
    }),
    figure('overdue', 'Overdue now', 'last-run', sumOf(at.overdue), {
      heading: 'Overdue',
      ...inStates(open, 'overdue'),
    }),
    figure('due-soon', 'Due in the next seven days', 'last-run', sumOf(at.dueSoon), {
      heading: 'Due soon',
      ...inStates(open, 'due-soon'),
    }),
    figure('not-started', 'Not started', 'last-run', sumOf(at.notStarted), {
      ...inStates(['overdue', 'due-soon', 'not-completed']),
    }),
    figure('days-to-complete', 'Median days to complete', 'equal-age', medianIn('days'), {
      heading: 'Median days',
      ...inStates(['completed', 'late']),
    }),
    figure('by-hand', 'Completions entered by hand', 'equal-age', sumOf(at.byHand), {
      heading: 'By hand',
      ...inStates(['completed', 'late']),
    }),
  ],
  order: byMost(at.overdue, at.all),
  highlights: [mostOf('Most overdue', at.overdue, byMost(at.overdue, at.all))],
  bars: { title: 'Overdue', series: [barsOf('Overdue', at.overdue)] },
  fields: ({ people }) => compact(flags, people && [...nameFields, 'content_title']),
  counter: countAssignments,
};

const dueList: ReportFigures = { ...assignments, medianOf: 'values', people: { sum: at.people } };

/** The assignments that are past due and not completed. */
export const overdue: ReportFigures = {
  ...dueList,
  rules: () => [
    figure('overdue', 'Overdue now', 'last-run', sumOf(at.overdue), { heading: 'Overdue' }),
    figure('people', 'People', 'last-run', peopleOf(at.people)),
    figure('days-overdue', 'Median days overdue', 'last-run', medianIn('days')),
    figure(
      'long-overdue',
      `Overdue for more than ${longOverdueDays} days`,
      'last-run',
      sumOf(at.longOverdue),
      {
        heading: `Over ${longOverdueDays} days`,
      },
    ),
    figure('not-started', 'Not started', 'last-run', sumOf(at.notStarted)),
  ],
};

/** The assignments that are due in a range and not completed. */
export const due: ReportFigures = {
  ...dueList,
  rules: () => [
    figure('due', 'Due', 'last-run', sumOf(at.all)),
    figure('people', 'People', 'last-run', peopleOf(at.people)),
    figure('due-in-a-day', 'Due within 24 hours', 'last-run', sumOf(at.dueSoon), { heading: 'In 24 hours' }),
    figure('not-started', 'Not started', 'last-run', sumOf(at.notStarted)),
    figure('overdue', 'Already overdue', 'last-run', sumOf(at.overdue), { heading: 'Overdue' }),
  ],
  order: byMost(at.all),
  highlights: [mostOf('Most due', at.all)],
  bars: { title: 'Due', series: [barsOf('Due', at.all)] },
};

/** Reads assignments: all of them, or those of a view or in some states. */
function countAssignments(plan: FiguresPlan, fields: readonly string[]): RecordCounter {
  const index = fieldIndexes(fields, flags);
  const list = dueListOf(plan);
  const narrows = isNarrowed(plan);
  const wanted = wantedStates(plan, bits);
  const isInDueRange = plan.dueRange && isDueIn(plan.dueRange);
  // The earlier period is counted as it stood at its instant, overdue rows among it.
  const dates = new DueDates(plan.asOf ?? plan.now, plan.zone);
  const missing = new MissingValues(fields, ['completed_date']);
  const statuses = new Statuses(index.assignment_status, missing);
  const readPerson = narrows || plan.paceRange ? personKeyReader(fields) : undefined;
  const isRecent = plan.paceRange && isDueIn(plan.paceRange);
  const overduePeople = plan.people
    ? new PeopleList(fields, 'content_title', 'days', plan.tellsPeople)
    : undefined;
  const completedBy = CompletedBy.start(plan);

  function timingOf(done: number, due: number): number | undefined {
    if (Number.isNaN(done) || Number.isNaN(due)) return undefined;
    return dates.isInTime(done, due) ? at.onTime : at.late;
  }

  function statesOf({ meaning, isCompleted, timing, due, isOverdue }: AssignmentFacts): number {
    if (isCompleted) return bits.completed | (timing === at.late ? bits.late : 0);
    return (
      bits['not-completed'] |
      (isOverdue ? bits.overdue : 0) |
      (dates.isWithin(due, soonDays.all) ? bits['due-soon'] : 0) |
      (meaning === 'not-started' || meaning === 'in-progress' ? bits[meaning] : 0)
    );
  }

  /** True for a record that the view shows and that is in one of the wanted states. */
  function isWanted(facts: AssignmentFacts): boolean {
    const { isCompleted, isOverdue, due } = facts;
    if (plan.view === 'overdue' && !isOverdue) return false;
    if (plan.view === 'due' && isCompleted) return false;
    if (isInDueRange && !isInDueRange(due)) return false;
    return wanted === 0 || (wanted & statesOf(facts)) !== 0;
  }

  function orderByDueDate(into: Contribution, due: number, isOverdue: boolean): void {
    const isMissing = Number.isNaN(due);
    into.rank = isMissing ? Number.MAX_SAFE_INTEGER : dates.momentOf(due);
    into.order = into.rank;
    if (isMissing) return;
    if (list === 'due') into.days = isOverdue ? -dates.daysSince(due) : dates.daysUntil(due);
    else if (isOverdue) {
      into.days = dates.daysSince(due);
      // By whole days, because people see those. The rows of one day are sorted by name.
      into.order = -into.days;
    }
  }

  function readCompletion(record: RecordView, into: Contribution, done: number): void {
    const { sums } = into;
    sums[at.completed] = 1;
    if (!record.isMissing(index.manual_completed_by) || !record.isMissing(index.manual_completed_by_email))
      sums[at.byHand] = 1;
    if (Number.isNaN(done)) {
      sums[at.withoutDate] = 1;
      return;
    }
    if (isRecent?.(done)) sums[at.recent] = 1;
    const days = dates.daysBetween(missing.date(record, index.assigned_date), done);
    if (days < 0) sums[at.beforeAssigned] = 1;
    else into.medianValue = eventAfter(days);
  }

  function readOpen(record: RecordView, into: Contribution, due: number, isOverdue: boolean): void {
    const { sums } = into;
    // The lists of open rows have no such median.
    if (list === undefined) {
      const days = dates.daysSince(missing.date(record, index.assigned_date));
      if (days >= 0) into.medianValue = openAfter(days);
    }
    if (!isOverdue) {
      if (dates.isWithin(due, list === 'due' ? soonDays.due : soonDays.all)) sums[at.dueSoon] = 1;
      return;
    }
    const days = dates.daysSince(due);
    sums[at.overdue] = 1;
    if (days > longOverdueDays) sums[at.longOverdue] = 1;
    // Those overdue for longest come first.
    overduePeople?.add(record, dates.momentOf(due), days);
    if (list === 'overdue') into.medianValue = days;
  }

  return {
    parts: { missing, spread: statuses.spread, completedBy, overduePeople },
    read(record, into) {
      const { sums } = into;
      const due = missing.date(record, index.due_date);
      const done = missing.date(record, index.completed_date);
      const status = statuses.read(record);
      const meaning = status?.meaning;
      const isCompletedNow = !Number.isNaN(done) || meaning === 'completed' || meaning === 'passed';
      const isCompleted = isCompletedNow && (completedBy?.wasCompleted(done) ?? true);
      const isOverdue = !isCompleted && dates.isPast(due);
      const timing = isCompleted ? timingOf(done, due) : undefined;
      // Who completed in time is among the people of whom some were late, also where only the late are asked for.
      if (timing !== undefined) sums[timing] = 1;
      if (narrows && !isWanted({ meaning, isCompleted, timing, due, isOverdue })) return false;
      statuses.count(status, record);
      sums[at.all] = 1;
      if (meaning === 'not-started' && !isCompleted) sums[at.notStarted] = 1;
      if (isCompleted) readCompletion(record, into, done);
      // It is unknown whether a row that is completed now, without a date, was open then.
      else if (!isCompletedNow || !Number.isNaN(done)) readOpen(record, into, due, isOverdue);
      if (list) orderByDueDate(into, due, isOverdue);
      if (readPerson && !readPerson(record, into)) sums[at.withoutPerson] = 1;
      return true;
    },
    finish: (total) => ({
      people: overduePeople?.finish('most-overdue'),
      notes: [
        ...factIfAny('completed-without-date', total.sum(at.withoutDate)),
        ...factIfAny('completed-before-assigned', total.sum(at.beforeAssigned)),
        ...factIfAny('no-person-named', total.sum(at.withoutPerson)),
      ],
    }),
  };
}

/** The facts of a record that decide its states. */
interface AssignmentFacts {
  readonly meaning: StatusMeaning | undefined;
  readonly isCompleted: boolean;
  /** The sum that it adds to; absent where it is not completed, or a date is missing. */
  readonly timing: number | undefined;
  readonly due: number;
  readonly isOverdue: boolean;
}
