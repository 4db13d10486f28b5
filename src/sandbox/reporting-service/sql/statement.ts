import type { ReportName } from '../../../reports/catalogue/index.js';
import type { Asked } from '../asked.js';
import type { Route } from '../route.js';
import { assessmentStatus } from './assessment-status.js';
import { assignmentSummary } from './assignment-summary.js';
import { contentCompletion } from './content-completion.js';
import { type FilterBy, filterSql } from './filters.js';
import type { OperationSql } from './operation.js';
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

/** A statement whose rows are the records of an answer as JSON text, in order; null for a row that is left out. */
export interface Statement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** @param now epoch seconds: nothing later shows, but plans */
export function statementFor({ report, range }: Route, asked: Asked, by: FilterBy, now: number): Statement {
  const { columns, readings, own } = operations[report.name];
  const reading = readings[asked.rangeTarget ?? own];
  if (!reading) throw new Error(`${report.name} cannot be read by ${asked.rangeTarget}`);
  const filters = asked.filters.map((filter, index) => filterSql(filter, by, `entries${index}`));
  const record = `json_object(${asked.flags.map((flag) => `'${flag}', ${columns[flag]}`).join(', ')})`;
  const shown = [...(reading.shown ? [reading.shown] : []), ...filters.map(({ condition }) => condition)];
  const planned = range?.until ?? now + 1;
  return {
    sql: [
      `SELECT ${shown.length > 0 ? `CASE WHEN ${shown.join(' AND ')} THEN ${record} END` : record}`,
      `FROM ${reading.from}`,
      reading.where ? `WHERE ${reading.where}` : '',
      `ORDER BY ${reading.order}`,
    ].join('\n'),
    parameters: {
      ...{ now, planned, from: range?.from ?? 0, until: Math.min(planned, now + 1) },
      ...Object.fromEntries(filters.map(({ parameter }, index) => [`entries${index}`, parameter])),
    },
  };
}
