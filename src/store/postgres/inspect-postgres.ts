import pg from 'pg';
import { DatabaseTooNew } from '../errors.js';
import type { Inspection } from '../inspect.js';
import { databaseName } from '../location.js';
import { migrations } from '../migrations/index.js';
import { toKnownPostgresError } from './driver.js';
import { poolConfig } from './open-postgres.js';

/**
 * Connects, and reads with one connection. Changes nothing.
 *
 * @param read reads a database of this version
 * @returns undefined for an empty database, and for one of an earlier version
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export async function inspectPostgres(
  url: string,
  read: (select: <Row>(sql: string) => Promise<readonly Row[]>) => Promise<Inspection>,
): Promise<Inspection | undefined> {
  const name = databaseName(url);
  const client = new pg.Client(poolConfig(url));
  try {
    await client.connect();
    const known = await client.query("SELECT to_regclass('rollcall_migrations') AS found");
    if (known.rows[0]?.found === null) return undefined;
    const version = await client.query<{ found: number }>(
      'SELECT MAX(version) AS found FROM rollcall_migrations',
    );
    const found = version.rows[0]?.found ?? 0;
    if (found > migrations.length) throw new DatabaseTooNew(name, found, migrations.length);
    if (found < migrations.length) return undefined;
    return await read(async <Row>(sql: string) => (await client.query(sql)).rows as Row[]);
  } catch (error) {
    throw toKnownPostgresError(name, error);
  } finally {
    await client.end().catch(() => {});
  }
}
