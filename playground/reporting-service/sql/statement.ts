import type { ReportName } from '../../bot.js';
import type { ReportRequest, RequestFilter, Route } from '../request.js';
import { fold, isUnitMember, type UnitMember } from '../world/schema.js';
import { assignmentSummary } from './assignment-summary.js';
import { contentCompletion } from './content-completion.js';
import { userEngagement, workshopEngagement } from './engagement.js';
import { assessmentStatus, trackStatus } from './enrolments.js';
import {
  type DateQuery,
  isAuthor,
  isCollaborator,
  isManager,
  isSuspended,
  type OperationSql,
} from './expressions.js';

/** What filters are compared with: names in any case, or identifiers where the service takes those. */
export type FilterBy = 'names' | 'identifiers';

export interface FilterSql {
  /** True for the rows that pass. */
  readonly condition: string;
  /** The entries, as the text of a JSON list. */
  readonly parameter: string;
}

/** The entries of a filter as SQL: a list that is read once per statement. */
const entriesOf = (parameter: string) => `(SELECT value FROM json_each(@${parameter}))`;

/** A condition, given the name of the parameter that holds the entries. */
type Condition = (parameter: string, by: FilterBy) => string;

const equals =
  (expression: string): Condition =>
  (parameter) =>
    `${expression} IN ${entriesOf(parameter)}`;

const belongsTo =
  (table: string, owner: string, member: UnitMember): Condition =>
  (parameter, by) =>
    `EXISTS (SELECT 1 FROM ${table} m WHERE m.${owner} AND m.unit IN (SELECT id FROM unit
      WHERE member = '${member}' AND ${by === 'names' ? 'folded' : 'public_id'} IN ${entriesOf(parameter)}))`;

const ofPerson = (member: UnitMember) => belongsTo('person_unit', 'person = p.id', member);

/** People are named by identifier; their user ID will do as well, since that is what records show. */
const isPerson =
  (person: string): Condition =>
  (parameter) =>
    `${person} IN (SELECT id FROM person WHERE public_id IN ${entriesOf(parameter)}
      UNION ALL SELECT id FROM person WHERE userid IN ${entriesOf(parameter)})`;

const ofContent = (member: UnitMember) => belongsTo('content_unit', 'content = c.id', member);

/** The thing learnt is `c`, whatever the report. */
const learningConditions: Readonly<Record<string, Condition>> = {
  content_id: equals('c.public_id'),
  archived: equals('c.archived'),
  categories: ofContent('categories'),
  departments: ofContent('departments'),
  locations: ofContent('locations'),
  teams: ofContent('teams'),
  grades: ofContent('grades'),
  org_levels: ofContent('org_levels'),
  created_by: isPerson('c.created_by'),
  collaborators: (parameter, by) =>
    `EXISTS (SELECT 1 FROM collaborator w WHERE w.content = c.id AND ${isPerson('w.person')(parameter, by)})`,
};

const conditions: Readonly<Record<string, Readonly<Record<string, Condition>>>> = {
  user_filter: {
    departments: ofPerson('departments'),
    locations: ofPerson('locations'),
    teams: ofPerson('teams'),
    groups: ofPerson('groups'),
    grades: ofPerson('grades'),
    org_levels: ofPerson('org_levels'),
    partner: ofPerson('partner'),
    email: equals('p.email_folded'),
    manager_email: equals('(SELECT email_folded FROM person WHERE id = p.manager)'),
    buddy_email: equals('(SELECT email_folded FROM person WHERE id = p.buddy)'),
    first_name: equals('p.first_folded'),
    last_name: equals('p.last_folded'),
    role: equals('p.role'),
    userid: equals('p.userid'),
    id: isPerson('p.id'),
    suspended: equals(isSuspended('p')),
    is_manager: equals(isManager('p')),
    is_author: equals(isAuthor('p')),
    is_collaborator: equals(isCollaborator('p')),
    is_purchaser: equals('p.is_purchaser'),
  },
  assignment_filter: {
    assignment_id: equals('a.public_id'),
    content_id: equals('c.public_id'),
    assigner_id: isPerson('a.assigner'),
  },
  track_filter: learningConditions,
  assessment_filter: learningConditions,
  workshop_filter: learningConditions,
  entity_filter: { entity_id: equals('c.public_id'), entity_type: equals('c.type') },
};

/** A filter as SQL. `parameter` is a name that no other filter of the statement has. */
export function filterSql(
  { object, member, entries }: RequestFilter,
  by: FilterBy,
  parameter: string,
): FilterSql {
  const condition = conditions[object.name]?.[member.name];
  if (!condition) throw new Error(`No condition for ${object.name}.${member.name}`);
  const exactly = member.kind === 'identifiers' || (by === 'identifiers' && isUnitMember(member.name));
  const compared = entries.map((entry) =>
    typeof entry === 'boolean' ? Number(entry) : exactly ? entry : fold(entry),
  );
  return { condition: condition(parameter, by), parameter: JSON.stringify(compared) };
}

const operations: Readonly<Record<ReportName, OperationSql>> = {
  assignments: assignmentSummary,
  tracks: trackStatus,
  completions: contentCompletion,
  assessments: assessmentStatus,
  engagement: userEngagement,
  workshops: workshopEngagement,
};

export interface Statement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** How an answer is read. */
export interface Plan {
  /** Its rows are the records as JSON text, in order; null for a row that is left out. */
  readonly records: Statement;
  /**
   * Where no index has the wanted order: its rows are `id`, null for a row that is left out, and the `key` to sort by.
   * `records` is then read for some ids at a time, in the parameter `ids`.
   */
  readonly keys?: Statement;
}

/** Where the rows of an answer come from, and what can be said of them. */
export interface Source {
  /** Flag by flag, an argument for `json_object`. */
  readonly columns: OperationSql['columns'];
  readonly reading: DateQuery;
  /** What has to be true of a row that is shown. */
  readonly shown: readonly string[];
  readonly parameters: Statement['parameters'];
}

/** @param now epoch seconds: nothing later shows, but plans */
export function sourceOf({ report, range }: Route, asked: ReportRequest, by: FilterBy, now: number): Source {
  const { columns, readings, own } = operations[report.name];
  const reading = readings[asked.rangeTarget ?? own];
  if (!reading) throw new Error(`${report.name} cannot be read by ${asked.rangeTarget}`);
  const filters = asked.filters.map((filter, index) => filterSql(filter, by, `entries${index}`));
  const planned = range?.until ?? now + 1;
  return {
    columns,
    reading,
    shown: [...(reading.shown ? [reading.shown] : []), ...filters.map(({ condition }) => condition)],
    parameters: {
      ...{ now, planned, from: range?.from ?? 0, until: Math.min(planned, now + 1) },
      ...Object.fromEntries(filters.map(({ parameter }, index) => [`entries${index}`, parameter])),
    },
  };
}

/** How to read the answer to a question. */
export function planStatements(route: Route, asked: ReportRequest, by: FilterBy, now: number): Plan {
  const { columns, reading, shown, parameters } = sourceOf(route, asked, by, now);
  const { sorting } = operations[route.report.name];
  const record = `json_object(${asked.flags.map((flag) => `'${flag}', ${columns[flag]}`).join(', ')})`;
  const ifShown = (value: string) =>
    shown.length > 0 ? `CASE WHEN ${shown.join(' AND ')} THEN ${value} END` : value;
  const inOrder = [
    `FROM ${reading.from}`,
    reading.where ? `WHERE ${reading.where}` : '',
    `ORDER BY ${reading.order}`,
  ].join('\n');

  const { sortBy } = asked;
  if (!sorting || sortBy === undefined || reading.sortedBy?.includes(sortBy)) {
    return { records: { sql: `SELECT ${ifShown(record)}\n${inOrder}`, parameters } };
  }
  const key = sorting.keys[sortBy] ?? columns[sortBy];
  return {
    keys: { sql: `SELECT ${ifShown(sorting.id)} AS id, ${key} AS key\n${inOrder}`, parameters },
    records: { sql: `SELECT ${record}\nFROM ${sorting.from}`, parameters },
  };
}
