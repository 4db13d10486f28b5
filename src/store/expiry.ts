import { type Kysely, sql } from 'kysely';
import { schema, type TableName, type Tables } from './schema.js';

/**
 * Deletes rows by the age that the schema names.
 *
 * @returns a function that deletes at most `limit` rows from before a time, and returns how many
 */
export function expiryOf(db: Kysely<Tables>, table: TableName) {
  const { key, age } = schema[table];
  if (age === undefined) throw new Error(`The rows of ${table} have no age`);
  const [time = '', condition] = age.split(' WHERE ');
  const columns = sql.join(key.map((column) => sql.ref(column)));
  return async (before: number, limit: number): Promise<number> => {
    const old = db
      .selectFrom(table)
      .select(key.map((column) => sql.ref(column).as(column)))
      .where(sql.ref(time), '<', before)
      .$if(condition !== undefined, (rows) => rows.where(sql.raw<boolean>(`${condition}`)))
      .limit(limit);
    const deleted = await db.deleteFrom(table).where(sql`(${columns})`, 'in', old).executeTakeFirst();
    return Number(deleted.numDeletedRows);
  };
}
