import { existsSync } from 'node:fs';
import { databaseFrom, loadConfig, storeConfigFrom } from '../config/config.js';
import { compareRecordKey } from '../store/access/record-key.js';
import { backUp, restore } from '../store/database/backup.js';
import { databaseUnusable } from '../store/database/errors.js';
import { isPostgresUrl } from '../store/database/location.js';
import { inspectDatabase } from '../store/inspect.js';
import { openStore, type Store } from '../store/store.js';
import { wrongUsage } from './operator-messages.js';

/** Backs up the database to a new file, without the key of the record. Returns a message. */
export function backup(file: string): string {
  backUp(sqliteFile('Rollcall stores its data in PostgreSQL. Use pg_dump for a backup.'), file);
  return `Backup written to ${file}.\nThe key of the record is not in it: keep a copy of the key elsewhere.`;
}

/** Replaces the database with a backup. Returns a message. `now`, in epoch milliseconds, is for the name of the old one. */
export async function restoreFrom(file: string, now: number): Promise<string> {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const target = sqliteFile(
    'Rollcall stores its data in PostgreSQL. Use pg_restore for a backup of pg_dump.',
  );
  const kept = restore(file, target, stamp);
  const { recordKey } = loadConfig(storeConfigFrom);
  const keyId = (await inspectDatabase(target))?.recordKeyId;
  const hasKey = compareRecordKey(target, recordKey, keyId) === 'same';
  return [
    `Restored ${file}.`,
    ...(kept === undefined ? [] : [`The previous database is now ${kept}.`]),
    ...(hasKey
      ? []
      : [
          'The key of the record, which no backup holds, is not the one from then. Set RECORD_KEY to it. Otherwise the record goes on from a checkpoint at the next start, and nobody can verify what is before it.',
        ]),
  ].join(' ');
}

/** The path of the SQLite file, or the address of the PostgreSQL database. */
export function databaseLocation(): string {
  return loadConfig(databaseFrom);
}

/** @throws `wrong-usage` for PostgreSQL */
function sqliteFile(instead: string): string {
  const location = databaseLocation();
  if (isPostgresUrl(location)) throw wrongUsage(instead);
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
 * @throws `database-unusable` if there is no database; none is created
 */
export async function withExistingStore<Outcome>(work: (store: Store) => Promise<Outcome>): Promise<Outcome> {
  const { database: path, recordKey } = loadConfig(storeConfigFrom);
  if (!isPostgresUrl(path) && !existsSync(path)) throw databaseUnusable(path, 'ENOENT');
  const store = await openStore(path, Date.now, { recordKey });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
