import { memberOf } from '../../catalogue/index.js';
import { filtersInForce } from '../../requests/report-for.js';
import { sayDay, sayRange } from './dates.js';
import type { SummaryFacts } from './summary.js';
import { showable } from './text.js';

/** So much of one filter is said. */
const longestFilter = 300;

const yesOrNo: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

/** What the answer is called. */
export function sayTitle({ report, request }: Pick<SummaryFacts, 'report' | 'request'>): string {
  return request.overdueOnly ? 'Overdue assignments' : report.title;
}

/** `last week (Mon 9 Nov – Sun 15 Nov 2026, Europe/Berlin), by assigned date`; the day asked where there is no range. */
export function sayWhen({ report, request, range, askedAt, asker }: SummaryFacts): string {
  if (!range) return `as of ${sayDay(askedAt, asker.zone)}, ${asker.zone}`;
  if (!report.dateField) return sayRange(range);
  const flag = request.dateField ?? report.dateField.byDefault;
  const date = report.dateField.choices.find((choice) => choice.flag === flag);
  return `${sayRange(range)}, by ${date ? date.words : "the service's own date"}`;
}

/** `Departments: Sales, Field Operations`, one for each member; what the report leaves out by itself too. */
export function sayFilters({ report, request }: Pick<SummaryFacts, 'report' | 'request'>): readonly string[] {
  const byItself = filtersInForce(request).filter((filter) => !request.filters.includes(filter));
  return [...request.filters, ...byItself].map(({ object, member, entries }) => {
    const known = memberOf(report, object, member)?.member;
    const said = known?.kind === 'yes-no' ? entries.map((entry) => yesOrNo[entry] ?? entry) : entries;
    const words = said.map((entry) => showable(entry, longestFilter)).join(', ');
    return showable(`${known?.label ?? member}: ${words}`, longestFilter);
  });
}
