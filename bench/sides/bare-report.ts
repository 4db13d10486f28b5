import Database from 'better-sqlite3';
import { serveSide } from '../harness/side.js';
import { bareStatement } from './bare-statement.js';
import type { ReportJob, ReportRead } from './service-jobs.js';

/*
 * The same rows, read from SQLite and stringified in a bare loop, without a server.
 */

serveSide<ReportJob>(async (job): Promise<ReportRead> => {
  const db = new Database(job.world.path, { readonly: true });
  try {
    const { sql, parameters } = bareStatement(job);
    let records = 0;
    let characters = 0;
    for (const row of db.prepare<[object], object>(sql).iterate(parameters)) {
      records += 1;
      characters += JSON.stringify(row).length;
    }
    return { records, characters };
  } finally {
    db.close();
  }
});
