import { PostgresAdapter, sql } from 'kysely';
import type { Db } from './schema.js';

/* What SQLite and PostgreSQL write in different ways. All other queries are the same for both. */

/** The kinds of queries that change rows, as Kysely names them. */
export const writingKinds: ReadonlySet<string> = new Set([
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]);

function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A pattern of LIKE with `\\` before what is meant literally, in any case of ASCII letters. */
export function holdsInAnyCase(db: Db, column: string, pattern: string) {
  const like = sql.raw(isPostgres(db) ? 'ILIKE' : 'LIKE');
  return sql<boolean>`${sql.ref(column)} ${like} ${pattern} ESCAPE '\\'`;
}

/** A text of a JSON object; null where there is none, and where the column holds no JSON. */
export function jsonMember(db: Db, column: string, member: string) {
  const content = sql.ref(column);
  return isPostgres(db)
    ? sql<string | null>`rollcall_json_member(${content}, ${sql.lit(member)})`
    : sql<
        string | null
      >`case when json_valid(${content}) then json_extract(${content}, ${sql.lit(`$.${member}`)}) end`;
}

/** The clock of the database, which all processes share: milliseconds since the epoch. */
export async function databaseNow(db: Db): Promise<number> {
  const time = isPostgres(db)
    ? sql<number>`floor(date_part('epoch', clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
  const { rows } = await sql<{ now: number }>`select ${time} as now`.execute(db);
  return rows[0]?.now ?? 0;
}
