import { type Statement, sourceOf } from '../../playground/reporting-service/sql/statement.js';
import { reportNamed } from '../../src/catalogue/index.js';
import type { ReportJob } from './service-jobs.js';

/** The plainest statement for these rows: a column for each flag. */
export function bareStatement({ report, from, until, flags, world }: ReportJob): Statement {
  const asked = { flags, filters: [] };
  const route = { report: reportNamed(report), range: { from, until } };
  const { columns, reading, shown, parameters } = sourceOf(route, asked, 'names', world.now);
  const conditions = [...(reading.where ? [reading.where] : []), ...shown];
  return {
    sql: [
      `SELECT ${flags.map((flag) => `${columns[flag]} AS "${flag}"`).join(', ')}`,
      `FROM ${reading.from}`,
      conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
      `ORDER BY ${reading.order}`,
    ].join('\n'),
    parameters,
  };
}
