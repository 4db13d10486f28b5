import { Failure, isFailure } from '../../errors/failure.js';
import type { DatabaseTrouble } from '../../errors/operator-failures.js';

/**
 * The database cannot be opened, read or written, or is not a Rollcall database.
 *
 * @param reason the error code of the system, SQLite or PostgreSQL, such as `EACCES`, `SQLITE_FULL` or `53100`;
 *   `not-synced: EIO` after a commit
 */
export function databaseUnusable(
  path: string,
  reason: string,
  cause?: unknown,
): Failure<'database-unusable'> {
  return new Failure('database-unusable', { path, reason, trouble: troubleOf(reason), cause });
}

/** The connection broke, or none can be opened. A commit on its way may have arrived. */
export function isUnreachable(error: unknown): boolean {
  return isFailure(error, 'database-unusable') && error.details.trouble === 'unreachable';
}

function troubleOf(reason: string): DatabaseTrouble {
  // SQLite cannot enlarge a side file.
  if (/^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|53100)/.test(reason)) return 'full';
  if (reason.startsWith('not-synced')) return 'unsaved';
  if (/^(?:SQLITE_READONLY|EROFS|25006)/.test(reason)) return 'read-only';
  if (/^(?:SQLITE_BUSY|SQLITE_LOCKED|40001|40P01|55P03|57014)/.test(reason)) return 'locked';
  if (/^(?:08|53|57P|25P0|ECONN|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|EPIPE)/.test(reason))
    return 'unreachable';
  if (/^(?:28|3D000|3F000|42501|no-schema)/.test(reason)) return 'refused';
  return /^(?:SQLITE_CORRUPT|SQLITE_NOTADB|damaged)/.test(reason) ? 'damaged' : 'other';
}
