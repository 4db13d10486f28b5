import type { CountedRow } from '../counting/counted-row.js';
import type { ReportFigures } from '../counting/report-figures.js';
import { count, median, rate } from '../counting/values.js';
import { AssignmentCounter, assignmentFields, assignmentSums as at } from './assignment-counter.js';

/** Every assignment: what is done, in time or late, and where it is stuck. */
export const assignments: ReportFigures = {
  sums: Object.keys(at).length,
  groupedBy: 'content_title',
  rules: () => [
    { id: 'assignments', label: 'Assignments', value: (row) => count(row.sum(at.all)) },
    { id: 'completed', label: 'Completed', value: (row) => count(row.sum(at.completed)) },
    {
      id: 'completion-rate',
      label: 'Completion rate',
      value: (row) => rate(row.sum(at.completed), row.sum(at.all)),
    },
    {
      id: 'on-time',
      label: 'Completed on time',
      heading: 'On time',
      value: (row) => rate(row.sum(at.onTime), row.sum(at.onTime) + row.sum(at.late)),
    },
    { id: 'late', label: 'Completed late', heading: 'Late', value: (row) => count(row.sum(at.late)) },
    {
      id: 'overdue',
      label: 'Overdue now',
      heading: 'Overdue',
      ofNow: true,
      value: (row) => count(row.sum(at.overdue)),
    },
    {
      id: 'due-soon',
      label: 'Due in the next seven days',
      heading: 'Due soon',
      ofNow: true,
      value: (row) => count(row.sum(at.dueSoon)),
    },
    { id: 'not-started', label: 'Not started', ofNow: true, value: (row) => count(row.sum(at.notStarted)) },
    {
      id: 'days-to-complete',
      label: 'Median days to complete',
      heading: 'Median days',
      inGroupsOnRequest: true,
      value: (row) => median(row, 'days'),
    },
    {
      id: 'by-hand',
      label: 'Completions entered by hand',
      heading: 'By hand',
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
