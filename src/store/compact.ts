import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { isFailure } from '../errors/failure.js';
import { type Db, tableNames } from './schema.js';

const maxAttempts = 20;
const betweenAttemptsMs = 250;

/** `busy`: other processes used the database the whole time. `disk-full`: there is no room for the new file. */
type Compaction = 'done' | 'busy' | 'disk-full';

/**
 * Rewrites the file without free pages and empties the write-ahead log, so that no byte of what was deleted stays in
 * the files. Other processes may use the database meanwhile; their reads and writes delay it.
 */
export async function compact(db: Db): Promise<Compaction> {
  try {
    const isRewritten = await succeeds(async () => {
      await sql`VACUUM`.execute(db);
      return true;
    });
    const isEmptied =
      isRewritten &&
      (await succeeds(async () => {
        const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
        return rows[0]?.busy === 0;
      }));
    return isEmptied ? 'done' : 'busy';
  } catch (error) {
    if (hasCode(error, 'SQLITE_FULL')) return 'disk-full';
    throw error;
  }
}

/**
 * Lets PostgreSQL use the space of what was deleted for new rows. Bytes of deleted rows stay in its files until they are
 * overwritten, and in its archives and backups for as long as the operator keeps those.
 */
export async function vacuum(db: Db): Promise<Compaction> {
  for (const table of tableNames) await sql`VACUUM ${sql.table(table)}`.execute(db);
  return 'done';
}

async function succeeds(attempt: () => Promise<boolean>): Promise<boolean> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    if (await attempt().catch(falseIfBusy)) return true;
    await sleep(betweenAttemptsMs);
  }
  return false;
}

function falseIfBusy(error: unknown): false {
  if (hasCode(error, 'SQLITE_BUSY')) return false;
  throw error;
}

/** Also for extended codes, such as `SQLITE_BUSY_SNAPSHOT`. */
function hasCode(error: unknown, code: string): boolean {
  return isFailure(error, 'database-unusable') && error.details.reason.startsWith(code);
}
