import {
  type Field,
  type FilterObject,
  fieldsOf,
  membersOf,
  ofNow,
  organizationMembers,
  personal,
  personFields,
} from './report.js';

/** The learner flags of the assignments, which every report but workshop engagement takes too, in the order the builder shows them. */
export const learnerFields: readonly Field[] = [
  ...fieldsOf('Learner', [
    ['first_name', 'First name', 'text', personal],
    ['last_name', 'Last name', 'text', personal],
    ['email', 'Email', 'email', personal],
    ['userid', 'User ID', 'identifier', personal],
    ['job_title', 'Job title', 'text'],
    ['manager_email', 'Manager email', 'email', personal],
    ['buddy_email', 'Buddy email', 'email', personal],
    ['image', 'Picture', 'image', personal],
    ['address', 'Address', 'text', personal],
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
    ['suspended', 'Suspended', 'yes-no', ofNow],
    ['hired_on', 'Hired on', 'date'],
    ['created_at', 'Account created', 'date'],
    ['first_login', 'First sign-in', 'date', ofNow],
    ['last_login', 'Last sign-in', 'date', ofNow],
  ]),
];

/** Two more learner flags, which every report with learners but the assignments takes. */
const learnerHistoryFields: readonly Field[] = fieldsOf('Account', [
  ['suspended_on', 'Suspended on', 'date', ofNow],
  ['user_metadata', 'Learner metadata', 'metadata'],
]);

export const allLearnerFields: readonly Field[] = [...learnerFields, ...learnerHistoryFields];

/** Who marked something complete in a learner's place: the flags differ a little between reports. */
export function completedByHandFields(without: readonly string[]): readonly Field[] {
  return personFields('Completed by hand', 'manual_completed_by', 'Marked complete by', without);
}

/** The Essentials that all reports about learners begin with. */
export const learnerEssentials = ['first_name', 'last_name', 'email', 'departments'] as const;

/** The filter on the learner, the same in every report but workshop engagement. */
export const userFilter: FilterObject = {
  name: 'user_filter',
  prefix: 'user',
  label: 'Learner',
  members: [
    ...organizationMembers.slice(0, 3).map((member) => ({ ...member, common: true as const })),
    ...membersOf(
      ['groups', 'Groups', 'names', { common: true, field: 'groups' }],
      ['manager_email', 'Manager email', 'emails', { person: true, common: true }],
      ['email', 'Email', 'emails', { person: true, common: true }],
    ),
    ...organizationMembers.slice(3),
    ...membersOf(
      ['role', 'Role', 'names', { field: 'role' }],
      ['partner', 'Partner', 'names', { field: 'partner' }],
      ['first_name', 'First name', 'names', personal],
      ['last_name', 'Last name', 'names', personal],
      ['buddy_email', 'Buddy email', 'emails', personal],
      ['userid', 'User ID', 'identifiers', personal],
      ['id', 'Identifier', 'identifiers', personal],
      ['suspended', 'Suspended', 'yes-no'],
      ['is_manager', 'Is a manager', 'yes-no'],
      ['is_author', 'Is an author', 'yes-no'],
      ['is_collaborator', 'Is a collaborator', 'yes-no'],
      ['is_purchaser', 'Is a purchaser', 'yes-no'],
    ),
  ],
};
