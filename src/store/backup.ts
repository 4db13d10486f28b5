import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { ownerOnlyMode, toKnownError } from './database.js';
import { BackupExists, DatabaseInUse, DatabaseUnusable } from './errors.js';
import { assertKnownVersion, versionOf } from './migrate.js';

/** What SQLite keeps beside a database. It belongs to that one file, and damages any other that takes its name. */
const sideFiles = ['-wal', '-shm', '-journal'] as const;

/**
 * Writes everything that the database at `path` holds into a new file, also while the bot runs. The file is whole and on
 * the disk when this returns.
 *
 * @throws BackupExists, DatabaseUnusable
 */
export function backUp(path: string, file: string): void {
  const database = openRollcallDatabase(path);
  try {
    writeCopy(database, file);
  } finally {
    database.close();
  }
}

/**
 * Puts a backup in the database's place. What was there is kept beside it, with what SQLite had beside it. A crash leaves
 * the present database or the restored one, never a mixture. Nothing is changed where the backup is refused.
 *
 * @param stamp ends the name under which the present database is kept
 * @returns the path of the kept database; undefined where there was none
 * @throws DatabaseInUse while the bot runs
 * @throws DatabaseUnusable, DatabaseTooNew for a file that this program cannot work with
 */
export function restore(file: string, path: string, stamp: string): string | undefined {
  const target = existsSync(path) && lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  const arriving = `${target}.restoring`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    rmSync(arriving, { force: true });
    writeRestored(file, arriving);
    const kept = replaceDatabase(arriving, target, stamp);
    assertIntactFile(target);
    return kept;
  } catch (error) {
    throw toKnownError(path, error);
  } finally {
    rmSync(arriving, { force: true });
  }
}

/**
 * Looks whether the database at `path` is whole and can be worked with, also while the bot runs. It changes nothing.
 *
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export function checkDatabase(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(realpathSync(path)), constants.W_OK | constants.X_OK);
    const database = new Sqlite(path, { fileMustExist: true, timeout: 5000 });
    try {
      assertKnownVersion(database);
      assertIntact(database, path);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toKnownError(path, error);
  }
}

/** Writes what a backup holds, its own side files included, into a file that can take the database's place. */
function writeRestored(file: string, arriving: string): void {
  const backup = openRollcallDatabase(file);
  try {
    assertIntact(backup, file);
    assertKnownVersion(backup);
    writeCopy(backup, arriving);
  } catch (error) {
    throw toKnownError(file, error);
  } finally {
    backup.close();
  }
}

/** @returns where the database is kept that was there before */
function replaceDatabase(arriving: string, path: string, stamp: string): string | undefined {
  if (!existsSync(path)) {
    removeSideFiles(path);
    moveDurably(arriving, path);
    return undefined;
  }
  const kept = freeName(`${path}.before-${stamp}`);
  // Before SQLite looks at them: it removes them from beside a file that it cannot read.
  for (const end of sideFiles) if (existsSync(path + end)) linkOrCopy(path + end, kept + end);
  let present: Database | undefined;
  try {
    present = lockExclusively(path);
    // What the side files held is in the database now.
    if (present) removeSideFiles(kept);
    linkOrCopy(path, kept);
    syncFolder(path);
    // Before the restored file takes the name: it would be read together with them.
    removeSideFiles(path);
    moveDurably(arriving, path);
    return kept;
  } catch (error) {
    if (error instanceof DatabaseInUse) removeSideFiles(kept);
    throw error;
  } finally {
    present?.close();
  }
}

/** Gives a file a second name that stays. Some file systems have no links: there it is copied. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    syncFile(to);
  }
}

function freeName(name: string): string {
  let free = name;
  for (let n = 2; existsSync(free); n += 1) free = `${name}-${n}`;
  return free;
}

function removeSideFiles(path: string): void {
  for (const end of sideFiles) rmSync(path + end, { force: true });
}

function moveDurably(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(to);
}

/** Writes a whole database into a new file, for its owner only, and looks whether it arrived whole. */
function writeCopy(database: Database, file: string): void {
  try {
    closeSync(openSync(file, 'wx', ownerOnlyMode));
  } catch (error) {
    throw isCode(error, 'EEXIST') ? new BackupExists(file) : toKnownError(file, error);
  }
  try {
    database.prepare('VACUUM INTO ?').run(file);
    chmodSync(file, ownerOnlyMode);
    syncFile(file);
    syncFolder(file);
    assertIntactFile(file);
  } catch (error) {
    rmSync(file, { force: true });
    // A damaged source fails at the first page that cannot be read.
    const isOfSource = error instanceof SqliteError && error.code.startsWith('SQLITE_CORRUPT');
    throw toKnownError(isOfSource ? database.name : file, error);
  }
}

/** @throws DatabaseUnusable for a file that does not pass SQLite's whole check */
function assertIntactFile(file: string): void {
  const database = openRollcallDatabase(file);
  try {
    assertIntact(database, file);
  } catch (error) {
    throw toKnownError(file, error);
  } finally {
    database.close();
  }
}

function assertIntact(database: Database, file: string): void {
  const damage = database.pragma('integrity_check(1)', { simple: true });
  if (damage !== 'ok') throw new DatabaseUnusable(file, 'damaged');
}

function openRollcallDatabase(path: string): Database {
  let database: Database;
  try {
    database = new Sqlite(path, { fileMustExist: true, timeout: 5000 });
  } catch (error) {
    throw existsSync(path)
      ? toKnownError(path, error)
      : new DatabaseUnusable(path, 'ENOENT', { cause: error });
  }
  try {
    if (versionOf(database) === undefined) throw new DatabaseUnusable(path, 'not-ours');
    return database;
  } catch (error) {
    database.close();
    throw toKnownError(path, error);
  }
}

/**
 * Holds a database that nobody else has open. SQLite gives up write-ahead logging only for the last one to hold the
 * file, and the system takes a dead process's locks away: no lock file can be left behind.
 *
 * @returns undefined for one so damaged that SQLite cannot hold it: it has to give way to its backup all the same
 */
function lockExclusively(path: string): Database | undefined {
  const database = new Sqlite(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) throw new DatabaseInUse(path);
    if (!(error instanceof SqliteError)) throw error;
    return undefined;
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a file's folder last. Windows cannot, and does not need to. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
