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
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite, { type Database, SqliteError } from 'better-sqlite3';
import { Failure, isFailure, systemCodeOf } from '../../errors/failure.js';
import { ownerOnlyMode, readOnly, toFailure } from './database.js';
import { databaseUnusable } from './errors.js';
import { assertKnownVersion, versionOf } from './migrate.js';

/** Between the name of a database and the moment of its replacement. */
const replacedInfix = '.before-';

/** SQLite's side files. Beside another database of the same name, they would damage it. */
const sideFiles = ['-wal', '-shm', '-journal'] as const;

/**
 * Copies the database at `path` into a new file. The bot may be running. The copy is complete and synced to disk on
 * return.
 *
 * @throws `backup-exists`, `database-unusable`
 */
export function backUp(path: string, file: string): void {
  withDatabase(path, (database) => writeCopy(database, file));
}

/**
 * Replaces the database with a backup, and keeps the current database and its side files under another name. A crash
 * leaves either the current or the restored database, never a mixture. An invalid backup changes nothing.
 *
 * @param stamp suffix for the name of the replaced database
 * @returns the new path of the replaced database; undefined if there was none
 * @throws `database-in-use` while the bot runs
 * @throws `database-unusable`, `database-too-new` for a file that this version cannot use
 */
export function restore(file: string, path: string, stamp: string): string | undefined {
  const target = existsSync(path) && lstatSync(path).isSymbolicLink() ? realpathSync(path) : path;
  const temporary = `${target}.restoring`;
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    writeRestored(file, temporary);
    const replaced = replaceDatabase(temporary, target, stamp);
    withDatabase(target, assertIntact);
    return replaced;
  } catch (error) {
    throw toFailure(path, error);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Deletes databases that a restore replaced before `time`, in milliseconds since the epoch. They hold data of people
 * that is deleted from the current one by its age.
 *
 * @returns how many files it deleted
 */
export function deleteReplaced(path: string, time: number): number {
  const target = existsSync(path) ? realpathSync(path) : path;
  const folder = dirname(target);
  const old = readdirSync(folder).filter((name) => {
    if (!name.startsWith(basename(target) + replacedInfix)) return false;
    // No process writes to such a file. Its inode changes when it gets its name.
    return statSync(join(folder, name)).ctimeMs < time;
  });
  for (const name of old) rmSync(join(folder, name), { force: true });
  return old.length;
}

/**
 * Checks that the database at `path` is intact and usable. The bot may be running. Changes nothing.
 *
 * @throws `database-unusable`, `database-too-new`
 */
export function checkDatabase(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(realpathSync(path)), constants.W_OK | constants.X_OK);
    readOnly(path, assertKnownVersion);
    withFile(path, assertIntact);
  } catch (error) {
    throw toFailure(path, error);
  }
}

/** Other databases in the folder of the database, such as backups and what `restore` replaced. */
export function rollcallFilesBeside(path: string): readonly string[] {
  const own = realpathSync(path);
  return readdirSync(dirname(own), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(dirname(own), name))
    .filter((file) => file !== own && isSqliteFile(file));
}

function isSqliteFile(file: string): boolean {
  const header = Buffer.alloc(16);
  try {
    const opened = openSync(file, 'r');
    try {
      readSync(opened, header);
    } finally {
      closeSync(opened);
    }
  } catch {
    return false;
  }
  return header.toString('latin1') === 'SQLite format 3\0';
}

/** Copies a backup, with its side files, into one file that can replace the database. */
function writeRestored(file: string, temporary: string): void {
  withDatabase(file, (backup) => {
    assertIntact(backup);
    assertKnownVersion(backup);
    writeCopy(backup, temporary);
  });
}

function replaceDatabase(temporary: string, path: string, stamp: string): string | undefined {
  if (!existsSync(path)) {
    removeSideFiles(path);
    moveDurably(temporary, path);
    return undefined;
  }
  const replaced = freeName(`${path}${replacedInfix}${stamp}`);
  // SQLite deletes the side files of a file that it cannot read, so save them before opening it.
  for (const end of sideFiles) if (existsSync(path + end)) linkOrCopy(path + end, replaced + end);
  let current: Database | undefined;
  try {
    current = lockExclusively(path);
    // The database now contains what the side files held.
    if (current) removeSideFiles(replaced);
    linkOrCopy(path, replaced);
    chmodSync(replaced, ownerOnlyMode);
    syncFolder(path);
    // SQLite would apply old side files to the restored database.
    removeSideFiles(path);
    moveDurably(temporary, path);
    return replaced;
  } catch (error) {
    if (isFailure(error, 'database-in-use')) removeSideFiles(replaced);
    throw error;
  } finally {
    current?.close();
  }
}

/** Links a file under a second name. Copies it on file systems without links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') throw error;
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

/** Copies a database into a new file with owner-only access, and checks the copy. */
function writeCopy(database: Database, file: string): void {
  try {
    closeSync(openSync(file, 'wx', ownerOnlyMode));
  } catch (error) {
    throw systemCodeOf(error) === 'EEXIST'
      ? new Failure('backup-exists', { path: file })
      : toFailure(file, error);
  }
  try {
    database.prepare('VACUUM INTO ?').run(file);
    chmodSync(file, ownerOnlyMode);
    syncFile(file);
    syncFolder(file);
    withDatabase(file, assertIntact);
  } catch (error) {
    rmSync(file, { force: true });
    // A corrupt page in the source fails the copy.
    const isOfSource = error instanceof SqliteError && error.code.startsWith('SQLITE_CORRUPT');
    throw toFailure(isOfSource ? database.name : file, error);
  }
}

/** @throws `database-unusable` for a file that fails SQLite's integrity check */
function assertIntact(database: Database): void {
  const damage = database.pragma('integrity_check(1)', { simple: true });
  if (damage !== 'ok') throw databaseUnusable(database.name, 'damaged');
}

function withDatabase(path: string, work: (database: Database) => void): void {
  if (!existsSync(path)) throw databaseUnusable(path, 'ENOENT');
  try {
    if (readOnly(path, versionOf) === undefined) throw databaseUnusable(path, 'not-ours');
    withFile(path, work);
  } catch (error) {
    throw toFailure(path, error);
  }
}

function withFile(path: string, work: (database: Database) => void): void {
  const database = new Sqlite(path, { fileMustExist: true, timeout: 5000 });
  try {
    work(database);
  } finally {
    database.close();
  }
}

/**
 * Locks a database that no other process has open. SQLite leaves WAL mode only for the last process with the file open.
 * The system releases the locks of a dead process, so no lock file can be left behind.
 *
 * @returns undefined if the file is too damaged to lock; a backup may still replace it
 */
function lockExclusively(path: string): Database | undefined {
  const database = new Sqlite(path, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (!(error instanceof SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) throw new Failure('database-in-use', { path });
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

/** Makes new file names durable. Windows cannot sync folders, and does not need to. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
