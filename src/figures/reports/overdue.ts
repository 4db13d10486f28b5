import { count, distinctPeople, median, type ReportFigures } from '../counting/report-figures.js';
import {
  AssignmentCounter,
  assignmentFields,
  assignmentSums as at,
  longOverdueDays,
  moreOverdue,
} from './assignments.js';

/** The assignments cut to what is past due and not completed. All of it describes a state now. */
export const overdue: ReportFigures = {
  sums: Object.keys(at).length,
  people: { sum: at.people },
  groupedBy: 'content_title',
  rules: () => [
    {
      id: 'overdue',
      denominator: 'all-rows',
      label: 'Overdue now',
      heading: 'Overdue',
      compared: 'last-run',
      value: (row) => count(row.sum(at.overdue)),
    },
    {
      id: 'people',
      denominator: 'all-rows',
      countsPeople: true,
      label: 'People',
      compared: 'last-run',
      inGroupsOnRequest: true,
      value: (row) => distinctPeople(row, at.people),
    },
    {
      id: 'days-overdue',
      denominator: 'rows-with-median-value',
      label: 'Median days overdue',
      compared: 'last-run',
      inGroupsOnRequest: true,
      value: (row) => median(row, 'days'),
    },
    {
      id: 'long-overdue',
      denominator: 'all-rows',
      label: `Overdue for more than ${longOverdueDays} days`,
      heading: `Over ${longOverdueDays} days`,
      compared: 'last-run',
      value: (row) => count(row.sum(at.longOverdue)),
    },
    {
      id: 'not-started',
      denominator: 'all-rows',
      label: 'Not started',
      compared: 'last-run',
      value: (row) => count(row.sum(at.notStarted)),
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
