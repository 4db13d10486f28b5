import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import pg from 'pg';
import type { Tables } from '../database.js';
import { DatabaseTooNew, DatabaseUnusable } from '../errors.js';
import { databaseName } from '../location.js';
import { migrations } from '../migrations/index.js';
import { baseline } from './baseline.js';
import {
  fenceOf,
  LockingDialect,
  lockKey,
  preparing,
  toKnownPostgresError,
  transactionTurns,
  withTransactionTurns,
} from './driver.js';

/** Longest wait for a connection. */
const connectTimeoutMs = 5_000;

/** Longest run of a statement. None of Rollcall's takes seconds. */
const statementTimeoutMs = 15_000;

/** PostgreSQL ends a transaction that waits longer for its program, so that a frozen process holds no locks. */
const idleInTransactionMs = 8_000;

/** Connections of one process. */
const maxConnections = 10;

const oldestServer = { version: 140_000, name: '14' };

/** An open PostgreSQL database. The caller destroys it. */
export interface OpenedPostgres {
  readonly db: Kysely<Tables>;
  /** Uses the same connections. Each write throws NotLeading unless the process leads at that moment. */
  readonly fenced: Kysely<Tables>;
  /** How messages name it: without its user and its password. */
  readonly name: string;
}

/**
 * Connects to a database and applies missing migrations.
 *
 * @param url `postgres://user:password@host:port/database`; `search_path` names the schema, `sslmode` sets TLS
 * @param workspace the workspace whose transactions take turns, read for each transaction
 * @param process the name of this process
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export async function openPostgres(
  url: string,
  now: () => number,
  workspace: () => string,
  process: string,
): Promise<OpenedPostgres> {
  const name = databaseName(url);
  const pool = new pg.Pool(poolConfig(url));
  // A connection that breaks while it is idle is replaced by the next query.
  pool.on('error', () => {});
  // One that breaks in use fails its query. Without a listener, its second report would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await withClient(pool, (client) => prepareSchema(client, name, now()));
  } catch (error) {
    await pool.end();
    throw toKnownPostgresError(name, error);
  }
  const prepared = preparing(pool);
  const turns = transactionTurns();
  const open = (fence?: string) =>
    withTransactionTurns(
      new Kysely<Tables>({
        dialect: new LockingDialect({ pool: prepared }, { name, workspace, fence }),
        // SQLite accepts `IN ()`, PostgreSQL does not.
        plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
      }),
      turns,
    );
  return { db: open(), fenced: open(fenceOf(process)), name };
}

/** The settings of connections to the database of an address. */
export function poolConfig(url: string): pg.PoolConfig {
  const address = new URL(url);
  const schema = address.searchParams.get('search_path');
  address.searchParams.delete('search_path');
  const options = address.searchParams.get('options');
  address.searchParams.delete('options');
  const path = schema === null ? undefined : `-c search_path=${schema.replace(/([\\ ])/g, '\\$1')}`;
  return {
    connectionString: address.href,
    // Plans that are kept for all values miss the partial indexes.
    options: [options, path, '-c plan_cache_mode=force_custom_plan'].filter(Boolean).join(' '),
    max: maxConnections,
    application_name: 'rollcall',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    keepAlive: true,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  };
}

/** All whole numbers of the schema are below 2^53. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  const isNumber = oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC;
  return isNumber ? Number : pg.types.getTypeParser(oid, format as 'text');
}

async function withClient<Value>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Value>,
): Promise<Value> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

/**
 * Creates the schema that the address names, and brings it to this version. Processes that start at once take turns.
 *
 * @throws DatabaseUnusable `in-use-by-older` while processes of an earlier version use it
 */
export async function prepareSchema(client: pg.ClientBase, name: string, now: number): Promise<void> {
  const server = await client.query<{ version: number; schema: string | null; path: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_schema() AS schema,
      current_setting('search_path') AS path`,
  );
  const [{ version, schema, path } = { version: 0, schema: null, path: '' }] = server.rows;
  if (version < oldestServer.version) throw new DatabaseUnusable(name, 'postgres-too-old');
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey('migrations')})`);
    if (schema === null) {
      if (!/^\w+$/.test(path)) throw new DatabaseUnusable(name, 'no-schema');
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(path)}`);
    }
    await applyMigrations(client, name, now);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function applyMigrations(client: pg.ClientBase, name: string, now: number): Promise<void> {
  const tables = await client.query<{ table: string }>(
    'SELECT tablename AS table FROM pg_tables WHERE schemaname = current_schema()',
  );
  const isEmpty = tables.rows.length === 0;
  if (!isEmpty && !tables.rows.some(({ table }) => table === 'rollcall_migrations'))
    throw new DatabaseUnusable(name, 'not-ours');
  const applied = (version: number, what: string) =>
    client.query('INSERT INTO rollcall_migrations (version, name, applied_at) VALUES ($1, $2, $3)', [
      version,
      what,
      now,
    ]);
  if (isEmpty) {
    await client.query(
      'CREATE TABLE rollcall_migrations (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)',
    );
    await client.query(baseline.statements.join(';\n'));
    await applied(baseline.version, 'baseline');
  }
  const newest = await client.query<{ version: number }>(
    'SELECT MAX(version) AS version FROM rollcall_migrations',
  );
  const found = newest.rows[0]?.version ?? 0;
  if (found > migrations.length) throw new DatabaseTooNew(name, found, migrations.length);
  if (found < migrations.length && !isEmpty) {
    // All processes of Rollcall hold it in common. It ends with this transaction.
    const { rows } = await client.query<{ free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${lockKey('in use')}) AS free`,
    );
    if (!rows[0]?.free) throw new DatabaseUnusable(name, 'in-use-by-older');
  }
  for (const [index, migration] of migrations.entries()) {
    if (index + 1 <= found) continue;
    for (const statement of migration.statements) await client.query(statement);
    await applied(index + 1, migration.name);
  }
}
