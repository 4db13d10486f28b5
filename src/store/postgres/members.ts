import pg from 'pg';
import { schemaVersion } from '../database/migrate.js';

/*
 * The processes on a database are rows of `rollcall_members`. A row names the session of its process, which ends with
 * the process. PostgreSQL says which sessions there are, of which role, and since when. So no one with another role
 * can pretend that a process lives, or keep one from joining, leading or ending. An advisory lock could be taken by
 * everyone who may connect.
 */

/** A process that serves Slack, or one that copies the database and keeps the others away. */
export type MemberKind = 'bot' | 'copy';

/** A process has this long to come back after another one found its session missing. Others then continue its work. */
const returnMs = 8_000;

/** The same for a process without any connection while the server stayed up: most likely it has ended. */
const returnFromNothingMs = 3_000;

const nowMs = "floor(date_part('epoch', clock_timestamp()) * 1000)::bigint";

const microseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000000)::bigint`;

/** The start of a session is hidden from roles that may not see it. Its role and its number are not. */
const isThere = `EXISTS (
  SELECT FROM pg_stat_get_activity(m.pid::int) AS s
  WHERE s.usesysid = m.role::oid
    AND (s.backend_start IS NULL OR ${microseconds('s.backend_start')} = m.session_began)
)`;

/** True while one of the connections of a process is open. `applicationName` puts its mark there. */
const hasConnections = `EXISTS (
  SELECT FROM pg_stat_activity AS s
  WHERE s.usesysid = m.role::oid AND right(s.application_name, 12) = right(m.name, 12)
)`;

const serverBegan = microseconds('pg_postmaster_start_time()');

/** How PostgreSQL lists the connections of a process. */
export function applicationName(what: string, process: string): string {
  return `${what} ${process.slice(-12)}`;
}

/** The row of the own session. */
const ownSession = `SELECT pid, usesysid::bigint AS role, ${microseconds('backend_start')} AS session_began,
    ${serverBegan} AS server_began
  FROM pg_stat_get_activity(pg_backend_pid())`;

/**
 * Returns false while another process copies the database, or, for a copy, while any process uses it. Also if a newer
 * version has changed the schema in this moment.
 */
export async function join(client: pg.ClientBase, name: string, kind: MemberKind): Promise<boolean> {
  await client.query('BEGIN');
  // Those that join take turns, and no one changes the schema meanwhile.
  await client.query('LOCK TABLE rollcall_schema IN SHARE ROW EXCLUSIVE MODE');
  const { rowCount } = await client.query(
    `INSERT INTO rollcall_members (name, kind, pid, role, session_began, server_began, leads)
      SELECT $1, $2, pid, role, session_began, server_began, 0 FROM (${ownSession}) AS own
      WHERE NOT EXISTS (SELECT FROM rollcall_members WHERE kind = 'copy' OR $2 = 'copy')
        AND (SELECT MAX(version) FROM rollcall_schema) = $3`,
    [name, kind, schemaVersion],
  );
  await client.query('COMMIT');
  return rowCount === 1;
}

/** Names another session for a process. Returns false if the process was taken for ended, which stays so. */
export async function joinAgain(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE rollcall_members AS m SET missing_since = NULL, pid = own.pid, role = own.role,
        session_began = own.session_began, server_began = own.server_began
      FROM (${ownSession}) AS own WHERE m.name = $1`,
    [name],
  );
  return rowCount === 1;
}

export async function leave(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('DELETE FROM rollcall_members WHERE name = $1', [name]);
}

export interface Members {
  /** PostgreSQL's time, in milliseconds since the epoch. */
  readonly now: number;
  /** False once others took this process for ended. */
  readonly isMember: boolean;
  readonly leader: string | null;
  /** True if `endMissing` has something to do. */
  readonly isToUpdate: boolean;
}

export async function lookAtMembers(client: pg.ClientBase, name: string): Promise<Members> {
  const { rows } = await client.query<Members>(
    `SELECT ${nowMs} AS now,
      EXISTS (SELECT FROM rollcall_members WHERE name = $1) AS "isMember",
      (SELECT name FROM rollcall_members WHERE leads = 1) AS leader,
      EXISTS (SELECT FROM rollcall_members AS m WHERE missing_since IS NOT NULL OR NOT ${isThere}) AS "isToUpdate"`,
    [name],
  );
  const [found] = rows;
  if (!found) throw new Error('PostgreSQL returned no row');
  return found;
}

/** Notes whose session is missing, and ends processes that did not come back in time. */
export async function endMissing(client: pg.ClientBase): Promise<void> {
  await client.query(
    `UPDATE rollcall_members AS m SET missing_since = CASE WHEN ${isThere} THEN NULL ELSE ${nowMs} END
      WHERE (missing_since IS NULL) <> ${isThere}`,
  );
  await client.query(
    `DELETE FROM rollcall_members AS m WHERE NOT ${isThere} AND missing_since <= ${nowMs} -
      CASE WHEN server_began = ${serverBegan} AND NOT ${hasConnections} THEN ${returnFromNothingMs} ELSE ${returnMs} END`,
  );
}

/** Returns false while another process leads. */
export async function takeLead(client: pg.ClientBase, name: string): Promise<boolean> {
  try {
    const { rowCount } = await client.query(
      `UPDATE rollcall_members SET leads = 1
        WHERE name = $1 AND NOT EXISTS (SELECT FROM rollcall_members WHERE leads = 1)`,
      [name],
    );
    return rowCount === 1;
  } catch (error) {
    // Another one took it in the same moment.
    if (error instanceof pg.DatabaseError && error.code === '23505') return false;
    throw error;
  }
}

export async function hasEnded(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM rollcall_members WHERE name = $1', [name]);
  return rowCount === 0;
}

export async function hasOthers(client: pg.ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM rollcall_members AS m WHERE name <> $1 AND kind = 'bot' AND ${isThere} LIMIT 1`,
    [name],
  );
  return rowCount === 1;
}
