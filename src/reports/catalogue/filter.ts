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
}

export interface FilterObject {
  /** The object's name on the wire, for example `user_filter`. */
  readonly name: string;
  /** What stands before the dot where a member is typed in full: `track.departments:Sales`. */
  readonly prefix: string;
  readonly label: string;
  readonly members: readonly FilterMember[];
}

/** The filter on the thing learnt: tracks, assessments and workshops share its members. */
export function learningFilter(prefix: string, label: string): FilterObject {
  return {
    name: `${prefix}_filter`,
    prefix,
    label,
    members: [
      { name: 'content_id', label: `${label} ID`, kind: 'identifiers', personLevel: false, common: true },
      { name: 'categories', label: 'Categories', kind: 'names', personLevel: false, common: true },
      { name: 'archived', label: 'Archived', kind: 'yes-no', personLevel: false },
      { name: 'departments', label: `${label} departments`, kind: 'names', personLevel: false },
      { name: 'locations', label: `${label} locations`, kind: 'names', personLevel: false },
      { name: 'teams', label: `${label} teams`, kind: 'names', personLevel: false },
      { name: 'grades', label: `${label} grades`, kind: 'names', personLevel: false },
      { name: 'org_levels', label: `${label} org levels`, kind: 'names', personLevel: false },
      { name: 'collaborators', label: 'Collaborators', kind: 'identifiers', personLevel: true },
      { name: 'created_by', label: 'Created by', kind: 'identifiers', personLevel: true },
    ],
  };
}
