import { memberOf } from '../reports/catalogue/index.js';
import { sayRange } from '../reports/date-range-text.js';
import { showable } from './showable.js';
import type { SummaryFacts } from './summary-facts.js';

/** So much of one filter is said. */
const longestFilter = 300;

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

/** `Departments: Sales, Field Operations`, one for each member. */
export function sayFilters({ report, request }: Pick<SummaryFacts, 'report' | 'request'>): readonly string[] {
  return request.filters.map(({ object, member, entries }) => {
    const label = memberOf(report, object, member)?.member.label ?? member;
    return showable(
      `${label}: ${entries.map((entry) => showable(entry, longestFilter)).join(', ')}`,
      longestFilter,
    );
  });
}

/** `Fri 20 Nov 2026` in the zone. */
export function sayDay(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: zone,
  }).formatToParts(instant);
  return sayParts(parts, ['weekday', 'day', 'month', 'year']);
}

/** `Fri 20 Nov, 14:00` in the zone. */
export function sayMoment(instant: number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zone,
  }).formatToParts(instant);
  return `${sayParts(parts, ['weekday', 'day', 'month'])}, ${sayParts(parts, ['hour', 'minute'], ':')}`;
}

function sayParts(
  parts: readonly Intl.DateTimeFormatPart[],
  wanted: readonly string[],
  between = ' ',
): string {
  return wanted.map((type) => parts.find((part) => part.type === type)?.value ?? '').join(between);
}
