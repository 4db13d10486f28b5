import { sql } from 'kysely';
import { type Db, schema, type TableName, tableNames } from './schema.js';

const day = 24 * 3_600_000;

/** Databases that `rollcall restore` replaced. */
export const replacedDatabasesMs = 30 * day;

/** Everything, after Slack reported that the app was uninstalled. */
export const uninstalledMs = 30 * day;

export const expiringTables = tableNames.filter((name) => schema[name].keepDays !== undefined);

/** After how many milliseconds the rows of a table expire. */
export function retentionMs(table: TableName, keepRecordDays: number): number {
  const { keepDays = Number.POSITIVE_INFINITY } = schema[table];
  return (keepDays === 'record' ? keepRecordDays : keepDays) * day;
}

/** Deletes at most `limit` rows from before a time, by the age that the schema names. Returns how many. */
export async function deleteByAge(db: Db, table: TableName, before: number, limit: number): Promise<number> {
  const { key, age } = schema[table];
  if (age === undefined) throw new Error(`The rows of ${table} have no age`);
  const [time = '', condition = 'true'] = age.split(' WHERE ');
  const old = db
    .selectFrom(table)
    .select(key.map((column) => sql.ref(column).as(column)))
    .where(sql.ref(time), '<', before)
    .where(sql.raw<boolean>(condition))
    .limit(limit);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const deleted = await db.deleteFrom(table).where(sql`(${columns})`, 'in', old).executeTakeFirst();
  return Number(deleted.numDeletedRows);
}
