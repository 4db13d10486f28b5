import { assessments } from './assessments.js';
import { assignments } from './assignments.js';
import { completions } from './completions.js';
import { engagement } from './engagement.js';
import { userFilter } from './learner.js';
import type { Field, FilterMember, FilterObject, Report, ReportName } from './report.js';
import { tracks } from './tracks.js';
import { workshops } from './workshops.js';

/** Every report there is, in the order that help lists them. Its source is the service's own description. */
export const allReports: readonly Report[] = [
  assignments,
  tracks,
  completions,
  assessments,
  engagement,
  workshops,
];

export type {
  Field,
  FieldKind,
  FilterMember,
  FilterObject,
  NestedSubject,
  Report,
  ReportName,
  TitleFilter,
  TitleOption,
  ValueSource,
} from './report.js';
export { essentialsWithManager, managerFlag } from './report.js';

export function reportNamed(name: ReportName): Report {
  const found = allReports.find((report) => report.name === name);
  if (!found) throw new Error(`There is no report named ${name}`);
  return found;
}

/** True for reports whose records are about learners: all that take the filter on learners. */
export function hasLearners({ filters }: Report): boolean {
  return filters.includes(userFilter);
}

export function fieldOf(report: Report, flag: string): Field | undefined {
  return report.fields.find((field) => field.flag === flag);
}

export function memberOf(
  report: Report,
  objectName: string,
  memberName: string,
): { readonly object: FilterObject; readonly member: FilterMember } | undefined {
  const object = report.filters.find(({ name }) => name === objectName);
  const member = object?.members.find(({ name }) => name === memberName);
  return object && member ? { object, member } : undefined;
}
