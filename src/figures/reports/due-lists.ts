import {
  type CountedRow,
  count,
  distinctPeople,
  type FigureRule,
  median,
  type ReportFigures,
} from '../counting/report-figures.js';
import { assignments, assignmentSums as at, longOverdueDays } from './assignments.js';

/** A figure of all rows, as they are now. */
function rule(
  id: string,
  label: string,
  value: FigureRule['value'],
  more: Partial<FigureRule> = {},
): FigureRule {
  return { id, denominator: 'all-rows', label, compared: 'last-run', value, ...more };
}

const sumOf = (sum: number) => (row: CountedRow) => count(row.sum(sum));

const people = rule('people', 'People', (row) => distinctPeople(row, at.people), {
  countsPeople: true,
  inGroupsOnRequest: true,
});
const notStarted = rule('not-started', 'Not started', sumOf(at.notStarted));

const dueList: ReportFigures = { ...assignments, medianOf: 'values', people: { sum: at.people } };

/** The assignments that are past due and not completed. */
export const overdue: ReportFigures = {
  ...dueList,
  rules: () => [
    rule('overdue', 'Overdue now', sumOf(at.overdue), { heading: 'Overdue' }),
    people,
    rule('days-overdue', 'Median days overdue', (row) => median(row, 'days'), {
      denominator: 'rows-with-median-value',
      inGroupsOnRequest: true,
    }),
    rule('long-overdue', `Overdue for more than ${longOverdueDays} days`, sumOf(at.longOverdue), {
      heading: `Over ${longOverdueDays} days`,
    }),
    notStarted,
  ],
};

const moreDue = (a: CountedRow, b: CountedRow) => b.sum(at.all) - a.sum(at.all);

/** The assignments that are due in a range and not completed. */
export const due: ReportFigures = {
  ...dueList,
  rules: () => [
    rule('due', 'Due', sumOf(at.all)),
    people,
    rule('due-in-a-day', 'Due within 24 hours', sumOf(at.dueSoon), { heading: 'In 24 hours' }),
    notStarted,
    rule('overdue', 'Already overdue', sumOf(at.overdue), { heading: 'Overdue' }),
  ],
  order: moreDue,
  highlights: [
    {
      title: 'Most due',
      denominator: 'all-rows',
      order: moreDue,
      includes: (row) => row.sum(at.all) > 0,
      value: sumOf(at.all),
    },
  ],
  bars: {
    title: 'Due',
    series: [{ name: 'Due', denominator: 'all-rows', value: (row) => row.sum(at.all) }],
  },
};
