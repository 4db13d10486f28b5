import type { Database } from 'better-sqlite3';
import { DatabaseTooNew, DatabaseUnusable } from './errors.js';
import { migrations as allMigrations, type Migration } from './migrations/index.js';

/** Lists the applied migrations. A file with this table is a Rollcall database. */
const migrationsTable = 'rollcall_migrations';

/**
 * Applies the missing migrations. Each runs in one transaction with its entry in the table, so that a crash never leaves
 * half a migration. Two processes that start at once take turns.
 *
 * @throws DatabaseTooNew for a database of a newer version
 * @throws DatabaseUnusable for a file of another program
 */
export function migrate(
  database: Database,
  now: () => number,
  migrations: readonly Migration[] = allMigrations,
): void {
  const found = assertKnownVersion(database, migrations);
  // Without a write, a start does not wait for another process's write.
  if (found === migrations.length) return;
  migrations.forEach((migration, index) => {
    database.transaction(() => apply(database, migration, index + 1, now())).immediate();
  });
}

/**
 * Returns the version of a database that this program can use; undefined for an empty one. Writes nothing.
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

/** The number of the last applied migration; undefined for a file without Rollcall's tables. */
export function versionOf(database: Database): number | undefined {
  if (!tablesOf(database).includes(migrationsTable)) return undefined;
  const row = database.prepare(`SELECT MAX(version) AS version FROM ${migrationsTable}`).get();
  const version = typeof row === 'object' && row !== null && 'version' in row ? row.version : null;
  return typeof version === 'number' ? version : 0;
}

function apply(database: Database, migration: Migration, version: number, now: number): void {
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${migrationsTable} (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)`,
  );
  // Read again inside the transaction, because another process may have applied it.
  if ((versionOf(database) ?? 0) >= version) return;
  for (const statement of migration.statements) database.exec(statement);
  database
    .prepare(`INSERT INTO ${migrationsTable} (version, name, applied_at) VALUES (?, ?, ?)`)
    .run(version, migration.name, now);
}

function tablesOf(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all()
    .map((name) => String(name));
}
