import { reportNamed } from '../../catalogue/index.js';
import { CompletedBy, type DateValue, DueDates, dateValue } from '../counting/dates.js';
import { MissingValues } from '../counting/missing-values.js';
import { nameFields, PeopleList, personKeyFields, personKeyReader } from '../counting/person-fields.js';
import {
  type Contribution,
  type CountedRow,
  count,
  fieldIndexes,
  median,
  type RecordCounter,
  type ReportFigures,
  type ReportFindings,
  rate,
} from '../counting/report-figures.js';
import { StatusSpread } from '../counting/statuses.js';
import type { RecordView } from '../record-view.js';
import { type FiguresPlan, factIfAny } from '../result.js';

/** What is overdue for more days than this is counted apart. */
export const longOverdueDays = 30;

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

export function assignmentFields({ overdueOnly, people }: FiguresPlan): readonly string[] {
  return [
    ...flags,
    ...(overdueOnly ? personKeyFields : []),
    ...(people ? [...nameFields, 'content_title'] : []),
  ];
}

/** Reads assignments: all of them, or those that are overdue. */
export class AssignmentCounter implements RecordCounter {
  private readonly index: Readonly<Record<(typeof flags)[number], number>>;
  private readonly readPerson: ((record: RecordView, into: Contribution) => boolean) | undefined;

  private constructor(
    private readonly plan: FiguresPlan,
    private readonly fields: readonly string[],
    private readonly dates: DueDates,
    private readonly missing: MissingValues,
    private readonly statuses: StatusSpread,
    private readonly overduePeople: PeopleList | undefined,
    private readonly completedBy: CompletedBy | undefined,
  ) {
    this.index = fieldIndexes(fields, flags);
    this.readPerson = plan.overdueOnly ? personKeyReader(fields) : undefined;
  }

  static start(this: void, plan: FiguresPlan, fields: readonly string[]): AssignmentCounter {
    const dates = new DueDates(plan.now, plan.zone);
    const people = plan.people ? PeopleList.start(fields, 'content_title', 'days') : undefined;
    return new AssignmentCounter(
      plan,
      fields,
      dates,
      MissingValues.forFields(fields),
      StatusSpread.empty(),
      people,
      CompletedBy.start(plan),
    );
  }

  read(record: RecordView, into: Contribution): boolean {
    const { index, missing, plan, dates } = this;
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
    if (plan.overdueOnly && !isOverdue) return false;

    const { sums } = into;
    this.statuses.count(status, record, index.assignment_status, missing);
    sums[at.all] = 1;
    if (status?.meaning === 'not-started' && !isCompleted) sums[at.notStarted] = 1;
    if (isCompleted) this.readCompletion(record, into, done, dueDate);
    else if (dueDate && isOverdue) this.readOverdue(record, into, dueDate);
    else if (dueDate && dates.isSoon(dueDate)) sums[at.dueSoon] = 1;
    return true;
  }

  copy(): AssignmentCounter {
    const { plan, fields, dates, missing, statuses, overduePeople, completedBy } = this;
    return new AssignmentCounter(
      plan,
      fields,
      dates,
      missing.copy(),
      statuses.copy(),
      overduePeople?.copy(),
      completedBy?.copy(),
    );
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
    if (dueDate) sums[dates.isInTime(doneDate, dueDate) ? at.onTime : at.late] = 1;
    const assigned = missing.instant(record, index.assigned_date);
    if (Number.isNaN(assigned)) return;
    const days = dates.daysBetween(dateValue(record, index.assigned_date, assigned), doneDate);
    if (days < 0) sums[at.beforeAssigned] = 1;
    else into.medianValue = days;
  }

  private readOverdue(record: RecordView, into: Contribution, due: DateValue): void {
    const { sums } = into;
    const days = this.dates.daysSince(due);
    sums[at.overdue] = 1;
    if (days > longOverdueDays) sums[at.longOverdue] = 1;
    if (!this.overduePeople && !this.readPerson) return;
    const moment = this.dates.momentOf(due);
    // Those overdue for longest come first.
    this.overduePeople?.add(record, -moment, days);
    if (!this.readPerson) return;
    into.rank = moment;
    into.medianValue = days;
    if (!this.readPerson(record, into)) sums[at.withoutPerson] = 1;
  }
}

/** Every assignment: what is done, in time or late, and where it is stuck. */
export const assignments: ReportFigures = {
  sums: Object.keys(assignmentSums).length,
  groupedBy: 'content_title',
  rules: () => [
    {
      id: 'assignments',
      denominator: 'all-rows',
      label: 'Assignments',
      compared: 'period-before',
      value: (row) => count(row.sum(assignmentSums.all)),
    },
    {
      id: 'completed',
      denominator: 'all-rows',
      label: 'Completed',
      compared: 'equal-age',
      value: (row) => count(row.sum(assignmentSums.completed)),
    },
    {
      id: 'completion-rate',
      denominator: 'all-rows',
      label: 'Completion rate',
      compared: 'equal-age',
      value: (row) => rate(row.sum(assignmentSums.completed), row.sum(assignmentSums.all)),
    },
    {
      id: 'on-time',
      denominator: { rowsOfSums: [assignmentSums.onTime, assignmentSums.late] },
      label: 'Completed on time',
      heading: 'On time',
      compared: 'equal-age',
      value: (row) =>
        rate(row.sum(assignmentSums.onTime), row.sum(assignmentSums.onTime) + row.sum(assignmentSums.late)),
    },
    {
      id: 'late',
      denominator: 'all-rows',
      label: 'Completed late',
      heading: 'Late',
      compared: 'equal-age',
      value: (row) => count(row.sum(assignmentSums.late)),
    },
    {
      id: 'overdue',
      denominator: 'all-rows',
      label: 'Overdue now',
      heading: 'Overdue',
      compared: 'last-run',
      value: (row) => count(row.sum(assignmentSums.overdue)),
    },
    {
      id: 'due-soon',
      denominator: 'all-rows',
      label: 'Due in the next seven days',
      heading: 'Due soon',
      compared: 'last-run',
      value: (row) => count(row.sum(assignmentSums.dueSoon)),
    },
    {
      id: 'not-started',
      denominator: 'all-rows',
      label: 'Not started',
      compared: 'last-run',
      value: (row) => count(row.sum(assignmentSums.notStarted)),
    },
    {
      id: 'days-to-complete',
      denominator: 'rows-with-median-value',
      label: 'Median days to complete',
      heading: 'Median days',
      inGroupsOnRequest: true,
      compared: 'equal-age',
      value: (row) => median(row, 'days'),
    },
    {
      id: 'by-hand',
      denominator: 'all-rows',
      label: 'Completions entered by hand',
      heading: 'By hand',
      compared: 'equal-age',
      value: (row) => count(row.sum(assignmentSums.byHand)),
    },
  ],
  order: moreOverdue,
  highlights: [
    {
      title: 'Most overdue',
      denominator: 'all-rows',
      order: moreOverdue,
      includes: (row) => row.sum(assignmentSums.overdue) > 0,
      value: (row) => count(row.sum(assignmentSums.overdue)),
    },
  ],
  bars: {
    title: 'Overdue',
    series: [{ name: 'Overdue', denominator: 'all-rows', value: (row) => row.sum(assignmentSums.overdue) }],
  },
  fields: assignmentFields,
  counter: AssignmentCounter.start,
};

/** More overdue first; of equally many the one with more assignments. */
export function moreOverdue(a: CountedRow, b: CountedRow): number {
  return (
    b.sum(assignmentSums.overdue) - a.sum(assignmentSums.overdue) ||
    b.sum(assignmentSums.all) - a.sum(assignmentSums.all)
  );
}
