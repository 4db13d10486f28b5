/** The files of a data folder, in the order in which they are read: a row names only rows of files before its own. */
export const tables = {
  units: ['member', 'id', 'name'],
  people: [
    ...[
      'id',
      'userid',
      'email',
      'first_name',
      'last_name',
      'job_title',
      'address',
      'image',
      'role',
      'region',
    ],
    ...['language', 'departments', 'locations', 'teams', 'groups', 'grade', 'org_level', 'partner'],
    ...[
      'distributor',
      'manager',
      'buddy',
      'is_purchaser',
      'hired_on',
      'created_at',
      'suspended_on',
      'metadata',
    ],
  ],
  contents: [
    ...['id', 'type', 'title', 'created_by', 'created_at', 'archived', 'minutes', 'pass_mark', 'categories'],
    ...['departments', 'locations', 'teams', 'grades', 'org_levels', 'collaborators', 'metadata'],
  ],
  parts: ['whole', 'position', 'part'],
  instances: [
    ...['id', 'workshop', 'host', 'announced_at', 'starts_at', 'ends_at', 'canceled_at', 'closes_at'],
    ...['offered_seats', 'waitlist_seats'],
  ],
  assignments: ['id', 'learner', 'content', 'assigner', 'due_at'],
  events: ['at', 'kind', 'learner', 'content', 'track', 'journey', 'assignment', 'instance', 'amount', 'by'],
} as const satisfies Record<string, readonly string[]>;

export type TableName = keyof typeof tables;

export const fileOf = (table: TableName) => `${table}.csv`;
