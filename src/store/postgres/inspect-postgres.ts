import { databaseUnusable } from '../database/errors.js';
import { databaseName } from '../database/location.js';
import { assertNotNewer, schemaVersion } from '../database/migrate.js';
import { tableNames } from '../database/schema.js';
import { stateOf, versionOf, withPostgres } from './open-postgres.js';

/** Who may use a PostgreSQL database. The names are quoted where SQL needs it. */
export interface DatabaseAccess {
  readonly database: string;
  readonly schema: string | null;
  readonly role: string;
  /** Every role of the server may connect. */
  readonly everybodyMayConnect: boolean;
  /** Every role that may connect may create tables in the schema. */
  readonly everybodyMayCreate: boolean;
  /** Other schemas hold tables. */
  readonly hasTablesOfOthers: boolean;
}

/**
 * Connects, and reads with one connection. Changes nothing.
 *
 * @param read reads a database of this version
 * @returns undefined for an empty database, and for one of an earlier version
 * @throws `database-unusable`, `database-too-new`
 */
export function inspectPostgres<Facts>(
  url: string,
  read: (select: <Row>(sql: string) => Promise<readonly Row[]>) => Promise<Facts>,
): Promise<Facts | undefined> {
  return withPostgres(url, async (client) => {
    const name = databaseName(url);
    const { isOurs, isReadOnly } = await stateOf(client, name);
    if (isReadOnly) throw databaseUnusable(name, '25006');
    const found = isOurs ? await versionOf(client) : undefined;
    if (found === undefined || found < schemaVersion) return undefined;
    assertNotNewer(name, found);
    const tables = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_tables
        WHERE schemaname = current_schema() AND tablename = ANY ($1) AND pg_has_role(tableowner, 'MEMBER')`,
      [tableNames],
    );
    if (tables.rows[0]?.count !== tableNames.length) throw databaseUnusable(name, 'not-ours');
    return read(async <Row>(sql: string) => (await client.query(sql)).rows as Row[]);
  });
}

/** Extensions may bring tables of their own. */
const strangeTables = `SELECT FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', current_schema())
    AND n.nspname NOT LIKE 'pg\\_%'
    AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')`;

/** Reads who may use a database. Changes nothing. @throws `database-unusable` */
export function inspectPostgresAccess(url: string): Promise<DatabaseAccess> {
  return withPostgres(url, async (client) => {
    const { rows } = await client.query<DatabaseAccess>(
      `SELECT quote_ident(current_database()) AS database, quote_ident(current_user) AS role,
        quote_ident(current_schema()) AS schema,
        has_database_privilege('public', current_database(), 'CONNECT') AS "everybodyMayConnect",
        coalesce(has_schema_privilege('public', current_schema(), 'CREATE'), false) AS "everybodyMayCreate",
        EXISTS (${strangeTables}) AS "hasTablesOfOthers"`,
    );
    const [access] = rows;
    if (!access) throw new Error('PostgreSQL returned no row');
    return access;
  });
}
