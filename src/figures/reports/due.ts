import { type CountedRow, count, distinctPeople, type ReportFigures } from '../counting/report-figures.js';
import { AssignmentCounter, assignmentFields, assignmentSums as at } from './assignments.js';

/** The assignments that are due in a range and not completed. All of it describes a state now. */
export const due: ReportFigures = {
  sums: Object.keys(at).length,
  people: { sum: at.people },
  groupedBy: 'content_title',
  rules: () => [
    {
      id: 'due',
      denominator: 'all-rows',
      label: 'Due',
      compared: 'last-run',
      value: (row) => count(row.sum(at.all)),
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
      id: 'due-in-a-day',
      denominator: 'all-rows',
      label: 'Due within 24 hours',
      heading: 'In 24 hours',
      compared: 'last-run',
      value: (row) => count(row.sum(at.dueSoon)),
    },
    {
      id: 'not-started',
      denominator: 'all-rows',
      label: 'Not started',
      compared: 'last-run',
      value: (row) => count(row.sum(at.notStarted)),
    },
    {
      id: 'overdue',
      denominator: 'all-rows',
      label: 'Already overdue',
      heading: 'Overdue',
      compared: 'last-run',
      value: (row) => count(row.sum(at.overdue)),
    },
  ],
  size: (row) => row.sum(at.all),
  order: moreDue,
  highlights: [
    {
      title: 'Most due',
      denominator: 'all-rows',
      order: moreDue,
      includes: (row) => row.sum(at.all) > 0,
      value: (row) => count(row.sum(at.all)),
    },
  ],
  bars: {
    title: 'Due',
    series: [{ name: 'Due', denominator: 'all-rows', value: (row) => row.sum(at.all) }],
  },
  fields: assignmentFields,
  counter: (plan, fields) => new AssignmentCounter(plan, fields),
};

function moreDue(a: CountedRow, b: CountedRow): number {
  return b.sum(at.all) - a.sum(at.all);
}
