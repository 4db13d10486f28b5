import { type Statement, sourceOf } from '../../playground/reporting-service/sql/statement.js';
import { reportNamed } from '../../src/catalogue/index.js';
import type { ReportJob } from './service-jobs.js';

/** The plainest statement for these rows: a column for each flag. */
export function bareStatement({ report, from, until, flags, world }: ReportJob): Statement {
  const request = { flags, filters: [] };
  const route = { report: reportNamed(report), range: { from, until } };
  const { columns, dateQuery, conditions, parameters } = sourceOf(route, request, 'names', world.now);
  const where = [...(dateQuery.where ? [dateQuery.where] : []), ...conditions];
  return {
    sql: [
      `SELECT ${flags.map((flag) => `${columns[flag]} AS "${flag}"`).join(', ')}`,
      `FROM ${dateQuery.from}`,
      where.length > 0 ? `WHERE ${where.join(' AND ')}` : '',
      `ORDER BY ${dateQuery.order}`,
    ].join('\n'),
    parameters,
  };
}
