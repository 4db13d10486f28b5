import { assessments } from './assessments.js';
import { assignments } from './assignments.js';
import { completions } from './completions.js';
import { engagement } from './engagement.js';
import { allLearnerFields, userFilter } from './learner.js';
import type { Field, FilterMember, Report, ReportName, ValueSource } from './report.js';
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
  RowIdentity,
  TitleFilter,
  TitleOption,
  ValueSource,
} from './report.js';
export { essentialsWithManager, managerFlag } from './report.js';

const reportsByName = new Map(allReports.map((report) => [report.name, report]));

export function reportNamed(name: ReportName): Report {
  const found = reportsByName.get(name);
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

/** @throws Error if the report has no such field */
export function fieldNamed(report: Report, flag: string): Field {
  const field = fieldOf(report, flag);
  if (!field) throw new Error(`The report ${report.name} has no field ${flag}`);
  return field;
}

/** The names of a filter object and of one of its members. */
interface FilterNames {
  readonly object: string;
  readonly member: string;
}

export function memberOf(report: Report, names: FilterNames) {
  const object = report.filters.find(({ name }) => name === names.object);
  const member = object?.members.find(({ name }) => name === names.member);
  return object && member ? { object, member } : undefined;
}

const learnerFlags: ReadonlySet<string> = new Set(allLearnerFields.map(({ flag }) => flag));

/** Where the records of a report hold the values of a filter member; empty: nowhere. */
export function sourcesOf(
  report: Report,
  object: string,
  { name, valueSources }: FilterMember,
): readonly ValueSource[] {
  const isOfLearner = object === userFilter.name;
  const all = valueSources ?? [{ field: name }];
  // The departments of a track are not those of the learner, whose field has the same name.
  return all.filter(
    ({ field }) => fieldOf(report, field) !== undefined && learnerFlags.has(field) === isOfLearner,
  );
}

/** True if the entries of a filter name or reach people. One that the report does not have may. */
export function isPersonLevelFilter(report: Report, names: FilterNames): boolean {
  return memberOf(report, names)?.member.personLevel ?? true;
}
