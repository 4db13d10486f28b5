import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { isFailure } from '../../errors/failure.js';
import { databaseUnusable } from './errors.js';
import { assertKnownVersion, migrate } from './migrate.js';
import { type Db, type Tables, tableNames } from './schema.js';
import { busyTimeoutMs, GroupingDriver, openWriteAheadLog } from './sqlite-driver.js';

/** Attempts to compact a file that other processes use. */
const maxAttempts = 20;
const betweenAttemptsMs = 250;

/** Only the bot's account may read people's requests. */
export const ownerOnlyMode = 0o600;

/**
 * Opens or creates the database and applies missing migrations. The caller destroys it.
 *
 * @param onUnsaved called once the disk did not take a commit. Every query fails from then on.
 * @throws `database-unusable`, `database-too-new`
 */
export function openDatabase(
  path: string,
  now: () => number,
  openLog = openWriteAheadLog,
  onUnsaved: (error: unknown) => void = () => {},
): Db {
  const database = openFile(resolve(path));
  try {
    migrate(database, now);
    // SQLite's own waits block the event loop. While the bot runs, the driver waits: for locks, and for the disk.
    database.pragma('busy_timeout = 0');
    const asFailure = (error: unknown) => toFailure(database.name, error);
    const driver = new GroupingDriver(database, openLog(database), asFailure, onUnsaved);
    return new Kysely<Tables>({ dialect: new GroupingDialect({ database }, driver) });
  } catch (error) {
    database.close();
    throw toFailure(path, error);
  }
}

class GroupingDialect extends SqliteDialect {
  constructor(
    file: { readonly database: Database },
    private readonly driver: GroupingDriver,
  ) {
    super(file);
  }

  override createDriver(): GroupingDriver {
    return this.driver;
  }
}

/** Opens the file with the bot's settings. Applies no migrations. */
export function openFile(path: string): Database {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // SQLite would create it readable for everyone. Its side files copy the mode of this file.
    closeSync(openSync(path, 'a', ownerOnlyMode));
    chmodSync(path, ownerOnlyMode);
    readOnly(path, assertKnownVersion);
    const database = new Sqlite(path, { timeout: busyTimeoutMs });
    try {
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = FULL');
      database.pragma('foreign_keys = ON');
      // Deleted data is overwritten.
      database.pragma('secure_delete = ON');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toFailure(path, error);
  }
}

/** Reads a file that stays as it is, with its write-ahead log, so that a file that is refused has not changed. */
export function readOnly<Value>(path: string, read: (database: Database) => Value): Value {
  // The last connection that may write empties a log. One that may not leaves a new log behind where there is none.
  const readonly = existsSync(`${path}-wal`);
  const database = new Sqlite(path, { fileMustExist: true, readonly, timeout: busyTimeoutMs });
  try {
    return read(database);
  } finally {
    database.close();
  }
}

/** Turns an error of the system or SQLite into `database-unusable`. Returns other errors unchanged. */
export function toFailure(path: string, error: unknown): unknown {
  if (error instanceof SqliteError) return databaseUnusable(path, error.code, error);
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    return databaseUnusable(path, String(error.code), error);
  }
  return error;
}

/** `busy`: other processes used the database the whole time. `disk-full`: there is no room for the new file. */
type Compaction = 'done' | 'busy' | 'disk-full';

/**
 * Rewrites the file without free pages and empties the write-ahead log, so that no byte of what was deleted stays in
 * the files. Other processes may use the database meanwhile; their reads and writes delay it.
 */
export async function compact(db: Db): Promise<Compaction> {
  try {
    const isRewritten = await succeeds(async () => {
      await sql`VACUUM`.execute(db);
      return true;
    });
    const isEmptied =
      isRewritten &&
      (await succeeds(async () => {
        const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
        return rows[0]?.busy === 0;
      }));
    return isEmptied ? 'done' : 'busy';
  } catch (error) {
    if (hasCode(error, 'SQLITE_FULL')) return 'disk-full';
    throw error;
  }
}

/**
 * Lets PostgreSQL use the space of what was deleted for new rows. Bytes of deleted rows stay in its files until they are
 * overwritten, and in its archives and backups for as long as the operator keeps those.
 */
export async function vacuum(db: Db): Promise<Compaction> {
  for (const table of tableNames) await sql`VACUUM ${sql.table(table)}`.execute(db);
  return 'done';
}

async function succeeds(attempt: () => Promise<boolean>): Promise<boolean> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    if (await attempt().catch(falseIfBusy)) return true;
    await sleep(betweenAttemptsMs);
  }
  return false;
}

function falseIfBusy(error: unknown): false {
  if (hasCode(error, 'SQLITE_BUSY')) return false;
  throw error;
}

/** Also for extended codes, such as `SQLITE_BUSY_SNAPSHOT`. */
function hasCode(error: unknown, code: string): boolean {
  return isFailure(error, 'database-unusable') && error.details.reason.startsWith(code);
}
