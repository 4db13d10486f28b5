import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnusable } from '../errors.js';
import { databaseName } from '../location.js';
import type { Membership, MembershipEvents } from '../membership.js';
import { lockKey, toKnownPostgresError } from './driver.js';
import { poolConfig, prepareSchema } from './open-postgres.js';

const heartbeatMs = 1_000;

/** A heartbeat that takes longer means that the database is out of reach. */
const heartbeatTimeoutMs = 3_000;

/**
 * PostgreSQL ends the session of a process, and with it its locks, after this time without a heartbeat: the process is
 * frozen or cut off. One that is cut off notices after four seconds, and ends within five more.
 */
const sessionTimeoutMs = 11_000;

const retryMs = 500;

/** Clocks that differ by less count as equal. */
const maxClockErrorMs = 1_500;

/**
 * Joins the processes on a PostgreSQL database. Each has a session of its own, which holds a lock with its name; the
 * leader's holds one more. Sessions end with their process, so the clocks of machines do not matter.
 *
 * Waits while processes of an earlier version use a database that this version has to change.
 *
 * @returns undefined if the signal ended the wait
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export async function joinPostgres(
  url: string,
  process: string,
  events: MembershipEvents,
  signal: AbortSignal,
): Promise<Membership | undefined> {
  const session = newSession(url);
  try {
    await session.connect();
    await assertNoPooler(session, url);
    let isWaiting = false;
    while (!(await preparesSchema(session, url))) {
      if (!isWaiting) events.onWait();
      isWaiting = true;
      await sleep(retryMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) {
        await session.end();
        return undefined;
      }
    }
    await session.query(`SELECT pg_advisory_lock_shared(${lockKey('in use')})`);
    await session.query(`SELECT pg_advisory_lock(${lockKey('process', process)})`);
    return member(session, process, await clockAheadMs(session), events.onLost);
  } catch (error) {
    session.end().catch(() => {});
    throw toKnownPostgresError(databaseName(url), error);
  }
}

/**
 * Keeps every process away from a database, until the returned function is called.
 *
 * @returns undefined while a process uses it
 * @throws DatabaseUnusable
 */
export async function lockPostgres(url: string): Promise<(() => void) | undefined> {
  const session = newSession(url, 0);
  try {
    await session.connect();
    if (await tries(session, `pg_try_advisory_lock(${lockKey('in use')})`)) {
      return () => void session.end().catch(() => {});
    }
    await session.end();
    return undefined;
  } catch (error) {
    session.end().catch(() => {});
    throw toKnownPostgresError(databaseName(url), error);
  }
}

function newSession(url: string, timeoutMs = sessionTimeoutMs): pg.Client {
  const { options, ...config } = poolConfig(url);
  const session = new pg.Client({
    ...config,
    application_name: 'rollcall member',
    options: `${options ?? ''} -c idle_session_timeout=${timeoutMs}`.trim(),
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

/** False while processes of an earlier version use the database. */
async function preparesSchema(session: pg.Client, url: string): Promise<boolean> {
  try {
    await prepareSchema(session, databaseName(url), Date.now());
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnusable && error.reason === 'in-use-by-older') return false;
    throw error;
  }
}

async function tries(session: pg.Client, expression: string): Promise<boolean> {
  const { rows } = await session.query<{ done: boolean }>(`SELECT ${expression} AS done`);
  return rows[0]?.done === true;
}

/** How far the clock of this machine is ahead of PostgreSQL's; undefined if the answer took too long to tell. */
async function clockAheadMs(session: pg.Client): Promise<number | undefined> {
  const [began, beganAt] = [Date.now(), performance.now()];
  const time = "floor(date_part('epoch', clock_timestamp()) * 1000)::bigint";
  const { rows } = await session.query<{ now: number }>(`SELECT ${time} AS now`);
  const tookMs = performance.now() - beganAt;
  return tookMs > maxClockErrorMs || !rows[0] ? undefined : Math.round(began + tookMs / 2 - rows[0].now);
}

function member(
  session: pg.Client,
  process: string,
  firstAheadMs: number | undefined,
  onLost: () => void,
): Membership {
  let aheadMs = 0;
  const correct = (measured: number | undefined) => {
    if (measured === undefined || Math.abs(measured - aheadMs) < maxClockErrorMs) return;
    aheadMs = Math.abs(measured) < maxClockErrorMs ? 0 : measured;
  };
  correct(firstAheadMs);
  let isLeader = false;
  let hasLeft = false;
  let isLost = false;
  const waiting: (() => void)[] = [];

  const lose = () => {
    if (hasLeft) return;
    hasLeft = true;
    isLost = true;
    isLeader = false;
    clearInterval(beating);
    onLost();
  };
  /** One query at a time. One that fails means that the session is lost. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Found>(query: () => Promise<Found>): Promise<Found> => {
    const found = last.then(query);
    last = found.catch(lose);
    return found;
  };
  const beat = async () => {
    // The attempt is a heartbeat too.
    const seeksLead = waiting.length > 0;
    const isDone = await inTurn(() =>
      tries(session, seeksLead ? `pg_try_advisory_lock(${lockKey('leader')})` : 'true'),
    );
    correct(await inTurn(() => clockAheadMs(session)));
    if (hasLeft || isLeader || !seeksLead || !isDone) return;
    isLeader = true;
    for (const call of waiting.splice(0)) call();
  };
  const beatOrLose = () => void beat().catch(lose);
  const beating = setInterval(beatOrLose, heartbeatMs);
  session.once('end', lose);

  return {
    process,
    leads: () => isLeader,
    clockAheadMs: () => aheadMs,
    onLead(call) {
      if (isLeader) return call();
      waiting.push(call);
      beatOrLose();
    },
    async hasEnded(other) {
      if (other === process) return false;
      const key = lockKey('process', other);
      const isFree = `CASE WHEN pg_try_advisory_lock(${key}) THEN pg_advisory_unlock(${key}) ELSE false END`;
      return inTurn(() => tries(session, isFree));
    },
    async hasOthers() {
      // Every process holds it in common.
      const key = lockKey('in use');
      return tries(
        session,
        `(SELECT count(*) > 1 FROM pg_locks WHERE locktype = 'advisory' AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND classid::bigint = ((${key}) >> 32) & 4294967295 AND objid::bigint = (${key}) & 4294967295)`,
      );
    },
    isLost: () => isLost,
    leave() {
      hasLeft = true;
      isLeader = false;
      clearInterval(beating);
      void session.end().catch(() => {});
    },
  };
}
