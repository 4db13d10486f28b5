import type { Report } from '../catalogue/index.js';
import { effectiveFilters } from '../requests/report-for.js';
import type { ReportRequest, ResolvedRange } from '../requests/request.js';

/** One question to the Reporting Service: the path's parts and the body, ready for the wire. */
export interface Query {
  readonly operation: string;
  /** Epoch seconds, `[from, until)`; absent for the report that has no range. */
  readonly range?: { readonly from: number; readonly until: number };
  /** True when the range may be asked in adjacent windows and the answers joined. */
  readonly addsUp: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The question that a request becomes.
 *
 * @param fields every flag to ask for, each once
 * @param myEmail what `me` means in the asker's e-mail members; the caller has checked that it is known if needed
 */
export function queryFor(
  report: Report,
  request: ReportRequest,
  range: ResolvedRange | undefined,
  fields: readonly string[],
  myEmail: string | undefined,
): Query {
  const body: Record<string, unknown> = {};
  for (const flag of fields) body[flag] = true;
  const filters = effectiveFilters(request);
  for (const { name } of report.filters) {
    const chosen = filters.filter(({ object }) => object === name);
    if (chosen.length === 0) continue;
    body[name] = Object.fromEntries(
      chosen.map(({ member, entries }) => [
        member,
        entries.map((entry) => (entryMeansAsker(member, entry) ? (myEmail ?? entry) : entry)).join(','),
      ]),
    );
  }
  const dateField = request.dateField ?? report.dateField?.defaultFlag;
  if (dateField !== undefined && report.dateField) body.range_target = dateField;
  if (request.sort !== undefined) body.sort_by = request.sort;
  return {
    operation: report.operation,
    ...(range ? { range: { from: range.from, until: range.until } } : {}),
    addsUp: report.range?.isAdditive ?? false,
    body,
  };
}

/** True when the request means its asker somewhere, so that it cannot be run for somebody without an address. */
export function meansTheAsker(request: ReportRequest): boolean {
  return request.filters.some(({ member, entries }) =>
    entries.some((entry) => entryMeansAsker(member, entry)),
  );
}

/** True for the members that take `me`, who is the asker of each run. */
export function saysMe(member: string): boolean {
  return member === 'manager_email' || member === 'email';
}

/** `manager_email:me` and `email:me` mean the asker; other e-mail members take the word as it is. */
export function entryMeansAsker(member: string, entry: string): boolean {
  return saysMe(member) && entry.toLowerCase() === 'me';
}
