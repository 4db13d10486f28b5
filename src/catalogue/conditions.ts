import { allReports, fieldOf, memberOf, reportNamed, sourcesOf } from './index.js';
import type {
  Field,
  FilterMember,
  FilterObject,
  Report,
  ReportName,
  TitleOption,
  ValueSource,
} from './report.js';

/** A filter member with its object. */
interface ObjectMember {
  readonly object: FilterObject;
  readonly member: FilterMember;
}

/** What values are compared as. `any`: a member that an admin released, which may hold numbers or texts. */
export type ConditionKind = 'text' | 'list' | 'yes-no' | 'number' | 'date' | 'any';

/** A field that conditions can be about. */
export interface ConditionField {
  /** A flag, `days_overdue`, the name of a filter member without a flag, or `content_metadata.cost_center`. */
  readonly id: string;
  /** As it is typed before the colon. */
  readonly name: string;
  readonly label: string;
  readonly kind: ConditionKind;
  readonly personLevel: boolean;
  /** True for what changes while time passes. */
  readonly ofNow: boolean;
  /** Where records hold the value; of `days_overdue`, the due date. */
  readonly sources: readonly ValueSource[];
  /** The filter members that this replaces, and that replace this, on top of a saved report. */
  readonly members: readonly ObjectMember[];
}

export const daysOverdue = 'days_overdue';

/** Compared in percent, also where the service sends fractions of 1. */
export const progressFlag = 'track_progress';

/** Of a row: a field that is empty or not, or how its number compares. */
type Fact =
  | readonly [field: string, sign: 'none' | 'any']
  | readonly [field: string, sign: '>' | '>=' | '<' | '<=', number: string];

const notCompleted: Fact = ['completed_date', 'none'];
const hasDueDate: readonly Fact[] = [
  ['due_date', 'any'],
  [daysOverdue, 'any'],
];
const trackNotCompleted: Fact = ['track_completed_date', 'none'];

/**
 * What is so of every row in a state, or of a view of the assignments, by its fields alone. A date that cannot be read
 * counts as none here.
 */
export const factsOfStates: Partial<Readonly<Record<ReportName, Readonly<Record<string, readonly Fact[]>>>>> =
  {
    assignments: {
      overdue: [notCompleted, ...hasDueDate, [daysOverdue, '>=', '0']],
      due: [notCompleted, ...hasDueDate],
      'due-soon': [notCompleted, ...hasDueDate, [daysOverdue, '<=', '0']],
      'not-started': [notCompleted],
      'in-progress': [notCompleted],
      'not-completed': [notCompleted],
      late: [...hasDueDate, ['completed_date', 'any']],
    },
    tracks: {
      stalled: [trackNotCompleted, [progressFlag, 'any'], [progressFlag, '<', '50']],
      'not-started': [trackNotCompleted],
      'in-progress': [trackNotCompleted],
      'not-completed': [trackNotCompleted],
    },
    engagement: {
      inactive: [
        ['sessions', '<=', '0'],
        ['views', '<=', '0'],
        ['seconds_viewed', '<=', '0'],
        ['assignments_completed', '<=', '0'],
      ],
    },
    workshops: {
      waitlist: [
        ['total_waiting', 'any'],
        ['total_waiting', '>', '0'],
      ],
    },
  };

/** Every field of a report that conditions can be about, in the order of help and of commands. */
export function conditionFields({ name }: Pick<Report, 'name'>): readonly ConditionField[] {
  return fieldsByReport.get(name) ?? [];
}

/** @param id of a stored condition */
export function conditionField(report: Pick<Report, 'name'>, id: string): ConditionField | undefined {
  const known = fieldsById.get(report.name)?.get(id);
  if (known) return known;
  const dot = id.indexOf('.');
  return dot > 0 ? releasedField(reportNamed(report.name), id.slice(0, dot), id.slice(dot + 1)) : undefined;
}

function kindOf({ kind }: Field): ConditionKind {
  return kind === 'list' || kind === 'yes-no' || kind === 'number' || kind === 'date' ? kind : 'text';
}

/** The filter members of each condition field, by its ID. */
function membersById(report: Report): ReadonlyMap<string, readonly ObjectMember[]> {
  const byId = new Map<string, ObjectMember[]>();
  const add = (id: string, object: FilterObject, member: FilterMember) =>
    byId.set(id, [...(byId.get(id) ?? []), { object, member }]);
  for (const object of report.filters) {
    for (const member of object.members) {
      const [source, another] = sourcesOf(report, object.name, member);
      if (source) add(another || source.member ? member.name : source.field, object, member);
    }
  }
  // A title and its identifier are one choice.
  for (const { option, ...names } of report.titleFilters) {
    const known = memberOf(report, names);
    const id = titleFieldId(report, option);
    if (known && id !== undefined) add(id, known.object, known.member);
  }
  return byId;
}

/** The field that holds the titles which a title option chooses from. */
export function titleFieldId(report: Report, option: TitleOption): string | undefined {
  const [source] = report.titleFilters.find((filter) => filter.option === option)?.sources ?? [];
  return source?.member === undefined ? source?.title : source.field;
}

function fieldsOf(report: Report): readonly ConditionField[] {
  const byId = membersById(report);
  const shortNames = new Map(Object.entries(report.shortNames ?? {}).map(([short, flag]) => [flag, short]));
  const ofFlags = report.fields
    .filter(({ kind }) => kind !== 'metadata')
    .map((field): ConditionField => {
      const { flag: id, label, personLevel, ofNow = false } = field;
      const name = shortNames.get(id) ?? id;
      const shared = { id, name, label, personLevel, ofNow };
      // People know the list of groups. Some services have only one.
      if (id === 'group')
        return {
          ...shared,
          kind: 'list',
          sources: [{ field: 'groups' }, { field: id }],
          members: byId.get('groups') ?? [],
        };
      return { ...shared, kind: kindOf(field), sources: [{ field: id }], members: byId.get(id) ?? [] };
    });
  const ofMembers = [...byId].flatMap(([id, members]): ConditionField[] => {
    const [first] = members;
    if (!first || fieldOf(report, id)) return [];
    const { object, member } = first;
    const { label, personLevel, name } = member;
    const sources = sourcesOf(report, object.name, member);
    return [{ id, name, label, kind: 'text', personLevel, ofNow: false, sources, members }];
  });
  const days: ConditionField = {
    id: daysOverdue,
    name: daysOverdue,
    label: 'Days overdue',
    kind: 'number',
    personLevel: false,
    ofNow: true,
    sources: [{ field: 'due_date' }],
    members: [],
  };
  return [...ofFlags, ...ofMembers, ...(report.hasDaysOverdue ? [days] : [])];
}

const fieldsByReport: ReadonlyMap<ReportName, readonly ConditionField[]> = new Map(
  allReports.map((report) => [report.name, fieldsOf(report)]),
);

const fieldsById = indexed(({ id }) => [id]);
const fieldsByName = indexed(({ id, name }) => [id, name]);

/** @param name in lower case: a flag, or the short name of one */
export function conditionFieldByName(report: Pick<Report, 'name'>, name: string): ConditionField | undefined {
  return fieldsByName.get(report.name)?.get(name);
}

function indexed(keysOf: (field: ConditionField) => readonly string[]) {
  return new Map(
    [...fieldsByReport].map(([report, fields]) => [
      report,
      new Map(fields.flatMap((field) => keysOf(field).map((key) => [key, field] as const))),
    ]),
  );
}

/** The field that conditions on a filter member are about; undefined: no row says it. */
export function conditionFieldOfMember(
  report: Report,
  object: string,
  member: string,
): ConditionField | undefined {
  const known = memberOf(report, { object, member });
  const [source, another] = known ? sourcesOf(report, object, known.member) : [];
  if (!source) return undefined;
  return conditionField(report, another || source.member ? member : source.field);
}

/** A member of a nested object. Whether an admin released it is decided where it is run. */
export function releasedField(report: Report, flag: string, key: string): ConditionField | undefined {
  const field = fieldOf(report, flag);
  if (!field || key === '' || (field.kind !== 'metadata' && field.kind !== 'object')) return undefined;
  const id = `${flag}.${key}`;
  return {
    id,
    name: /[\s:",“”„‟]/.test(key) ? `${flag}."${key.replaceAll('"', '')}"` : id,
    label: `${field.label}: ${key}`,
    kind: 'any',
    personLevel: false,
    ofNow: false,
    sources: [{ field: flag, member: key }],
    members: [],
  };
}
