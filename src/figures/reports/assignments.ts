import { reportNamed } from '../../catalogue/index.js';
import { eventAfter, openAfter } from '../counting/counted-values.js';
import { CompletedBy, type DateValue, DueDates, DueRange, dateValue } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import {
  inAnyState,
  inSeveralWith,
  inStates,
  isNarrowed,
  narrowedFigures,
  stateBits,
  wantedStates,
} from '../counting/narrowing.js';
import { nameFields, PeopleList, personKeyFields, personKeyReader } from '../counting/person-fields.js';
import {
  type Contribution,
  type CountedRow,
  count,
  distinctPeople,
  type FigureRule,
  fieldIndexes,
  median,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { type StatusMeaning, StatusSpread } from '../counting/statuses.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, factIfAny } from '../result.js';

/** Assignments that are overdue for more days than this have a figure of their own. */
export const longOverdueDays = 30;

/** Assignments due within this many days count as due soon. `due` has a shorter limit. */
const soonDays = { all: 7, due: 1 } as const;

export const assignmentSums = {
  all: 0,
  completed: 1,
  onTime: 2,
  late: 3,
  overdue: 4,
  longOverdue: 5,
  dueSoon: 6,
  notStarted: 7,
  byHand: 8,
  withoutDate: 9,
  beforeAssigned: 10,
  people: 11,
  withoutPerson: 12,
} as const;
const at = assignmentSums;

const flags = [
  'assignment_status',
  'assigned_date',
  'due_date',
  'completed_date',
  'manual_completed_by',
  'manual_completed_by_email',
] as const;

const assignmentStates = reportNamed('assignments').states;

const bits = stateBits(
  'overdue',
  'due-soon',
  'not-started',
  'in-progress',
  'not-completed',
  'completed',
  'late',
);

/**
 * The order of rows by due date: `overdue` and `due` as the views, `open` for open rows with overdue ones first. Undefined:
 * the order of the answer.
 */
export function dueListOf({
  report,
  view,
  states = [],
}: FiguresPlan): 'overdue' | 'due' | 'open' | undefined {
  if (view) return view;
  if (report !== 'assignments' || states.length === 0) return undefined;
  const isOpen = (name: string) => assignmentStates.some((state) => state.name === name && state.isOpen);
  if (states.some((state) => state !== 'overdue' && state !== 'due-soon'))
    return states.every(isOpen) ? 'open' : undefined;
  return states.includes('due-soon') ? 'due' : 'overdue';
}

function assignmentFields(plan: FiguresPlan): readonly string[] {
  return [
    ...flags,
    ...(isNarrowed(plan) ? personKeyFields : []),
    ...(plan.people ? [...nameFields, 'content_title'] : []),
  ];
}

/** Reads assignments: all of them, or those of a view or in some states. */
class AssignmentCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof flags)[number], number>>;
  private readonly readPerson: ((record: RecordView, into: Contribution) => boolean) | undefined;
  private readonly isNarrowed: boolean;
  private readonly wanted: number;
  private readonly list: ReturnType<typeof dueListOf>;
  private readonly soonDays: number;
  private readonly dueRange: DueRange | undefined;
  private readonly dates: DueDates;
  private readonly missing: MissingValues;
  private readonly statuses = new StatusSpread();
  private readonly overduePeople: PeopleList | undefined;
  private readonly completedBy: CompletedBy | undefined;

  constructor(
    private readonly plan: FiguresPlan,
    fields: readonly string[],
  ) {
    this.index = fieldIndexes(fields, flags);
    this.isNarrowed = isNarrowed(plan);
    this.wanted = wantedStates(plan, bits);
    this.list = dueListOf(plan);
    this.soonDays = this.list === 'due' ? soonDays.due : soonDays.all;
    this.dueRange = plan.dueRange && new DueRange(plan.dueRange);
    this.readPerson = this.isNarrowed ? personKeyReader(fields) : undefined;
    // The earlier period is counted as it stood at its instant, overdue rows among it.
    this.dates = new DueDates(plan.asOf ?? plan.now, plan.zone);
    this.missing = new MissingValues(fields);
    this.overduePeople = plan.people ? new PeopleList(fields, 'content_title', 'days') : undefined;
    this.completedBy = CompletedBy.start(plan);
  }

  read(record: RecordView, into: Contribution): boolean {
    const { index, missing, dates } = this;
    const due = missing.instant(record, index.due_date);
    const dueDate = Number.isNaN(due) ? undefined : dateValue(record, index.due_date, due);
    const done = missing.optionalInstant(record, index.completed_date);
    const status = this.statuses.read(record, index.assignment_status);
    const isCompletedNow =
      !Number.isNaN(done) || status?.meaning === 'completed' || status?.meaning === 'passed';
    const isCompleted =
      isCompletedNow &&
      (this.completedBy?.wasCompleted(dateValue(record, index.completed_date, done)) ?? true);
    const isOverdue = !isCompleted && dueDate !== undefined && dates.isPast(dueDate);
    const meaning = status?.meaning;
    const { sums } = into;
    if (this.isNarrowed && !this.isWanted(record, { meaning, isCompleted, done, dueDate, isOverdue })) {
      // Who completed in time is among the people of whom some were late, also where only the late are asked for.
      if (isCompleted && dueDate && !Number.isNaN(done))
        sums[this.isInTime(record, done, dueDate) ? at.onTime : at.late] = 1;
      return false;
    }
    this.statuses.count(status, record, index.assignment_status, missing);
    sums[at.all] = 1;
    if (meaning === 'not-started' && !isCompleted) sums[at.notStarted] = 1;
    if (isCompleted) this.readCompletion(record, into, done, dueDate);
    // Of a row that is completed now, without a date, nobody knows whether it was open then.
    else if (!isCompletedNow || !Number.isNaN(done)) this.readOpen(record, into, dueDate);
    if (!this.isNarrowed) return true;
    if (this.list) this.orderByDueDate(into, dueDate, isOverdue);
    if (this.readPerson && !this.readPerson(record, into)) sums[at.withoutPerson] = 1;
    return true;
  }

  finish(total: CountedRow): ReportFindings {
    return {
      spreads: this.statuses.finish(),
      recounted: this.completedBy?.finish(),
      notes: [
        ...this.missing.notes(reportNamed('assignments')),
        ...factIfAny('completed-without-date', total.sum(at.withoutDate)),
        ...factIfAny('completed-before-assigned', total.sum(at.beforeAssigned)),
        ...factIfAny('nobody-named', total.sum(at.withoutPerson)),
      ],
      people: this.overduePeople?.finish('most-overdue'),
    };
  }

  /** True for a record that the view shows and that is in one of the wanted states. */
  private isWanted(record: RecordView, facts: AssignmentFacts): boolean {
    const { plan, wanted, dueRange } = this;
    const { isCompleted, isOverdue, dueDate } = facts;
    if (plan.view === 'overdue' && !isOverdue) return false;
    if (plan.view === 'due' && isCompleted) return false;
    if (dueRange && !(dueDate && dueRange.holds(dueDate))) return false;
    return wanted === 0 || (wanted & this.statesOf(record, facts)) !== 0;
  }

  private isInTime(record: RecordView, done: number, dueDate: DateValue): boolean {
    return this.dates.isInTime(dateValue(record, this.index.completed_date, done), dueDate);
  }

  /** Every state that a record is in. */
  private statesOf(
    record: RecordView,
    { meaning, isCompleted, done, dueDate, isOverdue }: AssignmentFacts,
  ): number {
    const { dates } = this;
    if (isCompleted) {
      const isLate = dueDate !== undefined && !Number.isNaN(done) && !this.isInTime(record, done, dueDate);
      return bits.completed | (isLate ? bits.late : 0);
    }
    const isSoon = dueDate !== undefined && dates.isWithin(dueDate, soonDays.all);
    return (
      bits['not-completed'] |
      (isOverdue ? bits.overdue : 0) |
      (isSoon ? bits['due-soon'] : 0) |
      (meaning === 'not-started' ? bits['not-started'] : 0) |
      (meaning === 'in-progress' ? bits['in-progress'] : 0)
    );
  }

  private orderByDueDate(into: Contribution, due: DateValue | undefined, isOverdue: boolean): void {
    const { dates, list } = this;
    const moment = due ? dates.momentOf(due) : Number.MAX_SAFE_INTEGER;
    into.rank = moment;
    into.order = moment;
    if (!due) return;
    if (list === 'due') into.days = isOverdue ? -dates.daysSince(due) : dates.daysUntil(due);
    else if (isOverdue) {
      into.days = dates.daysSince(due);
      // By whole days, because people see those. The rows of one day are sorted by name.
      into.order = -into.days;
    }
  }

  private readCompletion(
    record: RecordView,
    into: Contribution,
    done: number,
    dueDate: DateValue | undefined,
  ): void {
    const { index, missing, dates } = this;
    const { sums } = into;
    sums[at.completed] = 1;
    if (!record.isMissing(index.manual_completed_by) || !record.isMissing(index.manual_completed_by_email))
      sums[at.byHand] = 1;
    if (Number.isNaN(done)) {
      sums[at.withoutDate] = 1;
      return;
    }
    const doneDate = dateValue(record, index.completed_date, done);
    if (dueDate) sums[this.isInTime(record, done, dueDate) ? at.onTime : at.late] = 1;
    const assigned = missing.instant(record, index.assigned_date);
    if (Number.isNaN(assigned)) return;
    const days = dates.daysBetween(dateValue(record, index.assigned_date, assigned), doneDate);
    if (days < 0) sums[at.beforeAssigned] = 1;
    else into.medianValue = eventAfter(days);
  }

  private readOpen(record: RecordView, into: Contribution, due: DateValue | undefined): void {
    const { index, missing, dates, list } = this;
    // The lists of open rows have no such median.
    if (list === undefined) {
      const assigned = missing.instant(record, index.assigned_date);
      const date = dateValue(record, index.assigned_date, assigned);
      const days = Number.isNaN(assigned) ? -1 : dates.daysBetween(date, dates.moment);
      if (days >= 0) into.medianValue = openAfter(days);
    }
    if (!due) return;
    if (dates.isPast(due)) this.readOverdue(record, into, due);
    else if (dates.isWithin(due, this.soonDays)) into.sums[at.dueSoon] = 1;
  }

  private readOverdue(record: RecordView, into: Contribution, due: DateValue): void {
    const { sums } = into;
    const days = this.dates.daysSince(due);
    sums[at.overdue] = 1;
    if (days > longOverdueDays) sums[at.longOverdue] = 1;
    // Those overdue for longest come first.
    this.overduePeople?.add(record, -this.dates.momentOf(due), days);
    if (this.list === 'overdue') into.medianValue = days;
  }
}

/** The facts of a record that decide its states. */
interface AssignmentFacts {
  readonly meaning: StatusMeaning | undefined;
  readonly isCompleted: boolean;
  /** NaN where no date can be read. */
  readonly done: number;
  readonly dueDate: DateValue | undefined;
  readonly isOverdue: boolean;
}

/** Every assignment: what is done, in time or late, and where it is stuck. */
export const assignments: ReportFigures = {
  sums: Object.keys(assignmentSums).length,
  medianOf: 'times',
  groupedBy: 'content_title',
  rules: () => [
    {
      id: 'assignments',
      denominator: 'all-rows',
      label: 'Assignments',
      compared: 'period-before',
      appliesTo: inAnyState,
      value: (row) => count(row.sum(at.all)),
    },
    {
      id: 'completed',
      denominator: 'all-rows',
      label: 'Completed',
      compared: 'equal-age',
      appliesTo: inSeveralWith('completed'),
      value: (row) => count(row.sum(at.completed)),
    },
    {
      id: 'completion-rate',
      denominator: 'all-rows',
      label: 'Completion rate',
      compared: 'equal-age',
      value: (row) => rate(row.sum(at.completed), row.sum(at.all)),
    },
    {
      id: 'on-time',
      denominator: { rowsOfSums: [at.onTime, at.late, at.overdue] },
      // Without what is overdue, it would tell how many of few were on time.
      alsoAbout: { rowsOfSums: [at.onTime, at.late] },
      label: 'Completed on time',
      heading: 'On time',
      compared: 'equal-age',
      appliesTo: inStates('completed'),
      value: (row) => rate(row.sum(at.onTime), row.sum(at.onTime) + row.sum(at.late) + row.sum(at.overdue)),
    },
    {
      id: 'late',
      // Of all rows, it would tell how many of few were on time.
      denominator: { rowsOfSums: [at.onTime, at.late] },
      label: 'Completed late',
      heading: 'Late',
      compared: 'equal-age',
      appliesTo: (states) => states.has('completed') || inSeveralWith('late')(states),
      value: (row) => count(row.sum(at.late)),
    },
    {
      id: 'overdue',
      denominator: 'all-rows',
      label: 'Overdue now',
      heading: 'Overdue',
      compared: 'last-run',
      appliesTo: (states) => inOpenStates(states) || inSeveralWith('overdue')(states),
      value: (row) => count(row.sum(at.overdue)),
    },
    {
      id: 'due-soon',
      denominator: 'all-rows',
      label: 'Due in the next seven days',
      heading: 'Due soon',
      compared: 'last-run',
      appliesTo: (states) => inOpenStates(states) || inSeveralWith('due-soon')(states),
      value: (row) => count(row.sum(at.dueSoon)),
    },
    {
      id: 'not-started',
      denominator: 'all-rows',
      label: 'Not started',
      compared: 'last-run',
      appliesTo: inStates('overdue', 'due-soon', 'not-completed'),
      value: (row) => count(row.sum(at.notStarted)),
    },
    {
      id: 'days-to-complete',
      denominator: 'rows-with-median-value',
      label: 'Median days to complete',
      heading: 'Median days',
      inGroupsOnRequest: true,
      compared: 'equal-age',
      appliesTo: inStates('completed', 'late'),
      value: (row) => median(row, 'days'),
    },
    {
      id: 'by-hand',
      denominator: 'all-rows',
      label: 'Completions entered by hand',
      heading: 'By hand',
      compared: 'equal-age',
      appliesTo: inStates('completed', 'late'),
      value: (row) => count(row.sum(at.byHand)),
    },
  ],
  size: (row) => row.sum(at.all),
  order: moreOverdue,
  highlights: [
    {
      title: 'Most overdue',
      denominator: 'all-rows',
      order: moreOverdue,
      includes: (row) => row.sum(at.overdue) > 0,
      value: (row) => count(row.sum(at.overdue)),
    },
  ],
  bars: {
    title: 'Overdue',
    series: [{ name: 'Overdue', denominator: 'all-rows', value: (row) => row.sum(at.overdue) }],
  },
  fields: assignmentFields,
  counter: (plan, fields) => new AssignmentCounter(plan, fields),
};

/** Rows in these states may be overdue, due soon, or neither. */
const inOpenStates = inStates('not-started', 'in-progress', 'not-completed');

/** The assignments that are in some states. */
export function assignmentsIn(plan: FiguresPlan): ReportFigures {
  const people: FigureRule = {
    id: 'people',
    denominator: 'all-rows',
    countsPeople: true,
    label: 'People',
    compared: 'equal-age',
    inGroupsOnRequest: true,
    appliesTo: inAnyState,
    value: (row) => distinctPeople(row, at.people),
  };
  return narrowedFigures(assignments, plan, {
    count: (row) => row.sum(at.all),
    people: { sum: at.people },
    rules: (whole) => {
      const [all, ...others] = assignments.rules(whole);
      return [...(all ? [all] : []), people, ...others];
    },
  });
}

/** More overdue first; of equally many the one with more assignments. */
function moreOverdue(a: CountedRow, b: CountedRow): number {
  return b.sum(at.overdue) - a.sum(at.overdue) || b.sum(at.all) - a.sum(at.all);
}
