import { is } from '../world/schema.js';

/**
 * One operation as SQL. Its statement is read row by row while the answer is sent. `where` has only the range of the
 * driving index. All other conditions on a row are in `condition`, and other tables are joined from the left. A row
 * that does not meet the condition is returned as null. So no step of the statement takes longer than one row, even if
 * the filters exclude nearly all rows.
 *
 * Parameters: `@from`, `@until` (no later than now), `@planned` (the same, however late) and `@now`.
 */
export interface OperationSql {
  /** Arguments of `json_object`, by flag. */
  readonly columns: Readonly<Record<string, string>>;
  /** Date queries, by `range_target`. */
  readonly dateQueries: Readonly<Record<string, DateQuery>>;
  /** The date query without a `range_target`. */
  readonly defaultDateQuery: string;
  /** Only for answers that can be sorted. */
  readonly sorting?: Sorting;
}

interface Sorting {
  /** SQL of the sort key, by `sort_by`, if it is not a column or if a column would be slower. */
  readonly keys: Readonly<Record<string, string>>;
  /** The ID of a row. */
  readonly id: string;
  /** The tables, read in the order of the JSON list `@ids`. */
  readonly from: string;
}

export interface DateQuery {
  /** Tables in reading order. */
  readonly from: string;
  /** Condition for the range, on the driving index; absent if there is no range. */
  readonly where?: string;
  /** Further condition for a row, beside the range and the filters. */
  readonly condition?: string;
  /** The order of the driving index, so that SQLite does not sort. */
  readonly order: string;
  /** The values of `sort_by` that have this order. */
  readonly sortedBy?: readonly string[];
}

/** Condition that an event is in the requested range. */
export const inRange = (instant: string) => `${instant} >= @from AND ${instant} < @until`;

/** Condition that an event or a plan is in the requested range. */
export const inPlannedRange = (instant: string) => `${instant} >= @from AND ${instant} < @planned`;

const signedIn = `FROM event WHERE person = p.id AND ${is('signed_in')} AND at <= @now`;

export const isManager = (person: string) => `EXISTS (SELECT 1 FROM person WHERE manager = ${person}.id)`;
export const isAuthor = (person: string) => `EXISTS (SELECT 1 FROM content WHERE created_by = ${person}.id)`;
export const isCollaborator = (person: string) =>
  `EXISTS (SELECT 1 FROM collaborator WHERE person = ${person}.id)`;
export const isSuspended = (person: string) => `ifnull(${person}.suspended_on <= @now, 0)`;

export const fullName = (person: string) => `trim(${person}.first_name || ' ' || ${person}.last_name)`;

/** Columns of the learner, `p` in the statement, by flag. */
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

/** Two more columns, for every report with learners except assignments. */
export const learnerHistoryColumns: Readonly<Record<string, string>> = {
  suspended_on: `CASE WHEN ${isSuspended('p')} THEN ${instant('p.suspended_on')} END`,
  user_metadata: structure('p.metadata'),
};

/**
 * Columns of another person: `assigner`, `assigner_email`, …
 *
 * @param flag prefix of the flags
 * @param person alias of the person in the statement; all columns are null if there is no person
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

/** Epoch seconds become ISO 8601 text in UTC: `2026-11-20T09:30:00Z`. */
export function instant(seconds: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%SZ', ${seconds}, 'unixepoch')`;
}

/** 1 and 0 become true and false; null stays null. */
export function yesNo(truth: string): string {
  return `CASE ${truth} WHEN 1 THEN json('true') WHEN 0 THEN json('false') END`;
}

/** JSON text becomes a list or an object. */
export function structure(json: string): string {
  return `json(${json})`;
}

/** An object, or null if its row is missing. */
export function objectOf(id: string, members: Readonly<Record<string, string>>): string {
  const named = Object.entries(members).map(([name, value]) => `'${name}', ${value}`);
  return `CASE WHEN ${id} IS NOT NULL THEN json_object(${named.join(', ')}) END`;
}
