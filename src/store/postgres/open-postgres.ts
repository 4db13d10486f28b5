import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from 'kysely';
import pg from 'pg';
import { databaseUnusable } from '../database/errors.js';
import { databaseName } from '../database/location.js';
import {
  assertNotNewer,
  createListOfMigrations,
  listBeforeRelease,
  type Migration,
  migrations,
  missingSteps,
  versionAfter,
} from '../database/migrate.js';
import type { Tables } from '../database/schema.js';
import {
  fenceOf,
  LockingDialect,
  preparing,
  toKnownPostgresError,
  transactionTurns,
  withTransactionTurns,
} from './driver.js';
import { applicationName } from './members.js';

const connectTimeoutMs = 5_000;

/** Longest run of a statement. None of Rollcall's takes seconds. */
const statementTimeoutMs = 15_000;

/** A statement without an answer after this time hangs: the server would have ended it. */
const queryTimeoutMs = statementTimeoutMs + 5_000;

/** PostgreSQL ends a transaction that waits longer for its program, so that a frozen process holds no locks. */
const idleInTransactionMs = 8_000;

/** Connections of one process. */
const maxConnections = 10;

const oldestServer = { version: 140_000, name: '14' };

/**
 * Connects to a database and applies missing migrations. The caller destroys `db`. `fenced` uses the same connections,
 * and each of its writes throws `not-leading` unless the process leads at that moment.
 *
 * @param url `postgres://user:password@host:port/database`; `search_path` names the schema, `sslmode` sets TLS
 * @param process the name of this process
 * @throws `database-unusable`, `database-too-new`
 */
export async function openPostgres(url: string, now: () => number, process: string) {
  const name = databaseName(url);
  const pool = new pg.Pool({ ...poolConfig(url), application_name: applicationName('rollcall', process) });
  // A connection that breaks while it is idle is replaced by the next query.
  pool.on('error', () => {});
  // One that breaks in use fails its query. Without a listener, its second report would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const client = await pool.connect();
    await prepareSchema(client, name, now()).finally(() => client.release());
  } catch (error) {
    await pool.end();
    throw toKnownPostgresError(name, error);
  }
  const prepared = preparing(pool);
  const turns = transactionTurns();
  const open = (fence?: string) =>
    withTransactionTurns(
      new Kysely<Tables>({
        dialect: new LockingDialect({ pool: prepared }, { name, fence }),
        // SQLite accepts `IN ()`, PostgreSQL does not.
        plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
      }),
      turns,
    );
  return { db: open(), fenced: open(fenceOf(process)), name };
}

export function poolConfig(url: string): pg.PoolConfig {
  const address = new URL(url);
  const schema = address.searchParams.get('search_path');
  address.searchParams.delete('search_path');
  const options = address.searchParams.get('options');
  address.searchParams.delete('options');
  const path = schema === null ? undefined : `-c search_path=${schema.replace(/([\\ ])/g, '\\$1')}`;
  return {
    connectionString: address.href,
    // Plans for all values miss the partial indexes.
    options: [options, path, '-c plan_cache_mode=force_custom_plan'].filter(Boolean).join(' '),
    max: maxConnections,
    application_name: 'rollcall',
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: queryTimeoutMs,
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

/** Works on one connection of its own. @throws `database-unusable` */
export async function withPostgres<Value>(
  url: string,
  work: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client(poolConfig(url));
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw toKnownPostgresError(databaseName(url), error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Several processes that start at once on an empty database create the same. All but one find it there. */
const createdElsewhere: ReadonlySet<string> = new Set(['23505', '42P06', '42P07']);
const maxPreparations = 5;

/**
 * Creates the schema that the address names, and brings it to this version. Processes that start at once take turns.
 *
 * @throws `database-unusable` `in-use-by-older` while processes of an earlier version use it
 */
export async function prepareSchema(
  client: pg.ClientBase,
  name: string,
  now: number,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query('BEGIN');
    try {
      await createMissing(client, name);
      // Unlike an advisory lock, no one can take it without rights on the table.
      await client.query('LOCK TABLE rollcall_schema IN EXCLUSIVE MODE');
      await applyMigrations(client, name, now, steps);
      await client.query('COMMIT');
      return;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
      if (!createdElsewhere.has(code) || attempt === maxPreparations) throw error;
    }
  }
}

/** Creates the schema and the list of migrations. */
async function createMissing(client: pg.ClientBase, name: string): Promise<void> {
  const state = await stateOf(client, name);
  if (state.isReadOnly) throw databaseUnusable(name, '25006');
  if (state.schema === null) {
    const { path } = state;
    if (!/^\w+$/.test(path)) throw databaseUnusable(name, 'no-schema');
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${client.escapeIdentifier(path)}`);
  }
  if (!state.isOurs) await client.query(createListOfMigrations);
}

/**
 * Reads what the database of a connection is. Changes nothing.
 *
 * @throws `database-unusable` for a server that is too old, and for tables of another program
 */
export async function stateOf(client: pg.ClientBase, name: string) {
  // By name: the views of the information schema read the whole catalogue, which may have thousands of tables of others.
  const { rows } = await client.query<{
    readonly version: number;
    readonly schema: string | null;
    readonly path: string;
    readonly isReadOnly: boolean;
    /** False for an empty schema. */
    readonly isOurs: boolean;
    readonly isBeforeRelease: boolean;
  }>(
    `SELECT current_setting('server_version_num')::int AS version, current_schema() AS schema,
      current_setting('search_path') AS path, current_setting('transaction_read_only') = 'on' AS "isReadOnly",
      (SELECT count(*) = 3 FROM pg_attribute
        WHERE attrelid = to_regclass(quote_ident(current_schema()) || '.rollcall_schema')
          AND attname IN ('version', 'name', 'applied_at')) AS "isOurs",
      to_regclass(quote_ident(current_schema()) || '.' || $1) IS NOT NULL AS "isBeforeRelease"`,
    [listBeforeRelease],
  );
  const [state] = rows;
  if (!state || state.version < oldestServer.version) throw databaseUnusable(name, 'postgres-too-old');
  if (state.isBeforeRelease) throw databaseUnusable(name, 'before-release');
  if (state.schema !== null && !state.isOurs) {
    const tables = await client.query('SELECT FROM pg_tables WHERE schemaname = current_schema() LIMIT 1');
    if (tables.rowCount !== 0) throw databaseUnusable(name, 'not-ours');
  }
  return state;
}

async function applyMigrations(
  client: pg.ClientBase,
  name: string,
  now: number,
  steps: readonly Migration[],
): Promise<void> {
  const found = await versionOf(client);
  const known = versionAfter(steps);
  assertNotNewer(name, found, known);
  if (found !== undefined && found < known && (await isInUse(client)))
    throw databaseUnusable(name, 'in-use-by-older');
  for (const step of missingSteps(found, 'postgres', steps)) {
    await client.query(step.statements.join(';\n'));
    await client.query('INSERT INTO rollcall_schema (version, name, applied_at) VALUES ($1, $2, $3)', [
      step.version,
      step.name,
      now,
    ]);
  }
}

/** The number of the last applied migration; undefined where there is none. */
export async function versionOf(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ version: number | null }>(
    'SELECT MAX(version) AS version FROM rollcall_schema',
  );
  return rows[0]?.version ?? undefined;
}

async function isInUse(client: pg.ClientBase): Promise<boolean> {
  return (await client.query('SELECT FROM rollcall_members LIMIT 1')).rowCount === 1;
}
