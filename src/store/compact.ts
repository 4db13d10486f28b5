import { type Kysely, sql } from 'kysely';
import type { Tables } from './database.js';

const maxAttempts = 20;
const betweenAttemptsMs = 250;

/**
 * Rewrites the file without free pages and empties the write-ahead log, so that no byte of what was deleted stays in
 * the files. Other processes may use the database meanwhile; their reads and writes delay it.
 *
 * @returns false if the database was busy the whole time
 */
export async function compact(db: Kysely<Tables>): Promise<boolean> {
  return (
    (await succeeds(async () => {
      await sql`VACUUM`.execute(db);
      return true;
    })) &&
    (await succeeds(async () => {
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
      return rows[0]?.busy === 0;
    }))
  );
}

async function succeeds(attempt: () => Promise<boolean>): Promise<boolean> {
  for (let attempts = 0; attempts < maxAttempts; attempts += 1) {
    if (await attempt().catch(falseIfBusy)) return true;
    await new Promise((resolve) => setTimeout(resolve, betweenAttemptsMs));
  }
  return false;
}

function falseIfBusy(error: unknown): false {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return false;
  throw error;
}
