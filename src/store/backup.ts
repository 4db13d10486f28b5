import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { asKnown, ownerOnly } from './database.js';
import { BackupExists, DatabaseInUse, DatabaseUnusable } from './errors.js';
import { refuseUnknown, versionOf } from './migrate.js';

/**
 * Writes everything that the database at `path` holds into a new file, also while the bot runs.
 *
 * @throws BackupExists, DatabaseUnusable
 */
export function backUp(path: string, file: string): void {
  const database = openOurs(path);
  try {
    closeSync(openSync(file, 'wx', ownerOnly));
  } catch (error) {
    database.close();
    throw isCode(error, 'EEXIST') ? new BackupExists(file) : asKnown(file, error);
  }
  try {
    database.prepare('VACUUM INTO ?').run(file);
  } catch (error) {
    rmSync(file, { force: true });
    throw asKnown(file, error);
  } finally {
    database.close();
  }
}

/**
 * Puts a backup in the database's place. What was there is kept beside it.
 *
 * @param stamp ends the name under which the present database is kept
 * @returns the path of the kept database; undefined where there was none
 * @throws DatabaseInUse while the bot runs
 * @throws DatabaseUnusable, DatabaseTooNew for a file that this program cannot work with
 */
export function restore(file: string, path: string, stamp: string): string | undefined {
  check(file);
  const present = existsSync(path) ? lockWhole(path) : undefined;
  const arriving = `${path}.restoring`;
  const kept = `${path}.before-${stamp}`;
  try {
    rmSync(arriving, { force: true });
    copyDurably(file, arriving);
    if (existsSync(path)) renameSync(path, kept);
    renameSync(arriving, path);
    return present === undefined ? undefined : kept;
  } catch (error) {
    throw asKnown(path, error);
  } finally {
    present?.close();
  }
}

/** A file that is whole, ours, and not from a newer version. */
function check(file: string): void {
  const database = openOurs(file);
  try {
    const damage = database.pragma('quick_check(1)', { simple: true });
    if (damage !== 'ok') throw new DatabaseUnusable(file, 'damaged');
    refuseUnknown(database);
  } catch (error) {
    throw asKnown(file, error);
  } finally {
    database.close();
  }
}

function openOurs(path: string): Database {
  let database: Database;
  try {
    database = new Sqlite(path, { fileMustExist: true, timeout: 5000 });
  } catch (error) {
    throw existsSync(path) ? asKnown(path, error) : new DatabaseUnusable(path, 'ENOENT', { cause: error });
  }
  try {
    if (versionOf(database) === undefined) throw new DatabaseUnusable(path, 'not-ours');
    return database;
  } catch (error) {
    database.close();
    throw asKnown(path, error);
  }
}

/**
 * Holds a database that nobody else has open. SQLite gives up write-ahead logging only for the last one to hold the
 * file, and the system takes a dead process's locks away: no lock file can be left behind.
 */
function lockWhole(path: string): Database {
  const database = new Sqlite(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if (isBusy(error)) {
      database.close();
      throw new DatabaseInUse(path);
    }
    // A damaged database has to give way to its backup all the same.
    if (!(error instanceof SqliteError)) throw error;
  }
  return database;
}

function copyDurably(from: string, to: string): void {
  closeSync(openSync(to, 'wx', ownerOnly));
  copyFileSync(from, to);
  const written = openSync(to, 'r+');
  fsyncSync(written);
  closeSync(written);
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
