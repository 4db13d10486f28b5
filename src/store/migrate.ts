import type { Database } from 'better-sqlite3';
import { DatabaseTooNew, DatabaseUnusable } from './errors.js';
import { migrations as allMigrations, type Migration } from './migrations/index.js';

/** The table that says which migrations a database has seen. Having it is what makes a file one of ours. */
const ledger = 'rollcall_migrations';

/**
 * Brings a database to the newest shape, each migration in a transaction of its own together with its entry in the
 * ledger, so that a crash leaves it before or after one and never within. Two processes that start at once take turns.
 *
 * @throws DatabaseTooNew for a database that a newer version has written
 * @throws DatabaseUnusable for a file that holds somebody else's tables
 */
export function migrate(
  database: Database,
  now: () => number,
  migrations: readonly Migration[] = allMigrations,
): void {
  const found = assertKnownVersion(database, migrations);
  // A database in its newest shape is not written to: a start beside a busy writer has nothing to wait for.
  if (found === migrations.length) return;
  migrations.forEach((migration, index) => {
    database.transaction(() => apply(database, migration, index + 1, now())).immediate();
  });
}

/**
 * The version of a database that this program can work with; undefined for an empty one. It writes nothing.
 *
 * @throws DatabaseTooNew, DatabaseUnusable
 */
export function assertKnownVersion(
  database: Database,
  migrations: readonly Migration[] = allMigrations,
): number | undefined {
  const found = versionOf(database);
  if (found === undefined && tablesOf(database).length > 0) {
    throw new DatabaseUnusable(database.name, 'not-ours');
  }
  if (found !== undefined && found > migrations.length) {
    throw new DatabaseTooNew(database.name, found, migrations.length);
  }
  return found;
}

/** The number of the last migration that a database has seen; undefined where it has never been ours. */
export function versionOf(database: Database): number | undefined {
  if (!tablesOf(database).includes(ledger)) return undefined;
  const row = database.prepare(`SELECT MAX(version) AS version FROM ${ledger}`).get();
  const version = typeof row === 'object' && row !== null && 'version' in row ? row.version : null;
  return typeof version === 'number' ? version : 0;
}

function apply(database: Database, migration: Migration, version: number, now: number): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${ledger} (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`,
  );
  // Asked again inside the transaction: another process may have been first.
  if ((versionOf(database) ?? 0) >= version) return;
  for (const statement of migration.statements) database.exec(statement);
  database
    .prepare(`INSERT INTO ${ledger} (version, name, applied_at) VALUES (?, ?, ?)`)
    .run(version, migration.name, now);
}

function tablesOf(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all()
    .map((name) => String(name));
}
