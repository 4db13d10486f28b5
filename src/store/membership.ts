import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toFailure } from './database/database.js';
import { type FileLock, lockFile } from './database/file-lock.js';
import { isPostgresUrl } from './database/location.js';
import type { MembershipEvents } from './postgres/join-postgres.js';

/** The processes of Rollcall that share a database, as one of them sees them. */
export type Membership = Readonly<ReturnType<typeof soleMember>>;

const retryMs = 250;

export function newProcessName(): string {
  return `${hostname()}:${process.pid}:${randomUUID()}`;
}

/** The only process of a database. */
export function soleMember(leave: () => void = () => {}) {
  const name = newProcessName();
  return {
    /** The name of this process: no other process ever has it. */
    process: name,
    /** True while this process leads. The leader alone runs digests, and does what must be done once. */
    leads: () => true,
    /** Seeks the lead from now on, and calls back once this process leads: at once if it does. */
    onLead: (call: () => void) => call(),
    /**
     * How far the clock of this machine is ahead of the time that all processes share, in milliseconds; negative:
     * behind. PostgreSQL's time counts, because the clocks of machines may differ.
     */
    clockAheadMs: () => 0,
    /** True if another process has ended, is frozen or is cut off. It will write nothing any more. */
    hasEnded: async (other: string) => other !== name,
    /** True if another process can continue the work of this one. */
    hasOthers: async () => false,
    /** True once others may take this process for ended. */
    isLost: false,
    /** Gives up the lead, and lets others continue at once. */
    leave: async () => leave(),
  };
}

/**
 * Joins the processes that use a database.
 *
 * - SQLite has room for one. Others wait for its end. The lock lies on a file of its own beside the database, and the
 *   system releases it with the process. Network file systems may not have locks.
 * - With PostgreSQL, all work at the same time, and one of them leads.
 *
 * @returns undefined if the signal ended the wait
 * @throws `database-unusable`, `database-too-new`
 */
export async function joinProcesses(
  location: string,
  events: MembershipEvents,
  signal: AbortSignal,
): Promise<Membership | undefined> {
  if (isPostgresUrl(location)) {
    const { joinPostgres } = await import('./postgres/join-postgres.js');
    return joinPostgres(location, newProcessName(), events, signal);
  }
  let isWaiting = false;
  while (!signal.aborted) {
    const lock = lockOf(location);
    if (lock) return soleMember(lock.release);
    if (!isWaiting) events.onWait();
    isWaiting = true;
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** Locks every process out of a database until the returned function is called. Undefined while one uses it. */
export async function lockOut(location: string): Promise<(() => void | Promise<void>) | undefined> {
  if (isPostgresUrl(location)) {
    const { lockPostgres } = await import('./postgres/join-postgres.js');
    return lockPostgres(location, newProcessName());
  }
  return lockOf(location)?.release;
}

function lockOf(location: string): FileLock | undefined {
  try {
    mkdirSync(dirname(location), { recursive: true, mode: 0o700 });
    return lockFile(`${location}.lock`);
  } catch (error) {
    throw toFailure(location, error);
  }
}
