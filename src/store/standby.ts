import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toKnownError } from './database.js';
import { type FileLock, lockFile } from './file-lock.js';
import { isPostgresUrl } from './location.js';
import type { LockEvents } from './postgres/leader-lock.js';

const retryMs = 250;

/**
 * Waits until no other process of Rollcall uses the database.
 *
 * - SQLite: the lock lies on a file of its own beside the database, and the system releases it with the process. Network
 *   file systems may not have locks.
 * - PostgreSQL: the lock belongs to a session of the server.
 *
 * @returns undefined if the signal ended the wait
 * @throws DatabaseUnusable
 */
export async function waitForDatabase(
  location: string,
  events: LockEvents,
  signal: AbortSignal,
): Promise<FileLock | undefined> {
  if (isPostgresUrl(location)) {
    const { waitForLeaderLock } = await import('./postgres/leader-lock.js');
    return waitForLeaderLock(location, events, signal);
  }
  let isWaiting = false;
  while (!signal.aborted) {
    const lock = lockOf(location);
    if (lock) return lock;
    if (!isWaiting) events.onWait();
    isWaiting = true;
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

function lockOf(location: string): FileLock | undefined {
  try {
    mkdirSync(dirname(location), { recursive: true, mode: 0o700 });
    return lockFile(`${location}.lock`);
  } catch (error) {
    throw toKnownError(location, error);
  }
}
