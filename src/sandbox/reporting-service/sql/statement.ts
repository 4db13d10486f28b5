import type { ReportName } from '../../../reports/catalogue/index.js';
import type { Asked } from '../asked.js';
import type { Route } from '../route.js';
import { type FilterBy, filterSql } from './filters.js';
import type { OperationSql } from './operation.js';
import { userEngagement } from './user-engagement.js';

const operations: Partial<Record<ReportName, OperationSql>> = {
  engagement: userEngagement,
};

/** A statement whose rows are the records of an answer as JSON text, in order; null for a row that is left out. */
export interface Statement {
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** @param now epoch seconds: nothing later shows, but plans */
export function statementFor({ report, range }: Route, asked: Asked, by: FilterBy, now: number): Statement {
  const operation = operations[report.name];
  const [own] = Object.keys(operation?.readings ?? {});
  const reading = operation?.readings[asked.rangeTarget ?? own ?? ''];
  if (!operation || !reading) throw new Error(`No statement for ${report.name} by ${asked.rangeTarget}`);
  const filters = asked.filters.map((filter, index) => filterSql(filter, by, `entries${index}`));
  const record = `json_object(${asked.flags.map((flag) => `'${flag}', ${operation.columns[flag]}`).join(', ')})`;
  const shown = [...(reading.shown ? [reading.shown] : []), ...filters.map(({ condition }) => condition)];
  return {
    sql: [
      `SELECT ${shown.length > 0 ? `CASE WHEN ${shown.join(' AND ')} THEN ${record} END` : record}`,
      `FROM ${reading.from}`,
      reading.where ? `WHERE ${reading.where}` : '',
      `ORDER BY ${reading.order}`,
    ].join('\n'),
    parameters: {
      now,
      from: range?.from ?? 0,
      until: Math.min(range?.until ?? now + 1, now + 1),
      ...Object.fromEntries(filters.map(({ parameter }, index) => [`entries${index}`, parameter])),
    },
  };
}
