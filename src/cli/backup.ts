import { backUp, restore } from '../store/backup.js';
import { databasePath } from './open-existing-store.js';

/** Writes everything that is kept into a new file. Returns a sentence on it. */
export function backup(file: string): string {
  backUp(databasePath(), file);
  return `The backup is in ${file}.`;
}

/**
 * Puts a backup in the database's place. Returns a sentence on it.
 *
 * @param now milliseconds since the epoch, for the name under which the present database is kept
 */
export function restoreFrom(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const kept = restore(file, databasePath(), stamp);
  return `${file} is in place${kept === undefined ? '' : `; what was there is kept as ${kept}`}.`;
}
