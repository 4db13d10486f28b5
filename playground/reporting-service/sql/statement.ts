import type { ReportName } from '../../bot.js';
import type { ReportRequest, Route } from '../request.js';
import { assessmentStatus } from './assessment-status.js';
import { assignmentSummary } from './assignment-summary.js';
import { contentCompletion } from './content-completion.js';
import type { DateQuery, OperationSql } from './expressions.js';
import { type FilterBy, filterSql } from './filters.js';
import { trackStatus } from './track-status.js';
import { userEngagement } from './user-engagement.js';
import { workshopEngagement } from './workshop-engagement.js';

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
