import { existsSync } from 'node:fs';
import { loadConfig, storeConfigFrom } from '../config/config.js';
import { backUp, restore } from '../store/backup.js';
import { DatabaseUnusable } from '../store/errors.js';
import { openStore, type Store } from '../store/store.js';

/** Backs up the database to a new file. Returns a message. */
export function backup(file: string): string {
  backUp(databasePath(), file);
  return `Backup written to ${file}.`;
}

/**
 * Replaces the database with a backup. Returns a message.
 *
 * @param now milliseconds since the epoch, for the name of the replaced database
 */
export function restoreFrom(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const kept = restore(file, databasePath(), stamp);
  return `Restored ${file}.${kept === undefined ? '' : ` The previous database is now ${kept}.`}`;
}

export function databasePath(): string {
  return loadConfig(storeConfigFrom).databasePath;
}

/** True if the database that the settings name exists. */
export function hasStore(): boolean {
  return existsSync(databasePath());
}

/**
 * Opens the store for a task, and closes it. The bot may be running.
 *
 * @throws DatabaseUnusable if there is no database; none is created
 */
export async function withExistingStore<Outcome>(work: (store: Store) => Promise<Outcome>): Promise<Outcome> {
  const path = databasePath();
  if (!existsSync(path)) throw new DatabaseUnusable(path, 'ENOENT');
  const store = await openStore(path, Date.now);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
