import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import { DatabaseUnusable } from './errors.js';
import { migrate, refuseUnknown } from './migrate.js';
import type { Tables } from './tables.js';

/** How long a statement waits for another process's write to end. */
const busyMs = 5000;

/** Only the account that runs the bot reads what people asked. */
export const ownerOnly = 0o600;

/**
 * Opens the database, makes it where it is not there yet, and brings it to the newest shape. The caller destroys it.
 *
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export function openDatabase(path: string, now: () => number): Kysely<Tables> {
  const database = openFile(resolve(path));
  try {
    migrate(database, now);
  } catch (error) {
    database.close();
    throw asKnown(path, error);
  }
  return new Kysely<Tables>({ dialect: new WritingDialect({ database }) });
}

/** Transactions are there to write: one that began by reading could not wait for another process's write to end. */
class WritingDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('BEGIN IMMEDIATE'));
  }
}

class WritingDialect extends SqliteDialect {
  constructor(private readonly file: { readonly database: Database }) {
    super(file);
  }

  override createDriver(): WritingDriver {
    return new WritingDriver(this.file);
  }
}

/** The file as the bot works with it, in whatever earlier shape it is. */
export function openFile(path: string): Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite would make it readable for everybody. Its own side files take the mode of this one.
    closeSync(openSync(path, 'a', ownerOnly));
    chmodSync(path, ownerOnly);
    const database = new Sqlite(path, { timeout: busyMs });
    try {
      // Before the first write: a file that is not ours stays as it is.
      refuseUnknown(database);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('foreign_keys = ON');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw asKnown(path, error);
  }
}

/** What the system or SQLite says about the file, as one of our own errors; anything else stays as it is. */
export function asKnown(path: string, error: unknown): unknown {
  if (error instanceof SqliteError) return new DatabaseUnusable(path, error.code, { cause: error });
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return new DatabaseUnusable(path, String(error.code), { cause: error });
  }
  return error;
}
