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

/** One flag of a report: what can be asked for, and what a record then holds under the same name. */
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
}

type Extra = { readonly person?: true; readonly about?: NestedSubject };
type FieldRow = readonly [flag: string, label: string, kind: FieldKind, extra?: Extra | undefined];

/** Fields of one group from rows of `[flag, label, kind, extra]`. Metadata is always person-level. */
export function fieldsOf(group: string, rows: readonly FieldRow[]): readonly Field[] {
  return rows.map(([flag, label, kind, extra = {}]) => ({
    flag,
    label,
    group,
    kind,
    personLevel: extra.person === true || kind === 'metadata',
    ...(extra.about ? { about: extra.about } : {}),
  }));
}

/** Fields about one more person of a record (who assigned it, who marked it complete): `assigner_email`, … */
export function personFields(
  group: string,
  flag: string,
  label: string,
  members: readonly string[],
): readonly Field[] {
  const known: Record<string, readonly [label: string, kind: FieldKind, extra?: Extra]> = {
    email: ['email', 'email', { person: true }],
    first_name: ['first name', 'text', { person: true }],
    last_name: ['last name', 'text', { person: true }],
    image: ['picture', 'image', { person: true }],
    userid: ['user ID', 'identifier', { person: true }],
    job_title: ['job title', 'text'],
    is_manager: ['is a manager', 'yes-no'],
    is_purchaser: ['is a purchaser', 'yes-no'],
    is_suspended: ['is suspended', 'yes-no'],
  };
  const rows = members.map((member): FieldRow => {
    const entry = known[member];
    if (!entry) throw new Error(`No label for the member ${member} of ${flag}`);
    return [`${flag}_${member}`, `${label} (${entry[0]})`, entry[1], entry[2]];
  });
  return fieldsOf(group, [[flag, label, 'text', { person: true }], ...rows]);
}
