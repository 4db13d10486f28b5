/** What the entries of a filter member are. All go over the wire as text. */
export type MemberKind = 'names' | 'emails' | 'identifiers' | 'yes-no';

export interface FilterMember {
  /** The member's name on the wire, for example `departments`. */
  readonly name: string;
  readonly label: string;
  readonly kind: MemberKind;
  /** True when its entries name or reach a person. */
  readonly personLevel: boolean;
  /** Shown first in the builder. */
  readonly common?: true;
  /** Where records hold values that are entries of this member, in any report. Never person-level. */
  readonly heldBy?: readonly HeldBy[];
}

/** A field, or a member of the objects that arrive under it, and what people call each value. */
export interface HeldBy {
  readonly field: string;
  readonly member?: string;
  /** Where the value is an identifier: the field, or the member of the same object, that holds its title. */
  readonly title?: string;
}

export interface FilterObject {
  /** The object's name on the wire, for example `user_filter`. */
  readonly name: string;
  /** What stands before the dot where a member is typed in full: `track.departments:Sales`. */
  readonly prefix: string;
  readonly label: string;
  readonly members: readonly FilterMember[];
}

/** Members that the learner's filter shares with those on the thing learnt. */
export const organizationMembers = {
  departments: named('departments', 'Departments', 'departments'),
  locations: named('locations', 'Locations', 'locations'),
  teams: named('teams', 'Teams', 'teams'),
  grades: named('grades', 'Grades', 'grade'),
  orgLevels: named('org_levels', 'Org levels', 'org_level'),
} as const;

/** A member of names that a field of the same records holds. */
export function named(name: string, label: string, field: string): FilterMember {
  return { name, label, kind: 'names', personLevel: false, heldBy: [{ field }] };
}

/** The filter on the thing learnt: tracks, assessments and workshops share its members. */
export function learningFilter(prefix: string, label: string): FilterObject {
  return {
    name: `${prefix}_filter`,
    prefix,
    label,
    members: [
      {
        name: 'content_id',
        label: `${label} ID`,
        kind: 'identifiers',
        personLevel: false,
        common: true,
        heldBy: [{ field: `${prefix}_id`, title: `${prefix}_title` }],
      },
      { name: 'categories', label: 'Categories', kind: 'names', personLevel: false, common: true },
      { name: 'archived', label: 'Archived', kind: 'yes-no', personLevel: false },
      { ...organizationMembers.departments, label: `${label} departments` },
      { ...organizationMembers.locations, label: `${label} locations` },
      { ...organizationMembers.teams, label: `${label} teams` },
      { ...organizationMembers.grades, label: `${label} grades` },
      { ...organizationMembers.orgLevels, label: `${label} org levels` },
      { name: 'collaborators', label: 'Collaborators', kind: 'identifiers', personLevel: true },
      { name: 'created_by', label: 'Created by', kind: 'identifiers', personLevel: true },
    ],
  };
}
