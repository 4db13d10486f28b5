import { setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type QueryResult,
} from 'kysely';
import pg from 'pg';
import { Failure, isFailure } from '../../errors/failure.js';
import { writingKinds } from '../database/dialect.js';
import { databaseUnusable, isUnreachable } from '../database/errors.js';
import type { Db } from '../database/schema.js';

/** PostgreSQL's code for the error of the fence: in a class of our own. */
const notLeadingCode = 'RC001';

/**
 * A statement that fails unless this process leads. Later transactions wait for the turn of the one that runs it, so the
 * next leader sees all that it writes.
 */
export function fenceOf(process: string): string {
  return `DO $fence$ BEGIN
    IF NOT EXISTS (SELECT FROM rollcall_members WHERE leads = 1 AND name = ${pg.escapeLiteral(process)})
    THEN RAISE EXCEPTION 'Another process leads' USING ERRCODE = '${notLeadingCode}'; END IF;
  END $fence$`;
}

/** Only roles with rights on this table can take the lock. Reads, backups among them, do not wait for it. */
const takeTurn = 'LOCK TABLE rollcall_workspace IN EXCLUSIVE MODE';

const maxPrepared = 250;

/** The message of pg's error, which has no code. */
const queryTimedOut = 'Query read timeout';

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
      let isHung = false;
      return {
        query<Row>(text: unknown, values?: readonly unknown[]) {
          if (typeof text !== 'string') throw new TypeError('Cursors are not used');
          // Several statements in one text cannot be prepared. They have no values.
          const name = values === undefined || values.length === 0 ? undefined : nameOf(text);
          const result = client.query({ name, text, values: values as unknown[] });
          result.catch((error: Error) => {
            isHung ||= error.message === queryTimedOut;
          });
          return result as unknown as Promise<PostgresQueryResult<Row>>;
        },
        // The next query of a connection that hangs would wait behind the one that timed out.
        release: () => client.release(isHung),
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}

interface LockingOptions {
  /** How messages name the database. */
  readonly name: string;
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

/** Statements wait for a new connection this long: a server that restarts or fails over is often back within seconds. */
const repeatWindowMs = 8_000;
const repeatPauseMs = 100;

/** Repeats work that a broken connection ended, until the window closes. */
async function untilConnected<Value>(
  work: () => Promise<Value>,
  mayRepeat: (error: unknown) => boolean = () => true,
): Promise<Value> {
  const until = performance.now() + repeatWindowMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || !mayRepeat(error) || performance.now() > until) throw error;
      await sleep(repeatPauseMs);
    }
  }
}

/** Errors of commits. The server may have written them before the connection broke, so they are never repeated. */
const uncertain = new WeakSet<object>();

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
    const { name, fence } = this.options;
    return new CheckedConnection(await untilConnected(() => this.connect()), this, name, fence !== undefined);
  }

  private async connect(): Promise<DatabaseConnection> {
    try {
      return await super.acquireConnection();
    } catch (error) {
      throw toKnownPostgresError(this.options.name, error);
    }
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // One message to the server. Later statements see what the transaction before has committed.
    const begin = CompiledQuery.raw(['BEGIN', takeTurn, this.options.fence].filter(Boolean).join('; '));
    if (connection instanceof CheckedConnection) connection.isInTransaction = true;
    try {
      await connection.executeQuery(begin);
    } catch (error) {
      // The connection goes back to the pool, and a failed transaction would fail all that comes after.
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.commitTransaction(connection);
    } catch (error) {
      if (error instanceof Error) uncertain.add(error);
      throw error;
    }
    if (connection instanceof CheckedConnection) connection.isInTransaction = false;
  }

  /** A broken connection has no transaction to roll back. A second error would replace the first. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
    if (connection instanceof CheckedConnection) connection.isInTransaction = false;
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (!(connection instanceof CheckedConnection) || !connection.connection) return;
    await super.releaseConnection(connection.connection as never);
    connection.connection = undefined;
  }

  async replace(broken: CheckedConnection): Promise<void> {
    await this.releaseConnection(broken);
    broken.connection = await this.connect();
  }
}

class CheckedConnection implements DatabaseConnection {
  isInTransaction = false;

  /**
   * @param connection undefined once it went back to the pool
   * @param isFenced runs each write that is in no transaction in one of its own, which the driver fences
   */
  constructor(
    public connection: DatabaseConnection | undefined,
    private readonly driver: LockingDriver,
    private readonly name: string,
    private readonly isFenced: boolean,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.isInTransaction) return this.executeOnce(query);
    const { kind } = query.query;
    if (this.isFenced && writingKinds.has(kind)) return this.executeFenced(query);
    // The server may have done a write before the connection broke. A read does no harm.
    if (kind !== 'SelectQueryNode') return this.executeOnce(query);
    let isBroken = false;
    return untilConnected(async () => {
      if (isBroken) await this.driver.replace(this);
      isBroken = true;
      return this.executeOnce(query);
    });
  }

  private async executeFenced<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.driver.beginTransaction(this);
    try {
      const result = await this.executeOnce<Row>(query);
      await this.driver.commitTransaction(this);
      return result;
    } catch (error) {
      await this.driver.rollbackTransaction(this);
      throw error;
    }
  }

  private async executeOnce<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    // PostgreSQL's texts cannot hold a NUL.
    const parameters = query.parameters.map((value) =>
      typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value,
    );
    if (!this.connection) throw databaseUnusable(this.name, 'ECONNRESET');
    try {
      return await this.connection.executeQuery<Row>({ ...query, parameters });
    } catch (error) {
      throw toKnownPostgresError(this.name, error);
    }
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Cursors are not used');
  }
}

/** PostgreSQL ended a transaction in favour of another: a serialization failure, or a deadlock. */
const mayBeRepeated: ReadonlySet<string> = new Set(['40001', '40P01']);
const maxTransactionAttempts = 5;

/** Transactions of one process that have a connection. */
const maxTransactions = 2;

/** Runs a few pieces of work at a time, in the order in which they came. */
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
 * Transactions take turns. One that PostgreSQL ended in favour of another is repeated, and one whose connection broke
 * before its commit. They call nothing outside the database.
 */
export function withTransactionTurns(db: Db, turns: Turns): Db {
  const begin = db.transaction.bind(db);
  const withPlugin = db.withPlugin.bind(db);
  return Object.assign(db, {
    withPlugin: (plugin: Parameters<typeof withPlugin>[0]) => withTransactionTurns(withPlugin(plugin), turns),
    transaction() {
      const builder = begin();
      const execute = builder.execute.bind(builder);
      return Object.assign(builder, {
        execute: <Value>(work: Parameters<typeof execute<Value>>[0]) =>
          turns(() =>
            untilConnected(
              async () => {
                for (let attempt = 1; ; attempt += 1) {
                  try {
                    return await execute(work);
                  } catch (error) {
                    const code = isFailure(error, 'database-unusable') ? error.details.reason : '';
                    if (!mayBeRepeated.has(code) || attempt === maxTransactionAttempts) throw error;
                  }
                }
              },
              (error) => !(error instanceof Error && uncertain.has(error)),
            ),
          ),
      });
    },
  });
}

/** Turns a failure of the server, the network or the disk into `database-unusable`. Errors of the program stay. */
export function toKnownPostgresError(name: string, error: unknown): unknown {
  if (isFailure(error, 'database-unusable') || isFailure(error, 'database-too-new')) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === notLeadingCode) return new Failure('not-leading');
  if (error instanceof pg.DatabaseError && !serverFailures.test(code)) return error;
  if (code !== '') return databaseUnusable(name, code, error);
  // The pool and the client give no codes of their own.
  const isConnection =
    error instanceof Error && /connection|timeout|terminated|client/i.test(error.message.slice(0, 200));
  return isConnection ? databaseUnusable(name, 'ECONNRESET', error) : error;
}

/**
 * Classes and codes of PostgreSQL that mean the server, the disk or the account, and not the statement:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const serverFailures = /^(?:08|25006|28|3D000|3F000|40001|40P01|42501|53|55P03|57014|57P0|58|XX|25P03|25P04)/;
