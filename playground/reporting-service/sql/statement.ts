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

/** Whether filters use names, in any case, or identifiers. */
export type FilterBy = 'names' | 'identifiers';

interface FilterSql {
  /** Condition of the filter. */
  readonly condition: string;
  /** The entries, as a JSON list. */
  readonly parameter: string;
}

/** The entries of a filter as SQL. SQLite reads the list once per statement. */
const entriesOf = (parameter: string) => `(SELECT value FROM json_each(@${parameter}))`;

/** A condition for the entries in a parameter. */
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

/** People by identifier or user ID, because records contain user IDs. */
const isPerson =
  (person: string): Condition =>
  (parameter) =>
    `${person} IN (SELECT id FROM person WHERE public_id IN ${entriesOf(parameter)}
      UNION ALL SELECT id FROM person WHERE userid IN ${entriesOf(parameter)})`;

const ofContent = (member: UnitMember) => belongsTo('content_unit', 'content = c.id', member);

/** The content is `c` in every report. */
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

/** By filter object and member. */
const filterConditions: Readonly<Record<string, Readonly<Record<string, Condition>>>> = {
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

/** A filter as SQL. `parameter` must be unique in the statement. */
function filterSql({ object, member, entries }: RequestFilter, by: FilterBy, parameter: string): FilterSql {
  const condition = filterConditions[object.name]?.[member.name];
  if (!condition) throw new Error(`No condition for ${object.name}.${member.name}`);
  const exactly = member.kind === 'identifiers' || (by === 'identifiers' && isUnitMember(member.name));
  const compared = entries.map((entry) => {
    if (typeof entry === 'boolean') return Number(entry);
    return exactly ? entry : fold(entry);
  });
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

/** The statements for an answer. */
export interface Plan {
  /** Returns the records as JSON text, in order; null for filtered rows. */
  readonly records: Statement;
  /**
   * Present if no index has the wanted order. Returns `id`, null for filtered rows, and the sort `key`.
   * `records` is then run for some IDs at a time, in the parameter `ids`.
   */
  readonly keys?: Statement;
}

/** The rows of an answer: columns, tables and conditions. */
export interface Source {
  /** Arguments of `json_object`, by flag. */
  readonly columns: OperationSql['columns'];
  readonly dateQuery: DateQuery;
  /** Conditions for a row to be shown. */
  readonly conditions: readonly string[];
  readonly parameters: Statement['parameters'];
}

/** @param now epoch seconds. Answers contain nothing later, except plans. */
export function sourceOf(
  { report, range }: Route,
  request: ReportRequest,
  by: FilterBy,
  now: number,
): Source {
  const { columns, dateQueries, defaultDateQuery } = operations[report.name];
  const dateQuery = dateQueries[request.rangeTarget ?? defaultDateQuery];
  if (!dateQuery) throw new Error(`${report.name} cannot be read by ${request.rangeTarget}`);
  const filters = request.filters.map((filter, index) => filterSql(filter, by, `entries${index}`));
  const planned = range?.until ?? now + 1;
  return {
    columns,
    dateQuery,
    conditions: [
      ...(dateQuery.condition ? [dateQuery.condition] : []),
      ...filters.map(({ condition }) => condition),
    ],
    parameters: {
      ...{ now, planned, from: range?.from ?? 0, until: Math.min(planned, now + 1) },
      ...Object.fromEntries(filters.map(({ parameter }, index) => [`entries${index}`, parameter])),
    },
  };
}

/** The statements for the answer to a request. */
export function planStatements(route: Route, request: ReportRequest, by: FilterBy, now: number): Plan {
  const { columns, dateQuery, conditions, parameters } = sourceOf(route, request, by, now);
  const { sorting } = operations[route.report.name];
  const record = `json_object(${request.flags.map((flag) => `'${flag}', ${columns[flag]}`).join(', ')})`;
  const ifShown = (value: string) =>
    conditions.length > 0 ? `CASE WHEN ${conditions.join(' AND ')} THEN ${value} END` : value;
  const inOrder = [
    `FROM ${dateQuery.from}`,
    dateQuery.where ? `WHERE ${dateQuery.where}` : '',
    `ORDER BY ${dateQuery.order}`,
  ].join('\n');

  const { sortBy } = request;
  if (!sorting || sortBy === undefined || dateQuery.sortedBy?.includes(sortBy)) {
    return { records: { sql: `SELECT ${ifShown(record)}\n${inOrder}`, parameters } };
  }
  const key = sorting.keys[sortBy] ?? columns[sortBy];
  return {
    keys: { sql: `SELECT ${ifShown(sorting.id)} AS id, ${key} AS key\n${inOrder}`, parameters },
    records: { sql: `SELECT ${record}\nFROM ${sorting.from}`, parameters },
  };
}
