import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Tables } from './database.js';

/** Whatever its tables are. */
type AnyDatabase = Pick<Kysely<Tables>, 'getExecutor'>;

/* What SQLite and PostgreSQL write in different ways. All other queries are the same for both. */

function isPostgres(db: AnyDatabase): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** A pattern of LIKE with `\\` before what is meant literally, in any case of ASCII letters. */
export function holdsInAnyCase(db: Kysely<Tables>, column: string, pattern: string) {
  const like = sql.raw(isPostgres(db) ? 'ILIKE' : 'LIKE');
  return sql<boolean>`${sql.ref(column)} ${like} ${pattern} ESCAPE '\\'`;
}

/** A text of a JSON object; null where there is none, and where the column holds no JSON. */
export function jsonMember(db: Kysely<Tables>, column: string, member: string) {
  const content = sql.ref(column);
  return isPostgres(db)
    ? sql<string | null>`rollcall_json_member(${content}, ${sql.lit(member)})`
    : sql<
        string | null
      >`case when json_valid(${content}) then json_extract(${content}, ${sql.lit(`$.${member}`)}) end`;
}

/** The clock of the database, which all processes share: milliseconds since the epoch. */
export async function databaseNow(db: Kysely<Tables>): Promise<number> {
  const time = isPostgres(db)
    ? sql<number>`floor(date_part('epoch', clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
  const { rows } = await sql<{ now: number }>`select ${time} as now`.execute(db);
  return rows[0]?.now ?? 0;
}

/** The columns of the primary key of a table, in their order. */
export async function keyColumnsOf<AnyTables>(
  db: Kysely<AnyTables>,
  table: string,
): Promise<readonly string[]> {
  const { rows } = isPostgres(db)
    ? await sql<{ name: string }>`SELECT a.attname AS name FROM pg_index AS i
        CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k(number, place)
        JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indisprimary AND i.indrelid = to_regclass(${table}) ORDER BY k.place`.execute(db)
    : await sql<{
        name: string;
      }>`SELECT name FROM pragma_table_info(${table}) WHERE pk > 0 ORDER BY pk`.execute(db);
  return rows.map(({ name }) => name);
}

/** The columns of a table that hold text. */
export async function textColumnsOf(db: Kysely<Tables>, table: string): Promise<readonly string[]> {
  const { rows } = isPostgres(db)
    ? await sql<{ name: string }>`SELECT attname AS name FROM pg_attribute
        WHERE attrelid = to_regclass(${table}) AND attnum > 0 AND NOT attisdropped
          AND atttypid IN ('text'::regtype, 'varchar'::regtype)
        ORDER BY attnum`.execute(db)
    : await sql<{
        name: string;
      }>`SELECT name FROM pragma_table_info(${table}) WHERE type = 'TEXT' ORDER BY cid`.execute(db);
  return rows.map(({ name }) => name);
}
