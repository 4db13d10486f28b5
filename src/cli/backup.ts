import { existsSync } from 'node:fs';
import { loadConfig, storeConfigFrom } from '../config/config.js';
import { backUp, restore } from '../store/backup.js';
import { DatabaseUnusable } from '../store/errors.js';
import { openStore, type Store } from '../store/store.js';
import { WrongUsage } from './errors.js';

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

/**
 * Takes a Slack user out of everything that is kept: what they asked stays, as nobody's, for the figures of use.
 *
 * @returns a sentence on what was done
 * @throws WrongUsage
 */
export async function forget(user: string): Promise<string> {
  if (!/^[UW][A-Z0-9]+$/.test(user)) {
    throw new WrongUsage('forget takes a Slack user ID such as U024BE7LH (“Copy member ID” in a profile).');
  }
  const { requests, approvals, savedReports, digests } = await withExistingStore((store) =>
    store.erasePerson(user),
  );
  if (requests + approvals + savedReports + digests === 0) return `Nothing is kept about ${user}.`;
  const [questions, reports, ofDigests, ofApprovals] = [
    sayCount(requests, 'question'),
    sayCount(savedReports, 'saved report'),
    sayCount(digests, 'digest'),
    sayCount(approvals, 'approval'),
  ];
  return `${user} is forgotten: ${questions}, ${reports}, ${ofDigests} and ${ofApprovals} no longer say whose they were; those kept in direct messages are deleted. Their digests in channels are paused until an admin hands them over. Backups made before still name ${user}.`;
}

function sayCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** The path of the database that the settings name. */
function databasePath(): string {
  return loadConfig(storeConfigFrom).databasePath;
}

/**
 * Works with the store of a bot that may be running, and closes it.
 *
 * @throws DatabaseUnusable where there is none yet: looking at it must not make one
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
