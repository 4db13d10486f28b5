import type { CountedRow } from '../counting/counted-row.js';
import type { ReportFigures } from '../counting/report-figures.js';
import { count, median, rate } from '../counting/values.js';
import { AssignmentCounter, assignmentFields, assignmentSums as at } from './assignment-counter.js';

/** Every assignment: what is done, in time or late, and where it is stuck. */
export const assignments: ReportFigures = {
  sums: Object.keys(at).length,
  groupedBy: 'content_title',
  rules: () => [
    {
      id: 'assignments',
      label: 'Assignments',
      compared: 'period-before',
      value: (row) => count(row.sum(at.all)),
    },
    {
      id: 'completed',
      label: 'Completed',
      compared: 'equal-age',
      value: (row) => count(row.sum(at.completed)),
    },
    {
      id: 'completion-rate',
      label: 'Completion rate',
      compared: 'equal-age',
      value: (row) => rate(row.sum(at.completed), row.sum(at.all)),
    },
    {
      id: 'on-time',
      label: 'Completed on time',
      heading: 'On time',
      compared: 'equal-age',
      value: (row) => rate(row.sum(at.onTime), row.sum(at.onTime) + row.sum(at.late)),
    },
    {
      id: 'late',
      label: 'Completed late',
      heading: 'Late',
      compared: 'equal-age',
      value: (row) => count(row.sum(at.late)),
    },
    {
      id: 'overdue',
      label: 'Overdue now',
      heading: 'Overdue',
      compared: 'last-run',
      value: (row) => count(row.sum(at.overdue)),
    },
    {
      id: 'due-soon',
      label: 'Due in the next seven days',
      heading: 'Due soon',
      compared: 'last-run',
      value: (row) => count(row.sum(at.dueSoon)),
    },
    {
      id: 'not-started',
      label: 'Not started',
      compared: 'last-run',
      value: (row) => count(row.sum(at.notStarted)),
    },
    {
      id: 'days-to-complete',
      label: 'Median days to complete',
      heading: 'Median days',
      inGroupsOnRequest: true,
      compared: 'equal-age',
      value: (row) => median(row, 'days'),
    },
    {
      id: 'by-hand',
      label: 'Completions entered by hand',
      heading: 'By hand',
      compared: 'equal-age',
      value: (row) => count(row.sum(at.byHand)),
    },
  ],
  order: moreOverdue,
  highlights: [
    {
      title: 'Most overdue',
      order: moreOverdue,
      among: (row) => row.sum(at.overdue) > 0,
      value: (row) => count(row.sum(at.overdue)),
    },
  ],
  bars: { title: 'Overdue', series: [{ name: 'Overdue', value: (row) => row.sum(at.overdue) }] },
  fields: assignmentFields,
  counter: AssignmentCounter.start,
};

/** More overdue first; of equally many the one with more assignments. */
export function moreOverdue(a: CountedRow, b: CountedRow): number {
  return b.sum(at.overdue) - a.sum(at.overdue) || b.sum(at.all) - a.sum(at.all);
}
