import { existsSync } from 'node:fs';
import { loadConfig, storeConfigFrom } from '../config/config.js';
import { backUp, restore } from '../store/backup.js';
import { DatabaseUnusable } from '../store/errors.js';
import { openStore, type Store } from '../store/store.js';
import { WrongUsage } from './errors.js';

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

/**
 * Erases a person from all stored data. Their requests stay without a name.
 *
 * @returns a message
 * @throws WrongUsage
 */
export async function forget(user: string): Promise<string> {
  if (!/^(?:[UW][A-Z0-9]+|[^@\s]+@[^@\s]+)$/.test(user)) {
    throw new WrongUsage(
      'forget needs a Slack user ID such as U024BE7LH (“Copy member ID” in a profile), or an email address.',
    );
  }
  const { requests, approvals, savedReports, digests, rules, events } = await withExistingStore((store) =>
    store.erasePerson(user),
  );
  if (requests + approvals + savedReports + digests + rules + events === 0) {
    return `There is no data about ${user}.`;
  }
  const erased = [
    formatCount(requests, 'request'),
    formatCount(savedReports, 'saved report'),
    formatCount(digests, 'digest'),
    formatCount(approvals, 'approval'),
    formatCount(rules, 'rule'),
    formatCount(events, 'event'),
  ].join(', ');
  return [
    `Erased ${user} from ${erased}.`,
    user.includes('@')
      ? 'Saved reports and digests that filter by this address keep it.'
      : 'Saved reports and digests in their direct messages are deleted. Their digests in channels are paused until an admin hands them over.',
    `Older backups still contain ${user}.`,
  ].join('\n');
}

function formatCount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function databasePath(): string {
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
