import {
  CompiledQuery,
  type DatabaseConnection,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryResult,
  replaceWithNoncontingentExpression,
} from 'kysely';
import pg from 'pg';
import type { Tables } from '../database.js';
import { DatabaseTooNew, DatabaseUnusable, NotLeading } from '../errors.js';
import { databaseName } from '../location.js';
import { migrations } from '../migrations/index.js';
import { baseline } from './baseline.js';

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
  const open = (fence?: string) =>
    withRepeatedTransactions(
      new Kysely<Tables>({
        dialect: new LockingDialect({ pool: prepared }, { name, workspace, fence }),
        // SQLite accepts `IN ()`, PostgreSQL does not.
        plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
      }),
    );
  return { db: open(), fenced: open(fenceOf(process)), name };
}

const maxPrepared = 250;

/** PostgreSQL reads the text of a statement once for each connection. Texts that come late are not prepared. */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size === maxPrepared) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    async connect() {
      const client = await pool.connect();
      return {
        query<Row>(text: unknown, values?: readonly unknown[]) {
          if (typeof text !== 'string') throw new TypeError('Cursors are not used');
          // Several statements in one text cannot be prepared. They have no values.
          const name = values === undefined || values.length === 0 ? undefined : nameOf(text);
          return client.query({ name, text, values: values as unknown[] }) as unknown as Promise<
            PostgresQueryResult<Row>
          >;
        },
        release: () => client.release(),
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

/** PostgreSQL's code for the error of the fence: in a class of our own. */
const notLeadingCode = 'RC001';

/**
 * A statement that fails unless the session of this process holds the lock of the leader. Later transactions wait for
 * the turn of the one that runs it, so the next leader sees all that it writes.
 */
function fenceOf(process: string): string {
  return `DO $$ BEGIN
    IF NOT EXISTS (
      SELECT FROM pg_locks
      WHERE locktype = 'advisory' AND granted AND objsubid = 1
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (classid::bigint << 32 | objid::bigint) IN (${lockKey('leader')}, ${lockKey('process', process)})
      GROUP BY pid HAVING count(*) = 2
    ) THEN RAISE EXCEPTION 'Another process leads' USING ERRCODE = '${notLeadingCode}'; END IF;
  END $$`;
}

/** An expression for the key of an advisory lock. Each schema has its own. */
export function lockKey(what: string, name = ''): string {
  const text = `${what} ${name}`.replace(/[^\w: .-]/g, '');
  return `hashtextextended('rollcall ' || current_setting('search_path') || ' ${text}', 0)`;
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

interface LockingOptions {
  /** How messages name the database. */
  readonly name: string;
  readonly workspace: () => string;
  /** Runs first in each transaction. Single writes are transactions then. */
  readonly fence?: string | undefined;
}

class LockingDialect extends PostgresDialect {
  constructor(
    private readonly config: PostgresDialectConfig,
    private readonly options: LockingOptions,
  ) {
    super(config);
  }

  override createDriver(): LockingDriver {
    return new LockingDriver(this.config, this.options);
  }
}

/**
 * Transactions of one workspace take turns, as SQLite's do. What a transaction reads stays true until it commits, so
 * that a check and the write that depends on it need no other lock.
 */
class LockingDriver extends PostgresDriver {
  constructor(
    config: PostgresDialectConfig,
    private readonly options: LockingOptions,
  ) {
    super(config);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const { name } = this.options;
    try {
      const connection = new CheckedConnection(await super.acquireConnection(), name);
      return this.options.fence === undefined ? connection : new FencedConnection(connection, this);
    } catch (error) {
      throw toKnownPostgresError(name, error);
    }
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const { workspace, fence } = this.options;
    const turn = `SELECT pg_advisory_xact_lock(${lockKey('transaction', workspace())})`;
    // One message to the server. Later statements see what the transaction before has committed.
    const begin = CompiledQuery.raw(['BEGIN', turn, fence].filter(Boolean).join('; '));
    try {
      await connection.executeQuery(begin);
    } catch (error) {
      // The connection goes back to the pool, and a failed transaction would fail all that comes after.
      await this.rollbackTransaction(connection);
      throw error;
    }
    if (connection instanceof FencedConnection) connection.isInTransaction = true;
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof FencedConnection) connection.isInTransaction = false;
    await super.commitTransaction(connection);
  }

  /** A broken connection has no transaction to roll back. A second error would replace the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof FencedConnection) connection.isInTransaction = false;
    await super.rollbackTransaction(connection).catch(() => {});
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const checked = connection instanceof FencedConnection ? connection.connection : connection;
    if (checked instanceof CheckedConnection) await super.releaseConnection(checked.connection as never);
  }
}

class CheckedConnection implements DatabaseConnection {
  constructor(
    readonly connection: DatabaseConnection,
    private readonly name: string,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // PostgreSQL's texts cannot hold a NUL.
    const parameters = query.parameters.map((value) =>
      typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value,
    );
    try {
      return await this.connection.executeQuery<Row>({ ...query, parameters });
    } catch (error) {
      throw toKnownPostgresError(this.name, error);
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery(query, chunkSize);
  }
}

const writes: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/** Runs each write that is in no transaction in one of its own, which the driver fences. */
class FencedConnection implements DatabaseConnection {
  isInTransaction = false;

  constructor(
    readonly connection: CheckedConnection,
    private readonly driver: LockingDriver,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isInTransaction || !writes.has(query.query.kind)) return this.connection.executeQuery(query);
    await this.driver.beginTransaction(this);
    try {
      const result = await this.connection.executeQuery<Row>(query);
      await this.driver.commitTransaction(this);
      return result;
    } catch (error) {
      await this.driver.rollbackTransaction(this);
      throw error;
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery(query, chunkSize);
  }
}

/** PostgreSQL ended a transaction in favour of another: a serialization failure, or a deadlock. */
const mayBeRepeated: ReadonlySet<string> = new Set(['40001', '40P01']);
const maxTransactionAttempts = 5;

/** Repeats a transaction that PostgreSQL ended in favour of another. Transactions call nothing outside the database. */
function withRepeatedTransactions(db: Kysely<Tables>): Kysely<Tables> {
  const begin = db.transaction.bind(db);
  const withPlugin = db.withPlugin.bind(db);
  return Object.assign(db, {
    withPlugin: (plugin: Parameters<typeof withPlugin>[0]) => withRepeatedTransactions(withPlugin(plugin)),
    transaction() {
      const builder = begin();
      const execute = builder.execute.bind(builder);
      return Object.assign(builder, {
        async execute<Value>(work: Parameters<typeof execute<Value>>[0]): Promise<Value> {
          for (let attempt = 1; ; attempt += 1) {
            try {
              return await execute(work);
            } catch (error) {
              const code = error instanceof DatabaseUnusable ? error.reason : '';
              if (!mayBeRepeated.has(code) || attempt === maxTransactionAttempts) throw error;
            }
          }
        },
      });
    },
  });
}

/** Turns a failure of the server, the network or the disk into DatabaseUnusable. Errors of the program stay. */
export function toKnownPostgresError(name: string, error: unknown): unknown {
  if (error instanceof DatabaseUnusable || error instanceof DatabaseTooNew) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === notLeadingCode) return new NotLeading();
  if (error instanceof pg.DatabaseError && !serverFailures.test(code)) return error;
  if (code !== '') return new DatabaseUnusable(name, code, { cause: error });
  // The pool and the client give no codes of their own.
  const isConnection =
    error instanceof Error && /connection|timeout|terminated|client/i.test(error.message.slice(0, 200));
  return isConnection ? new DatabaseUnusable(name, 'ECONNRESET', { cause: error }) : error;
}

/**
 * Classes and codes of PostgreSQL that mean the server, the disk or the account, and not the statement:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const serverFailures = /^(?:08|25006|28|3D000|3F000|40001|40P01|42501|53|55P03|57014|57P0|58|XX|25P03|25P04)/;
