export type ReportName =
  | 'assignments'
  | 'tracks'
  | 'completions'
  | 'assessments'
  | 'engagement'
  | 'workshops';

interface ReportRange {
  /** The range in words that holds when none is typed. */
  readonly defaultWords: string;
  /** True where the report has a future: `tomorrow`, `next-week`, and `today` and `this-…` as whole units. */
  readonly hasFuture: boolean;
  /** True when longer ranges may be queried window by window and joined, since its rows add up. */
  readonly isAdditive: boolean;
}

interface ReportDateField {
  /** The `range_target` sent when none is typed; absent: none is sent. */
  readonly defaultFlag?: string;
  /** Every value that `on:` takes, each with the words that the title uses for it. */
  readonly choices: readonly DateChoice[];
}

export interface DateChoice {
  readonly flag: string;
  /** Lower case, fits after "by": `assigned date`. */
  readonly words: string;
  /** True for a date that can lie ahead: ranges by it may begin in the future. */
  readonly canBeFuture?: true;
}

/** A state that rows can be in: what `only:` takes. */
interface RowState {
  /** As typed: `not-completed`. */
  readonly name: string;
  /** `Not completed` */
  readonly label: string;
  /** True for states of rows that people still have to complete. */
  readonly isOpen?: true | undefined;
}

type StateRow = readonly [name: string, label: string, isOpen?: true];

/** Marks states of rows that people still have to complete. */
export const open = true;

/** States from rows of `[name, label, open]`. */
export function statesOf(...rows: readonly StateRow[]): readonly RowState[] {
  return rows.map(([name, label, isOpen]) => ({ name, label, isOpen }));
}

export type TitleOption = 'content' | 'track' | 'assessment' | 'workshop';

/** What one of these options does in a report: the identifier found becomes an entry of a filter member. */
export interface TitleFilter {
  readonly option: TitleOption;
  /** The filter object and its member: `assignment_filter`, `content_id`. */
  readonly object: string;
  readonly member: string;
  /** Where records hold the identifiers, and the titles beside them. */
  readonly sources: readonly (ValueSource & { readonly title: string })[];
}

/**
 * What tells the rows of one person apart, and the rows of a report without people. Of several flags, the first with a
 * value counts.
 */
export interface RowIdentity {
  /** It tells rows apart alone, where a row has it. */
  readonly alone?: string;
  /** What the row is about. */
  readonly item: readonly string[];
  /** Tells a renewed row from the one before: the assignment's ID, or a date. */
  readonly occurrence: readonly string[];
}

/** One of the six reports, as data: everything that a request may contain. */
export interface Report {
  /** The short name people type. */
  readonly name: ReportName;
  /** The service's own name, also the last part of its path. */
  readonly operation: string;
  readonly title: string;
  /** One line for help: what it answers. */
  readonly description: string;
  /** Words for its rows: one and many. */
  readonly rowWords: readonly [one: string, many: string];
  readonly fields: readonly Field[];
  /** The columns of the CSV when none are chosen. */
  readonly essentials: readonly string[];
  /** What conditions may call a field: `score`. */
  readonly shortNames?: Readonly<Record<string, string>>;
  /** Conditions can be about the days since the due date. */
  readonly hasDaysOverdue?: true;
  readonly filters: readonly FilterObject[];
  /** Absent: its rows cannot be known again, so it has no alerts on new rows. */
  readonly rowIdentity?: RowIdentity;
  /** The figure that targets are about, by its ID: a rate of all rows. Absent: the report has none. */
  readonly mainRate?: string;
  /** What `only:` takes; empty: the report has no states. */
  readonly states: readonly RowState[];
  /** Which of `content:`, `track:`, `assessment:` and `workshop:` the report takes. */
  readonly titleFilters: readonly TitleFilter[];
  /** Absent: the report has no range. */
  readonly range?: ReportRange;
  /** Absent: the report takes no `on:`. */
  readonly dateField?: ReportDateField;
  /** What `sort:` takes; empty: the report cannot be sorted. */
  readonly sorts: readonly string[];
  /** Commands for help, each complete after `/report `. */
  readonly examples: readonly string[];
}

/** What a value means, whatever type it arrives as: the service does not specify its value types. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'identifier'
  | 'image'
  | 'yes-no'
  | 'date'
  | 'number'
  | 'list'
  | 'status'
  | 'object'
  | 'metadata';

/** What a nested object describes. Only these three have members that may go to any channel. */
export type NestedSubject = 'content' | 'track' | 'journey';

/** One flag of a report: a request names it, and a record then holds its value under the same name. */
export interface Field {
  /** The flag's name on the wire, for example `first_name`. */
  readonly flag: string;
  /** The label a person reads, unique in its report: a column heading of the CSV. */
  readonly label: string;
  /** The heading under which the builder and the help show it. */
  readonly group: string;
  readonly kind: FieldKind;
  /** True when the value names or reaches a person, or may hold anything (metadata). */
  readonly personLevel: boolean;
  /** Set when the value, should it be an object, describes one of these. */
  readonly about?: NestedSubject;
  /** True where the value describes the row as it is now: it was another one before. */
  readonly ofNow?: true | undefined;
}

type Extra = { readonly person?: true; readonly about?: NestedSubject; readonly ofNow?: true };
type FieldRow = readonly [flag: string, label: string, kind: FieldKind, extra?: Extra | undefined];

/** The extra of what names or reaches a person. */
export const personal = { person: true } as const;

/** The extra of what changes while time passes. Statuses do anyway. */
export const ofNow = { ofNow: true } as const;

/** Fields of one group from rows of `[flag, label, kind, extra]`. Metadata is always person-level. */
export function fieldsOf(group: string, rows: readonly FieldRow[]): readonly Field[] {
  return rows.map(([flag, label, kind, extra = {}]) => ({
    flag,
    label,
    group,
    kind,
    personLevel: extra.person === true || kind === 'metadata',
    about: extra.about,
    ofNow: kind === 'status' || extra.ofNow ? true : undefined,
  }));
}

const personMembers: readonly FieldRow[] = [
  ['email', 'email', 'email', personal],
  ['first_name', 'first name', 'text', personal],
  ['last_name', 'last name', 'text', personal],
  ['userid', 'user ID', 'identifier', personal],
  ['job_title', 'job title', 'text'],
  ['is_manager', 'is a manager', 'yes-no'],
  ['is_purchaser', 'is a purchaser', 'yes-no'],
  ['is_suspended', 'is suspended', 'yes-no'],
  ['image', 'picture', 'image', personal],
];

/** Fields about one more person of a record (who assigned it, who marked it complete): `assigner_email`, … */
export function personFields(
  group: string,
  flag: string,
  label: string,
  without: readonly string[] = [],
): readonly Field[] {
  const rows = personMembers
    .filter(([member]) => !without.includes(member))
    .map(([member, what, kind, extra]): FieldRow => [`${flag}_${member}`, `${label} (${what})`, kind, extra]);
  return fieldsOf(group, [[flag, label, 'text', personal], ...rows]);
}

/** What the entries of a filter member are. All go over the wire as text. */
type MemberKind = 'names' | 'emails' | 'identifiers' | 'yes-no';

export interface FilterMember {
  /** The member's name on the wire, for example `departments`. */
  readonly name: string;
  readonly label: string;
  readonly kind: MemberKind;
  /** True when its entries name or reach a person. */
  readonly personLevel: boolean;
  /** Shown first in the builder. */
  readonly common?: true | undefined;
  /** Where records hold values that are entries of this member, in any report. Never person-level. */
  readonly valueSources?: readonly ValueSource[] | undefined;
}

/** A field, or a member of the objects that arrive under it, and what people call each value. */
export interface ValueSource {
  readonly field: string;
  readonly member?: string;
  /** Where the value is an identifier: the field, or the member of the same object, that holds its title. */
  readonly title?: string;
}

export interface FilterObject {
  /** The object's name on the wire, for example `user_filter`. */
  readonly name: string;
  /** The part before the dot where a member is typed in full: `track.departments:Sales`. */
  readonly prefix: string;
  readonly label: string;
  readonly members: readonly FilterMember[];
}

type MemberRow = readonly [
  name: string,
  label: string,
  kind: MemberKind,
  extra?: {
    readonly person?: true;
    readonly common?: true;
    /** The only source of its values, where that is a field. */
    readonly field?: string;
    readonly sources?: readonly ValueSource[];
  },
];

/** Members of a filter from rows of `[name, label, kind, extra]`. */
export function membersOf(...rows: readonly MemberRow[]): readonly FilterMember[] {
  return rows.map(([name, label, kind, { person = false, common, field, sources } = {}]) => ({
    name,
    label,
    kind,
    personLevel: person,
    common,
    valueSources: field ? [{ field }] : sources,
  }));
}

/** Members that the learner's filter shares with those on the thing learnt. */
export const organizationMembers = membersOf(
  ['departments', 'Departments', 'names', { field: 'departments' }],
  ['locations', 'Locations', 'names', { field: 'locations' }],
  ['teams', 'Teams', 'names', { field: 'teams' }],
  ['grades', 'Grades', 'names', { field: 'grade' }],
  ['org_levels', 'Org levels', 'names', { field: 'org_level' }],
);

/** The fields of a thing learnt with its identifier and title. */
export function titled(kind: string) {
  return { field: `${kind}_id`, title: `${kind}_title` };
}

/** The option that finds a thing learnt by its title, for reports with `learningFilter`. */
export function learningTitle(option: Exclude<TitleOption, 'content'>): TitleFilter {
  return {
    option,
    object: `${option}_filter`,
    member: 'content_id',
    sources: [titled(option)],
  };
}

/** The filter on the thing learnt: tracks, assessments and workshops share its members. */
export function learningFilter(prefix: string, label: string): FilterObject {
  return {
    name: `${prefix}_filter`,
    prefix,
    label,
    members: [
      ...membersOf(
        ['content_id', `${label} ID`, 'identifiers', { common: true, sources: [titled(prefix)] }],
        ['categories', 'Categories', 'names', { common: true }],
        ['archived', 'Archived', 'yes-no'],
      ),
      ...organizationMembers.map((member) => ({
        ...member,
        label: `${label} ${member.label.toLowerCase()}`,
      })),
      ...membersOf(
        ['collaborators', 'Collaborators', 'identifiers', personal],
        ['created_by', 'Created by', 'identifiers', personal],
      ),
    ],
  };
}

export const managerFlag = 'manager_email';

/** The Essentials of a report about learners, with the manager behind the learner's address. */
export function essentialsWithManager({ essentials }: Report): readonly string[] {
  const index = essentials.indexOf('email') + 1;
  return [...essentials.slice(0, index), managerFlag, ...essentials.slice(index)];
}

/** Dates that the service takes as `range_target` whether or not the report can show them. */
export const serviceDates: readonly DateChoice[] = [
  { flag: 'assigned_date', words: 'assigned date' },
  { flag: 'completed_date', words: 'completed date' },
  { flag: 'created_at', words: 'created date' },
  { flag: 'updated_date', words: 'updated date' },
];
