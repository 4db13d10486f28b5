import { reportNamed } from '../../catalogue/index.js';
import { CompletedBy } from '../counting/completed-by.js';
import type { Contribution } from '../counting/contribution.js';
import type { CountedRow } from '../counting/counted-row.js';
import { DueDates, type GivenDate, givenDate } from '../counting/due-dates.js';
import { Gaps } from '../counting/missing-values.js';
import { personKeyFields, personKeyReader } from '../counting/person-key.js';
import { nameFields } from '../counting/person-name.js';
import { type OwnFindings, placesOf, type RecordCounter } from '../counting/report-figures.js';
import { StatusSpread } from '../counting/status-spread.js';
import { factIfAny } from '../note.js';
import type { FiguresPlan } from '../plan.js';
import type { RecordView } from '../record-view.js';
import { OverduePeople } from './overdue-people.js';

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
  private readonly place: Readonly<Record<(typeof flags)[number], number>>;
  private readonly readPerson: ((record: RecordView, into: Contribution) => boolean) | undefined;

  private constructor(
    private readonly plan: FiguresPlan,
    private readonly fields: readonly string[],
    private readonly dates: DueDates,
    private readonly gaps: Gaps,
    private readonly statuses: StatusSpread,
    private readonly overduePeople: OverduePeople | undefined,
    private readonly completedBy: CompletedBy | undefined,
  ) {
    this.place = placesOf(fields, flags);
    this.readPerson = plan.overdueOnly ? personKeyReader(fields) : undefined;
  }

  static start(this: void, plan: FiguresPlan, fields: readonly string[]): AssignmentCounter {
    const dates = new DueDates(plan.now, plan.zone);
    const people = plan.people ? OverduePeople.start(fields) : undefined;
    return new AssignmentCounter(
      plan,
      fields,
      dates,
      Gaps.over(fields),
      StatusSpread.empty(),
      people,
      CompletedBy.start(plan),
    );
  }

  read(record: RecordView, into: Contribution): boolean {
    const { place, gaps, plan, dates } = this;
    const due = gaps.instant(record, place.due_date);
    const dueDate = Number.isNaN(due) ? undefined : givenDate(record, place.due_date, due);
    const done = gaps.instantIfGiven(record, place.completed_date);
    const status = this.statuses.look(record, place.assignment_status);
    const isCompletedNow =
      !Number.isNaN(done) || status?.meaning === 'completed' || status?.meaning === 'passed';
    const isCompleted =
      isCompletedNow && (this.completedBy?.had(givenDate(record, place.completed_date, done)) ?? true);
    const isOverdue = !isCompleted && dueDate !== undefined && dates.isPast(dueDate);
    if (plan.overdueOnly && !isOverdue) return false;

    const { sums } = into;
    this.statuses.count(status, record, place.assignment_status, gaps);
    sums[at.all] = 1;
    if (status?.meaning === 'not-started' && !isCompleted) sums[at.notStarted] = 1;
    if (isCompleted) this.readCompletion(record, into, done, dueDate);
    else if (dueDate && isOverdue) this.readOverdue(record, into, dueDate);
    else if (dueDate && dates.isSoon(dueDate)) sums[at.dueSoon] = 1;
    return true;
  }

  copy(): AssignmentCounter {
    const { plan, fields, dates, gaps, statuses, overduePeople, completedBy } = this;
    return new AssignmentCounter(
      plan,
      fields,
      dates,
      gaps.copy(),
      statuses.copy(),
      overduePeople?.copy(),
      completedBy?.copy(),
    );
  }

  finish(total: CountedRow): OwnFindings {
    return {
      spreads: this.statuses.finish(),
      ...(this.completedBy ? { recounted: this.completedBy.finish() } : {}),
      notes: [
        ...this.gaps.notes(reportNamed('assignments')),
        ...factIfAny('completed-without-date', total.sum(at.withoutDate)),
        ...factIfAny('completed-before-assigned', total.sum(at.beforeAssigned)),
        ...factIfAny('nobody-named', total.sum(at.withoutPerson)),
      ],
      ...(this.overduePeople ? { people: this.overduePeople.list.finish('most-overdue') } : {}),
    };
  }

  private readCompletion(
    record: RecordView,
    into: Contribution,
    done: number,
    dueDate: GivenDate | undefined,
  ): void {
    const { place, gaps, dates } = this;
    const { sums } = into;
    sums[at.completed] = 1;
    if (!record.isMissing(place.manual_completed_by) || !record.isMissing(place.manual_completed_by_email))
      sums[at.byHand] = 1;
    if (Number.isNaN(done)) {
      sums[at.withoutDate] = 1;
      return;
    }
    const doneDate = givenDate(record, place.completed_date, done);
    if (dueDate) sums[dates.isInTime(doneDate, dueDate) ? at.onTime : at.late] = 1;
    const assigned = gaps.instant(record, place.assigned_date);
    if (Number.isNaN(assigned)) return;
    const days = dates.daysBetween(givenDate(record, place.assigned_date, assigned), doneDate);
    if (days < 0) sums[at.beforeAssigned] = 1;
    else into.measured = days;
  }

  private readOverdue(record: RecordView, into: Contribution, due: GivenDate): void {
    const { sums } = into;
    const days = this.dates.daysSince(due);
    sums[at.overdue] = 1;
    if (days > longOverdueDays) sums[at.longOverdue] = 1;
    if (!this.overduePeople && !this.readPerson) return;
    const moment = this.dates.momentOf(due);
    this.overduePeople?.note(record, moment, days);
    if (!this.readPerson) return;
    into.rank = moment;
    into.measured = days;
    if (!this.readPerson(record, into)) sums[at.withoutPerson] = 1;
  }
}
