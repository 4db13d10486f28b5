import { memberOf, reportNamed } from '../catalogue/index.js';
import { memberName } from './option-names.js';
import { quoteEntry } from './quote-entry.js';
import { anyEntry } from './report-for.js';
import type { FilterChoice, ReportRequest } from './request.js';

/** The words after `/report` that ask for exactly this request; reading them gives it back. */
export function sayRequest(request: ReportRequest): string {
  const { range, columns, dateField, sort, by } = request;
  return [
    request.overdueOnly ? 'overdue' : request.report,
    ...(range === undefined ? [] : [request.overdueOnly && !dateField ? `assigned:${range}` : range]),
    ...request.filters.map((choice) => sayFilter(request, choice)),
    ...(columns ? [`fields:${columns.join(',')}`] : []),
    ...(dateField === undefined ? [] : [`on:${dateField}`]),
    ...(sort === undefined ? [] : [`sort:${sort}`]),
    ...(by === undefined ? [] : [`by:${by}`]),
    ...(request.csv ? ['csv'] : []),
    ...(request.toMe ? ['to:me'] : []),
  ].join(' ');
}

/** `departments:Sales,"Field Operations"` */
function sayFilter(request: ReportRequest, { object, member, entries }: FilterChoice): string {
  const report = reportNamed(request.report);
  const known = memberOf(report, object, member);
  const name = known ? memberName(report, known.object, known.member) : `${object}.${member}`;
  const said = known?.member.kind === 'yes-no' ? entries.map(sayYesOrNo) : entries.map(quoteEntry);
  return `${name}:${said.join(',')}`;
}

function sayYesOrNo(entry: string): string {
  if (entry === anyEntry) return entry;
  return entry === 'true' ? 'yes' : 'no';
}
