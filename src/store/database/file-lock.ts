import Sqlite, { SqliteError } from 'better-sqlite3';

/** A lock that one process holds. The operating system ends it with the process, also after a crash. */
export interface FileLock {
  release(): void;
}

/**
 * Locks a file, and creates it if needed. A process ID would not do: in a container, the next process has the same one.
 *
 * @param waitMs how long to wait for the holder
 * @returns undefined while another holder has the lock, in this process or another
 */
export function lockFile(path: string, waitMs = 0): FileLock | undefined {
  const file = new Sqlite(path, { timeout: waitMs });
  try {
    // Nothing is written, so no journal has to outlive a crash.
    file.pragma('journal_mode = MEMORY');
    file.exec('BEGIN EXCLUSIVE');
    return { release: () => void file.close() };
  } catch (error) {
    file.close();
    if (error instanceof SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}
