import Sqlite from 'better-sqlite3';
import { toFailure } from './database/database.js';
import { isPostgresUrl } from './database/location.js';
import { assertKnownVersion, schemaVersion } from './database/migrate.js';
import { erasedUser } from './erasure/erase-person.js';
import type { DatabaseAccess } from './postgres/inspect-postgres.js';

/** A digest that an operator has to look at. */
export interface TroubledDigest {
  readonly id: string;
  readonly channel: string;
  /** The code of the last failure or of the pause. */
  readonly code: string;
}

/** The facts of a database that `rollcall doctor` checks. */
export type Inspection = Awaited<ReturnType<typeof read>>;

/** @throws `database-unusable` */
export async function inspectAccess(url: string): Promise<DatabaseAccess> {
  const { inspectPostgresAccess } = await import('./postgres/inspect-postgres.js');
  return inspectPostgresAccess(url);
}

/** Reasons of pauses that hand-overs end. */
const ownerReasons = ['owner-left', 'owner-erased', 'owner-may-not-ask'];

/**
 * Reads what an operator should know of a database. The bot may be running. Changes nothing.
 *
 * @returns undefined for a database of an earlier version, which the next start updates
 * @throws `database-unusable`, `database-too-new`
 */
export async function inspectDatabase(location: string): Promise<Inspection | undefined> {
  if (isPostgresUrl(location)) {
    const { inspectPostgres } = await import('./postgres/inspect-postgres.js');
    return inspectPostgres(location, read);
  }
  try {
    const database = new Sqlite(location, { fileMustExist: true, readonly: true, timeout: 5000 });
    try {
      if (assertKnownVersion(database) !== schemaVersion) return undefined;
      return await read(async <Row>(sql: string) => database.prepare<[], Row>(sql).all());
    } finally {
      database.close();
    }
  } catch (error) {
    throw toFailure(location, error);
  }
}

/** Runs a query that both databases understand. */
type Select = <Row>(sql: string) => Promise<readonly Row[]>;

async function read(select: Select) {
  const count = async (table: 'access_rules' | 'access_admins') => {
    const [row] = await select<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`);
    return Number(row?.count ?? 0);
  };
  const [event] = await select<{ key_id: string }>(
    'SELECT key_id FROM event_chain ORDER BY seq DESC LIMIT 1',
  );
  const digests = await select<DigestState>(digestStates);
  const ownerless = digests.filter(hasNoOwner);
  const failing = digests.filter((digest) => !hasNoOwner(digest) && isFailing(digest));
  return {
    rules: await count('access_rules'),
    /** Those whom admins added. */
    admins: await count('access_admins'),
    /** How many are not deleted. */
    digests: digests.length,
    failing: failing.map(troubledDigest),
    ownerless: ownerless.map(troubledDigest),
    /** The key of the newest event of the record; undefined if there is no event. */
    recordKeyId: event?.key_id,
  };
}

interface DigestState {
  readonly id: string;
  readonly channel: string;
  readonly owner: string;
  readonly state: string;
  readonly paused_why: string | null;
  readonly failures: number;
  readonly last_state: string | null;
  readonly last_code: string | null;
}

/** The state and the code are those of the newest run that ended. */
const digestStates = `
  SELECT digests.id, digests.channel, owner, digests.state, paused_why, failures,
    newest.state AS last_state, newest.error_code AS last_code
  FROM digests
  LEFT JOIN posts AS newest ON newest.id = (
    SELECT id FROM posts
    WHERE posts.digest = digests.id AND posts.state IN ('posted', 'failed', 'unknown')
    ORDER BY due_at DESC LIMIT 1
  )
  WHERE deleted_at IS NULL
  ORDER BY digests.channel, digests.id`;

function hasNoOwner({ owner, state, paused_why }: DigestState): boolean {
  return owner === erasedUser || (state === 'paused' && ownerReasons.includes(paused_why ?? ''));
}

function isFailing({ state, paused_why, failures, last_state }: DigestState): boolean {
  if (state === 'paused') return paused_why !== null && paused_why !== 'by-hand';
  return failures > 0 || last_state === 'failed';
}

function troubledDigest({ id, channel, paused_why, last_code }: DigestState): TroubledDigest {
  return { id, channel, code: paused_why ?? last_code ?? 'unknown' };
}
