import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnusable } from '../errors.js';
import type { FileLock } from '../file-lock.js';
import { databaseName } from '../location.js';
import { poolConfig, toKnownPostgresError } from './open-postgres.js';

const heartbeatMs = 2_000;

/** A heartbeat that takes longer means that the database is out of reach. */
const heartbeatTimeoutMs = 3_000;

/**
 * PostgreSQL ends the session, and with it the lock, after this time without a heartbeat: of a frozen process, or of one
 * that is cut off. A process that is only cut off notices after five seconds, and stops within five more.
 */
const sessionTimeoutMs = 12_000;

const retryMs = 500;

/** How a process learns of the lock. */
export interface LockEvents {
  /** Called once if another process holds the lock. */
  readonly onWait: () => void;
  /** Called once if the lock may belong to another process. This one must stop using the database. */
  readonly onLost: () => void;
}

/**
 * Waits until this process alone leads on a PostgreSQL database. The lock belongs to a session of its own, so that it
 * ends with the process. Clocks of machines do not matter.
 *
 * @returns undefined if the signal ended the wait
 * @throws DatabaseUnusable if the first connection fails
 */
export async function waitForLeaderLock(
  url: string,
  { onWait, onLost }: LockEvents,
  signal: AbortSignal,
): Promise<FileLock | undefined> {
  let isFirst = true;
  let isWaiting = false;
  while (!signal.aborted) {
    const session = newSession(url);
    try {
      await session.connect();
      await assertNoPooler(session, url);
      isFirst = false;
      while (!signal.aborted) {
        if (await triesToLock(session)) return holdLock(session, onLost);
        if (!isWaiting) onWait();
        isWaiting = true;
        await sleep(retryMs, undefined, { signal }).catch(() => {});
      }
      await session.end();
    } catch (error) {
      session.end().catch(() => {});
      if (isFirst) throw toKnownPostgresError(databaseName(url), error);
      // The server restarts or fails over. The one that leads meanwhile notices by itself.
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

function newSession(url: string): pg.Client {
  const { options, ...config } = poolConfig(url);
  const session = new pg.Client({
    ...config,
    application_name: 'rollcall leader',
    options: `${options ?? ''} -c idle_session_timeout=${sessionTimeoutMs}`.trim(),
    query_timeout: heartbeatTimeoutMs,
  });
  // Errors of a broken connection reach the next query.
  session.on('error', () => {});
  return session;
}

/** A pooler answers with another process than the one it named. It may move a session, and its locks, between servers. */
async function assertNoPooler(session: pg.Client, url: string): Promise<void> {
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const named = 'processID' in session ? session.processID : undefined;
  if (rows[0]?.pid !== named) throw new DatabaseUnusable(databaseName(url), 'pooler');
}

async function triesToLock(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_lock(hashtext('rollcall leader ' || current_setting('search_path'))) AS locked",
  );
  return rows[0]?.locked === true;
}

function holdLock(session: pg.Client, onLost: () => void): FileLock {
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    onLost();
  };
  session.once('end', end);
  const beating = setInterval(() => session.query('SELECT 1').catch(end), heartbeatMs);
  beating.unref();
  return {
    release() {
      isOver = true;
      clearInterval(beating);
      void session.end().catch(() => {});
    },
  };
}
