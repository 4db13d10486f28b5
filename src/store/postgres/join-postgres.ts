import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isFailure } from '../../errors/failure.js';
import { databaseUnusable } from '../database/errors.js';
import { databaseName } from '../database/location.js';
import { toKnownPostgresError } from './driver.js';
import {
  applicationName,
  endMissing,
  hasEnded,
  hasOthers,
  join,
  joinAgain,
  leave,
  lookAtMembers,
  type MemberKind,
  type Members,
  takeLead,
} from './members.js';
import { poolConfig, prepareSchema, stateOf, withPostgres } from './open-postgres.js';

export interface MembershipEvents {
  /** Called once if it has to wait for another process. */
  readonly onWait: () => void;
  /** Called once if others may take this process for ended. It must stop using the database. */
  readonly onLost: () => void;
}

const heartbeatMs = 1_000;

/** While a process is missing. */
const watchfulMs = 250;

/** A heartbeat that takes longer means that the connection is broken. */
const heartbeatTimeoutMs = 3_000;

/**
 * PostgreSQL ends the session of a process after this time without a heartbeat: the process is frozen or cut off. One
 * that is not opens another session.
 */
const sessionTimeoutMs = 4_000;

/** A process that cannot open another session ends after this time. Others then continue its work. */
const maxAwayMs = 11_000;

const reconnectMs = 250;
const retryMs = 500;

/** The leaving of a process is worth this time of its stop. Without it, others notice a few seconds later. */
const maxLeaveMs = 500;

/** Clocks that differ by less count as equal. Answers that take longer do not tell the time. */
const maxClockErrorMs = 1_500;

/** On a busy machine, the first answers may take too long to tell the time. */
const maxFirstLooks = 5;

/**
 * Joins the processes on a PostgreSQL database. Each has a session of its own, which ends with it, so the clocks of
 * machines do not matter. `members.ts` says what others make of a session that is missing.
 *
 * Waits while processes of an earlier version use a database that this version has to change, and while it is copied.
 *
 * @returns undefined if the signal ended the wait
 * @throws `database-unusable`, `database-too-new`
 */
export async function joinPostgres(
  url: string,
  process: string,
  events: MembershipEvents,
  signal: AbortSignal,
) {
  for (let isWaiting = false; !signal.aborted; isWaiting = true) {
    const session = (await preparesSchema(url)) ? await joinedSession(url, process, 'bot') : undefined;
    if (session) return member(session, url, process, events);
    if (!isWaiting) events.onWait();
    await sleep(retryMs, undefined, { signal }).catch(() => {});
    if (!signal.aborted) await endMissingOn(url);
  }
  return undefined;
}

/**
 * Keeps every process away from a database, until the returned function is called.
 *
 * @returns undefined while a process uses it
 * @throws `database-unusable`
 */
export async function lockPostgres(url: string, process: string): Promise<(() => Promise<void>) | undefined> {
  // No process uses a database without Rollcall's tables.
  if (!(await endMissingOn(url))) return async () => {};
  const session = await joinedSession(url, process, 'copy');
  return (
    session &&
    (async () => {
      await leave(session, process);
      await session.end();
    })
  );
}

/** Returns undefined if the process has to wait. */
async function joinedSession(url: string, process: string, kind: MemberKind): Promise<pg.Client | undefined> {
  const session = await openSession(url, process, kind === 'copy' ? 0 : sessionTimeoutMs);
  try {
    if (await join(session, process, kind)) return session;
    await session.end();
    return undefined;
  } catch (error) {
    session.end().catch(() => {});
    throw toKnownPostgresError(databaseName(url), error);
  }
}

async function openSession(
  url: string,
  process: string,
  timeoutMs = sessionTimeoutMs,
  connectTimeoutMs = heartbeatTimeoutMs,
): Promise<pg.Client> {
  const { options, ...config } = poolConfig(url);
  const session = new pg.Client({
    ...config,
    application_name: applicationName('rollcall member', process),
    options: `${options ?? ''} -c idle_session_timeout=${timeoutMs}`.trim(),
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: heartbeatTimeoutMs,
  });
  // Errors of a broken connection reach the next query.
  session.on('error', () => {});
  try {
    await session.connect();
    await assertNoPooler(session, url);
    // In a database that is read-only for a while, processes must still be able to come back.
    await session.query('SET default_transaction_read_only = off');
    return session;
  } catch (error) {
    session.end().catch(() => {});
    throw toKnownPostgresError(databaseName(url), error);
  }
}

/** A pooler answers with another process than the one it named. It may move a session between servers. */
async function assertNoPooler(session: pg.Client, url: string): Promise<void> {
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const named = 'processID' in session ? session.processID : undefined;
  if (rows[0]?.pid !== named) throw databaseUnusable(databaseName(url), 'pooler');
}

/** False while processes of an earlier version use the database. */
async function preparesSchema(url: string): Promise<boolean> {
  try {
    await withPostgres(url, (client) => prepareSchema(client, databaseName(url), Date.now()));
    return true;
  } catch (error) {
    if (isFailure(error, 'database-unusable') && error.details.reason === 'in-use-by-older') return false;
    throw error;
  }
}

/** Processes that ended without a word keep no one waiting for long. Returns false where there are no tables. */
async function endMissingOn(url: string): Promise<boolean> {
  return withPostgres(url, async (client) => {
    const { isOurs } = await stateOf(client, databaseName(url));
    if (isOurs) await endMissing(client);
    return isOurs;
  });
}

/** A query that fails in a session that works breaks nothing. */
function breaksSession(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
}

async function member(first: pg.Client, url: string, process: string, { onLost }: MembershipEvents) {
  let session: pg.Client | undefined = first;
  let answeredAt = performance.now();
  let aheadMs = 0;
  let knowsTime = false;
  let isLeader = false;
  let hasLeft = false;
  let isLost = false;
  const waiting: (() => void)[] = [];

  /** Another process may end soon. */
  let isOneMissing = false;
  /** Aborted where there is a reason for a heartbeat at once. */
  let waking = new AbortController();
  const wake = () => waking.abort();
  const watch = (client: pg.Client) => client.once('end', wake);

  const lose = () => {
    if (hasLeft) return;
    hasLeft = true;
    isLost = true;
    isLeader = false;
    session?.end().catch(() => {});
    onLost();
  };

  const look = async (client: pg.Client): Promise<Members> => {
    const [began, beganAt] = [Date.now(), performance.now()];
    const members = await lookAtMembers(client, process);
    answeredAt = performance.now();
    const tookMs = answeredAt - beganAt;
    if (tookMs > maxClockErrorMs) return members;
    knowsTime = true;
    const measured = Math.round(began + tookMs / 2 - members.now);
    if (Math.abs(measured - aheadMs) >= maxClockErrorMs)
      aheadMs = Math.abs(measured) < maxClockErrorMs ? 0 : measured;
    return members;
  };

  const beat = async (client: pg.Client) => {
    let members = await look(client);
    isOneMissing = members.isToUpdate;
    if (isOneMissing) {
      await endMissing(client);
      members = await look(client);
    }
    if (!members.isMember) return lose();
    if (hasLeft || isLeader || waiting.length === 0) return;
    const leads =
      members.leader === process || (members.leader === null && (await takeLead(client, process)));
    if (hasLeft || !leads) return;
    isLeader = true;
    for (const call of waiting.splice(0)) call();
  };

  /** Opens another session, again and again. */
  const comeBack = async () => {
    session?.end().catch(() => {});
    session = undefined;
    for (;;) {
      try {
        const opened = await openSession(url, process, sessionTimeoutMs, timeLeft());
        const isMember = await joinAgain(opened, process);
        answeredAt = performance.now();
        if (isMember && !hasLeft) {
          session = opened;
          watch(opened);
          return;
        }
        opened.end().catch(() => {});
        return lose();
      } catch {
        if (hasLeft) return;
        if (performance.now() > answeredAt + maxAwayMs) return lose();
        await sleep(reconnectMs);
      }
    }
  };
  const timeLeft = () =>
    Math.min(Math.max(answeredAt + maxAwayMs - performance.now(), reconnectMs), heartbeatTimeoutMs);

  /** A session runs one query at a time. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Done>(work: () => Promise<Done>): Promise<Done> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const beating = async () => {
    while (!hasLeft) {
      waking = new AbortController();
      try {
        const current = session;
        if (current) await inTurn(() => beat(current));
      } catch (error) {
        if (!hasLeft && breaksSession(error)) await comeBack();
      }
      const { signal } = waking;
      if (!hasLeft)
        await sleep(isOneMissing ? watchfulMs : heartbeatMs, undefined, { signal }).catch(() => {});
    }
  };
  watch(first);
  // With the time of its own clock, it could run digests before they are due.
  for (let looks = 0; looks < maxFirstLooks && !knowsTime; looks += 1) await look(first);
  void beating();

  const ask = async <Answer>(question: (client: pg.Client) => Promise<Answer>): Promise<Answer> => {
    const name = databaseName(url);
    return inTurn(async () => {
      if (!session) throw databaseUnusable(name, 'ECONNRESET');
      return await question(session);
    }).catch((error) => {
      throw toKnownPostgresError(name, error);
    });
  };

  return {
    process,
    leads: () => isLeader,
    clockAheadMs: () => aheadMs,
    onLead(call: () => void) {
      if (isLeader) return call();
      waiting.push(call);
      wake();
    },
    hasEnded: async (other: string) => other !== process && (await ask((client) => hasEnded(client, other))),
    hasOthers: () => ask((client) => hasOthers(client, process)),
    get isLost() {
      return isLost;
    },
    async leave() {
      if (hasLeft) return;
      hasLeft = true;
      isLeader = false;
      wake();
      const current = session;
      const leaving = current && inTurn(() => leave(current, process)).catch(() => {});
      await Promise.race([leaving, sleep(maxLeaveMs, undefined, { ref: false })]);
      session?.end().catch(() => {});
    },
  };
}
