import type { Field } from './field.js';
import type { FilterMember, FilterObject } from './filter.js';
import type { Report, ReportName } from './report.js';
import { sixReports } from './six-reports.js';

export type { Field, FieldKind, NestedSubject } from './field.js';
export type { FilterMember, FilterObject, HeldBy, MemberKind } from './filter.js';
export type { DateChoice, Report, ReportDateField, ReportName, ReportRange } from './report.js';
export { sixReports } from './six-reports.js';

/** The report of that short name. */
export function reportNamed(name: ReportName): Report {
  const found = sixReports.find((report) => report.name === name);
  if (!found) throw new Error(`There is no report named ${name}`);
  return found;
}

/** The field of that flag, if the report has it. */
export function fieldOf(report: Report, flag: string): Field | undefined {
  return report.fields.find((field) => field.flag === flag);
}

/** The filter object and member of those names, if the report has them. */
export function memberOf(
  report: Report,
  objectName: string,
  memberName: string,
): { readonly object: FilterObject; readonly member: FilterMember } | undefined {
  const object = report.filters.find(({ name }) => name === objectName);
  const member = object?.members.find(({ name }) => name === memberName);
  return object && member ? { object, member } : undefined;
}
