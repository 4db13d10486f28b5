import { existsSync } from 'node:fs';
import { loadConfig, storeConfigFrom } from '../config/config.js';
import { backUp, restore } from '../store/backup.js';
import { DatabaseUnusable } from '../store/errors.js';
import { isPostgresUrl } from '../store/location.js';
import { openStore, type Store } from '../store/store.js';
import { WrongUsage } from './errors.js';

/** Backs up the database to a new file. Returns a message. */
export function backup(file: string): string {
  backUp(sqliteFile('Rollcall stores its data in PostgreSQL. Use pg_dump for a backup.'), file);
  return `Backup written to ${file}.`;
}

/**
 * Replaces the database with a backup. Returns a message.
 *
 * @param now milliseconds since the epoch, for the name of the replaced database
 */
export function restoreFrom(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const target = sqliteFile(
    'Rollcall stores its data in PostgreSQL. Use pg_restore for a backup of pg_dump.',
  );
  const kept = restore(file, target, stamp);
  return `Restored ${file}.${kept === undefined ? '' : ` The previous database is now ${kept}.`}`;
}

/** The path of the SQLite file, or the address of the PostgreSQL database. */
export function databaseLocation(): string {
  return loadConfig(storeConfigFrom).database;
}

/** @throws WrongUsage for PostgreSQL */
function sqliteFile(instead: string): string {
  const location = databaseLocation();
  if (isPostgresUrl(location)) throw new WrongUsage(instead);
  return location;
}

/** True if the database that the settings name exists. */
export function hasStore(): boolean {
  const location = databaseLocation();
  return isPostgresUrl(location) || existsSync(location);
}

/**
 * Opens the store for a task, and closes it. The bot may be running.
 *
 * @throws DatabaseUnusable if there is no database; none is created
 */
export async function withExistingStore<Outcome>(work: (store: Store) => Promise<Outcome>): Promise<Outcome> {
  const path = databaseLocation();
  if (!isPostgresUrl(path) && !existsSync(path)) throw new DatabaseUnusable(path, 'ENOENT');
  const store = await openStore(path, Date.now);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
