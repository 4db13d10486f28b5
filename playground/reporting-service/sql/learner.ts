import { is } from '../world/kinds-in-sql.js';
import { instant, structure, yesNo } from './values.js';

const signedIn = `FROM event WHERE person = p.id AND ${is('signed_in')} AND at <= @now`;

export const isManager = (person: string) => `EXISTS (SELECT 1 FROM person WHERE manager = ${person}.id)`;
export const isAuthor = (person: string) => `EXISTS (SELECT 1 FROM content WHERE created_by = ${person}.id)`;
export const isCollaborator = (person: string) =>
  `EXISTS (SELECT 1 FROM collaborator WHERE person = ${person}.id)`;
export const isSuspended = (person: string) => `ifnull(${person}.suspended_on <= @now, 0)`;

export const fullName = (person: string) => `trim(${person}.first_name || ' ' || ${person}.last_name)`;

/** Flag by flag, what a record says of its learner, who is `p` in the statement. */
export const learnerColumns: Readonly<Record<string, string>> = {
  first_name: 'p.first_name',
  last_name: 'p.last_name',
  email: 'p.email',
  userid: 'p.userid',
  job_title: 'p.job_title',
  manager_email: '(SELECT email FROM person WHERE id = p.manager)',
  buddy_email: '(SELECT email FROM person WHERE id = p.buddy)',
  image: 'p.image',
  address: 'p.address',
  departments: structure('p.departments'),
  locations: structure('p.locations'),
  teams: structure('p.teams'),
  groups: structure('p.groups'),
  group: "p.groups ->> '$[0]'",
  grade: 'p.grade',
  org_level: 'p.org_level',
  region: 'p.region',
  language: 'p.language',
  partner: 'p.partner',
  partner_name: 'p.partner',
  distributor: 'p.distributor',
  role: 'p.role',
  is_manager: yesNo(isManager('p')),
  is_collaborator: yesNo(isCollaborator('p')),
  is_purchaser: yesNo('p.is_purchaser'),
  suspended: yesNo(isSuspended('p')),
  hired_on: 'p.hired_on',
  created_at: instant('p.created_at'),
  first_login: instant(`(SELECT min(at) ${signedIn})`),
  last_login: instant(`(SELECT max(at) ${signedIn})`),
};

/** Two more, which every report with learners but the assignments has. */
export const learnerHistoryColumns: Readonly<Record<string, string>> = {
  suspended_on: `CASE WHEN ${isSuspended('p')} THEN ${instant('p.suspended_on')} END`,
  user_metadata: structure('p.metadata'),
};
