import {
  CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import type { Tables } from '../database.js';
import { DatabaseTooNew, DatabaseUnusable, NotLeading } from '../errors.js';

/** An expression for the key of an advisory lock. Each schema has its own. */
export function lockKey(what: string, name = ''): string {
  const text = `${what} ${name}`.replace(/[^\w: .-]/g, '');
  return `hashtextextended('rollcall ' || current_setting('search_path') || ' ${text}', 0)`;
}

/** PostgreSQL's code for the error of the fence: in a class of our own. */
const notLeadingCode = 'RC001';

/**
 * A statement that fails unless the session of this process holds the lock of the leader. Later transactions wait for
 * the turn of the one that runs it, so the next leader sees all that it writes.
 */
export function fenceOf(process: string): string {
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

const maxPrepared = 250;

/** PostgreSQL reads the text of a statement once for each connection. Texts that come late are not prepared. */
export function preparing(pool: pg.Pool): PostgresPool {
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

interface LockingOptions {
  /** How messages name the database. */
  readonly name: string;
  readonly workspace: () => string;
  /** Runs first in each transaction. Single writes are transactions then. */
  readonly fence?: string | undefined;
}

export class LockingDialect extends PostgresDialect {
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

/** Transactions of one process that have a connection. */
const maxTransactions = 2;

/** Lets some work run at a time, in the order in which it came. */
type Turns = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * One transaction of a process runs, and one waits for it in PostgreSQL. More of them would take all connections, and
 * single statements, such as those before an acknowledgement, would wait for them too.
 */
export function transactionTurns(): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= maxTransactions) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Transactions take turns, and one that PostgreSQL ended in favour of another is repeated. They call nothing outside the
 * database.
 */
export function withTransactionTurns(db: Kysely<Tables>, turns: Turns): Kysely<Tables> {
  const begin = db.transaction.bind(db);
  const withPlugin = db.withPlugin.bind(db);
  return Object.assign(db, {
    withPlugin: (plugin: Parameters<typeof withPlugin>[0]) => withTransactionTurns(withPlugin(plugin), turns),
    transaction() {
      const builder = begin();
      const execute = builder.execute.bind(builder);
      return Object.assign(builder, {
        execute: <Value>(work: Parameters<typeof execute<Value>>[0]) =>
          turns(async () => {
            for (let attempt = 1; ; attempt += 1) {
              try {
                return await execute(work);
              } catch (error) {
                const code = error instanceof DatabaseUnusable ? error.reason : '';
                if (!mayBeRepeated.has(code) || attempt === maxTransactionAttempts) throw error;
              }
            }
          }),
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
