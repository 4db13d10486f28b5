import {
  type Field,
  type FilterObject,
  fieldsOf,
  named,
  organizationMembers,
  personFields,
} from './report.js';

/** The learner flags of the assignments, which every report but workshop engagement takes too, in the order the builder shows them. */
export const learnerFields: readonly Field[] = [
  ...fieldsOf('Learner', [
    ['first_name', 'First name', 'text', { person: true }],
    ['last_name', 'Last name', 'text', { person: true }],
    ['email', 'Email', 'email', { person: true }],
    ['userid', 'User ID', 'identifier', { person: true }],
    ['job_title', 'Job title', 'text'],
    ['manager_email', 'Manager email', 'email', { person: true }],
    ['buddy_email', 'Buddy email', 'email', { person: true }],
    ['image', 'Picture', 'image', { person: true }],
    ['address', 'Address', 'text', { person: true }],
  ]),
  ...fieldsOf('Organization', [
    ['departments', 'Departments', 'list'],
    ['locations', 'Locations', 'list'],
    ['teams', 'Teams', 'list'],
    ['groups', 'Groups', 'list'],
    ['group', 'Group', 'text'],
    ['grade', 'Grade', 'text'],
    ['org_level', 'Org level', 'text'],
    ['region', 'Region', 'text'],
    ['language', 'Language', 'text'],
    ['partner', 'Partner', 'text'],
    ['partner_name', 'Partner name', 'text'],
    ['distributor', 'Distributor', 'text'],
  ]),
  ...fieldsOf('Account', [
    ['role', 'Role', 'text'],
    ['is_manager', 'Is a manager', 'yes-no'],
    ['is_collaborator', 'Is a collaborator', 'yes-no'],
    ['is_purchaser', 'Is a purchaser', 'yes-no'],
    ['suspended', 'Suspended', 'yes-no'],
    ['hired_on', 'Hired on', 'date'],
    ['created_at', 'Account created', 'date'],
    ['first_login', 'First sign-in', 'date'],
    ['last_login', 'Last sign-in', 'date'],
  ]),
];

/** Two more learner flags, which every report with learners but the assignments takes. */
const learnerHistoryFields: readonly Field[] = fieldsOf('Account', [
  ['suspended_on', 'Suspended on', 'date'],
  ['user_metadata', 'Learner metadata', 'metadata'],
]);

/** Every learner flag. */
export const allLearnerFields: readonly Field[] = [...learnerFields, ...learnerHistoryFields];

/** Who marked something complete in a learner's place: the flags differ a little between reports. */
export function completedByHandFields(members: readonly string[]): readonly Field[] {
  return personFields('Completed by hand', 'manual_completed_by', 'Marked complete by', members);
}

/** The filter on the learner, the same in every report but workshop engagement. */
export const userFilter: FilterObject = {
  name: 'user_filter',
  prefix: 'user',
  label: 'Learner',
  members: [
    { ...organizationMembers.departments, common: true },
    { ...organizationMembers.locations, common: true },
    { ...organizationMembers.teams, common: true },
    { ...named('groups', 'Groups', 'groups'), common: true },
    { name: 'manager_email', label: 'Manager email', kind: 'emails', personLevel: true, common: true },
    { name: 'email', label: 'Email', kind: 'emails', personLevel: true, common: true },
    organizationMembers.grades,
    organizationMembers.orgLevels,
    named('role', 'Role', 'role'),
    named('partner', 'Partner', 'partner'),
    { name: 'first_name', label: 'First name', kind: 'names', personLevel: true },
    { name: 'last_name', label: 'Last name', kind: 'names', personLevel: true },
    { name: 'buddy_email', label: 'Buddy email', kind: 'emails', personLevel: true },
    { name: 'userid', label: 'User ID', kind: 'identifiers', personLevel: true },
    { name: 'id', label: 'Identifier', kind: 'identifiers', personLevel: true },
    { name: 'suspended', label: 'Suspended', kind: 'yes-no', personLevel: false },
    { name: 'is_manager', label: 'Is a manager', kind: 'yes-no', personLevel: false },
    { name: 'is_author', label: 'Is an author', kind: 'yes-no', personLevel: false },
    { name: 'is_collaborator', label: 'Is a collaborator', kind: 'yes-no', personLevel: false },
    { name: 'is_purchaser', label: 'Is a purchaser', kind: 'yes-no', personLevel: false },
  ],
};
