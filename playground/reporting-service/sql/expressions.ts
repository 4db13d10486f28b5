import { is } from '../world/schema.js';

/**
 * One operation as SQL. Its statement is read row by row while the answer is sent, and whatever decides about a row
 * beside the range of the driving index stands in `shown`, never in `where`, and what a row lacks is joined from the
 * left: a row that is not shown still comes back, as null, so that no step of the statement lasts longer than one row,
 * whatever the filters leave out.
 *
 * Parameters: `@from`, `@until` (no later than now), `@planned` (the same, however late) and `@now`.
 */
export interface OperationSql {
  /** Flag by flag, an argument for `json_object`. */
  readonly columns: Readonly<Record<string, string>>;
  /** The orders it can be read in, by `range_target`. */
  readonly readings: Readonly<Record<string, DateQuery>>;
  /** The reading where the body names none. */
  readonly own: string;
  /** Only where answers can be sorted. */
  readonly sorting?: Sorting;
}

interface Sorting {
  /** What decides the order, by `sort_by`, where that is no column or a column would be the longer way. */
  readonly keys: Readonly<Record<string, string>>;
  /** What tells rows apart: the id of what makes a row. */
  readonly id: string;
  /** The tables again, read in the order of the ids in the JSON list `@ids`. */
  readonly from: string;
}

export interface DateQuery {
  /** Tables in the order in which they are read. */
  readonly from: string;
  /** The range, on what drives the statement; absent: everything. */
  readonly where?: string;
  /** What decides about a row beside the range and the filters. */
  readonly shown?: string;
  /** An order that the driving index has, so that nothing is sorted. */
  readonly order: string;
  /** Every `sort_by` that this order is already. */
  readonly sortedBy?: readonly string[];
}

/** An instant in the range that was asked for, of something that has happened. */
export const inRange = (instant: string) => `${instant} >= @from AND ${instant} < @until`;

/** An instant in the range that was asked for, of something that may only be planned. */
export const inPlannedRange = (instant: string) => `${instant} >= @from AND ${instant} < @planned`;

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

/**
 * What a record says of one more person: `assigner`, `assigner_email`, …
 *
 * @param flag what the flags begin with
 * @param person the person's name in the statement; all is null where there is none
 */
export function otherPersonColumns(flag: string, person: string): Readonly<Record<string, string>> {
  const ifThere = (truth: string) => yesNo(`CASE WHEN ${person}.id IS NOT NULL THEN ${truth} END`);
  return {
    [flag]: fullName(person),
    [`${flag}_email`]: `${person}.email`,
    [`${flag}_first_name`]: `${person}.first_name`,
    [`${flag}_last_name`]: `${person}.last_name`,
    [`${flag}_userid`]: `${person}.userid`,
    [`${flag}_job_title`]: `${person}.job_title`,
    [`${flag}_image`]: `${person}.image`,
    [`${flag}_is_manager`]: ifThere(isManager(person)),
    [`${flag}_is_purchaser`]: ifThere(`${person}.is_purchaser`),
    [`${flag}_is_suspended`]: ifThere(isSuspended(person)),
  };
}

/** How values are written in an answer, as SQL for one argument of `json_object`. */

/** Epoch seconds become ISO 8601 text in UTC: `2026-11-20T09:30:00Z`. */
export function instant(seconds: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`;
}

/** 1 and 0 become true and false; null stays null. */
export function yesNo(truth: string): string {
  return `CASE ${truth} WHEN 1 THEN json('true') WHEN 0 THEN json('false') END`;
}

/** Text that is JSON becomes the list or the object it stands for. */
export function structure(json: string): string {
  return `json(${json})`;
}

/** An object of named values, or null where the row it is about is missing. */
export function objectOf(id: string, members: Readonly<Record<string, string>>): string {
  const named = Object.entries(members).map(([name, value]) => `'${name}', ${value}`);
  return `CASE WHEN ${id} IS NOT NULL THEN json_object(${named.join(', ')}) END`;
}
