import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { toKnownError } from './database.js';
import { type FileLock, lockFile } from './file-lock.js';
import { isPostgresUrl } from './location.js';

const retryMs = 250;

/**
 * Waits until this process alone may use an SQLite database. The lock lies on a file of its own beside the database, and
 * the system releases it with the process, also after a crash. It works on local disks only: network file systems may
 * not have locks. Processes with PostgreSQL need none.
 *
 * @param onWait called once if another process holds the lock
 * @returns undefined if the signal ended the wait
 */
export async function waitForDatabase(
  location: string,
  onWait: () => void,
  signal: AbortSignal,
): Promise<FileLock | undefined> {
  if (isPostgresUrl(location)) return { release: () => {} };
  let isWaiting = false;
  while (!signal.aborted) {
    const lock = lockOf(location);
    if (lock) return lock;
    if (!isWaiting) onWait();
    isWaiting = true;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, retryMs);
      signal.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
    });
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
