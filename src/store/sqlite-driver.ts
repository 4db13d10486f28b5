import { type Database, SqliteError, type Statement } from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';

/** Maximum wait for another process's write. */
export const busyTimeoutMs = 5000;
const busyRetryDelayMs = 5;

/** Prepared statements are kept, because preparing one takes longer than running it. */
const maxStatements = 250;

/** Slack commands need an acknowledgement within three seconds, so other work gets its turn after this time. */
const maxBlockingMs = 5;

/** Transactions that are committed together, and the reads that have seen them. Each has a function to call at the end. */
interface Group {
  readonly members: ((failure: { readonly error: unknown } | undefined) => void)[];
}

const fileFailures = /^SQLITE_(?:FULL|READONLY|IOERR|BUSY|LOCKED|PROTOCOL|CORRUPT|NOTADB|CANTOPEN)/;

const writingKinds: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode']);

/**
 * Runs queries on one SQLite connection, one transaction after the other. Each is durable when it resolves.
 *
 * A commit waits for the disk, and the whole process with it. So all transactions of one turn of the event loop share a
 * commit: each is a savepoint in the same transaction of SQLite. A read that sees what is not committed yet waits for
 * that commit too.
 */
export class GroupingDriver implements Driver {
  private readonly statements = new LRUCache<string, Statement<unknown[]>>({ max: maxStatements });
  private readonly waiting: (() => void)[] = [];
  private isLocked = false;
  private group: Group | undefined;
  /** The turn of the event loop is over, but a transaction of the group is not. */
  private isCommitDue = false;
  /** When the database was first used in this turn of the event loop. */
  private turnBegan: number | undefined;

  /** @param asKnownError turns a failure of the file or the disk into the error that people see */
  constructor(
    private readonly database: Database,
    private readonly asKnownError: (error: unknown) => unknown,
  ) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = new GroupedConnection(this);
    await connection.lock();
    return connection;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.openGroup();
    this.runNow('SAVEPOINT grouped');
    asGrouped(connection).isInTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const grouped = asGrouped(connection);
    this.assertInTransaction();
    this.runNow('RELEASE grouped');
    grouped.isInTransaction = false;
    await this.afterGroup(grouped);
  }

  /** On a full disk, SQLite may have rolled back by itself. A second rollback would replace the error by its own. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const grouped = asGrouped(connection);
    if (!grouped.isInTransaction) return;
    grouped.isInTransaction = false;
    if (!this.database.inTransaction) return;
    this.runNow('ROLLBACK TO grouped');
    this.runNow('RELEASE grouped');
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asGrouped(connection).unlock();
  }

  async destroy(): Promise<void> {
    await this.lock();
    this.commitGroup();
    this.statements.clear();
    this.database.close();
  }

  async execute<Row>(connection: GroupedConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (connection.isInTransaction) {
      this.assertInTransaction();
      return this.runNow<Row>(query.sql, query.parameters);
    }
    const { kind } = query.query;
    if (writingKinds.has(kind)) await this.openGroup();
    // VACUUM and settings of the connection cannot be part of a transaction.
    else if (kind !== 'SelectQueryNode') this.commitGroup();
    const result = await this.runWhenFree<Row>(query.sql, query.parameters);
    if (this.group) await this.afterGroup(connection);
    return result;
  }

  async lock(): Promise<void> {
    if (this.isLocked) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isLocked = true;
    if (this.turnBegan === undefined) {
      this.turnBegan = performance.now();
      setImmediate(() => {
        this.turnBegan = undefined;
      });
    } else if (performance.now() - this.turnBegan >= maxBlockingMs) {
      this.commitGroup();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  unlock(): void {
    if (this.isCommitDue) this.commitGroup();
    const next = this.waiting.shift();
    if (next) next();
    else this.isLocked = false;
  }

  /** Others go on while this connection waits for the commit. */
  private async afterGroup(connection: GroupedConnection): Promise<void> {
    const { group } = this;
    const done =
      group &&
      new Promise<void>((resolve, reject) => {
        group.members.push((failure) => (failure ? reject(failure.error) : resolve()));
      });
    connection.unlock();
    await done;
  }

  private async openGroup(): Promise<void> {
    if (this.group) return;
    // The write lock comes first: a transaction that starts with a read fails if another process writes meanwhile.
    await this.runWhenFree('BEGIN IMMEDIATE', []);
    const group: Group = { members: [] };
    this.group = group;
    setImmediate(() => {
      if (this.group !== group) return;
      if (this.isLocked) this.isCommitDue = true;
      else this.commitGroup();
    });
  }

  private commitGroup(): void {
    const { group } = this;
    this.group = undefined;
    this.isCommitDue = false;
    if (!group) return;
    try {
      this.runNow('COMMIT');
      void endTogether(group, undefined);
    } catch (error) {
      void endTogether(group, { error });
      if (this.database.inTransaction) this.runNow('ROLLBACK');
    }
  }

  /** After a failure of the disk, a later statement of the same transaction would be saved alone. */
  private assertInTransaction(): void {
    if (!this.database.inTransaction) throw new Error('The transaction was rolled back');
  }

  /** Waits while another process writes. */
  private async runWhenFree<Row>(sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const waitsUntil = performance.now() + busyTimeoutMs;
    for (;;) {
      try {
        return this.runNow<Row>(sql, parameters);
      } catch (error) {
        const cause = error instanceof Error ? error.cause : undefined;
        const isBusy = cause instanceof SqliteError && cause.code.startsWith('SQLITE_BUSY');
        if (!isBusy || this.database.inTransaction || performance.now() >= waitsUntil) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, busyRetryDelayMs));
    }
  }

  private runNow<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    try {
      const statement = this.prepared(sql);
      if (statement.reader) return { rows: statement.all(parameters) as Row[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      const isOfFile = error instanceof SqliteError && fileFailures.test(error.code);
      const known = isOfFile ? this.asKnownError(error) : error;
      if (this.group && !this.database.inTransaction) {
        void endTogether(this.group, { error: known });
        this.group = undefined;
        this.isCommitDue = false;
      }
      throw known;
    }
  }

  private prepared(sql: string): Statement<unknown[]> {
    const known = this.statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare<unknown[]>(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

/** What hundreds of members do next would block the event loop, so they go on in slices of `maxBlockingMs`. */
async function endTogether(
  { members }: Group,
  failure: Parameters<Group['members'][number]>[0],
): Promise<void> {
  let since = performance.now();
  for (const end of members) {
    end(failure);
    // The member goes on before the next one: ticks come after all promises.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (performance.now() - since < maxBlockingMs) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}

/** The connection, for as long as one query or transaction has it. */
class GroupedConnection implements DatabaseConnection {
  isInTransaction = false;
  private hasLock = false;

  constructor(private readonly driver: GroupingDriver) {}

  async lock(): Promise<void> {
    await this.driver.lock();
    this.hasLock = true;
  }

  unlock(): void {
    if (!this.hasLock) return;
    this.hasLock = false;
    this.driver.unlock();
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!this.hasLock) await this.lock();
    return this.driver.execute<Row>(this, query);
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(query);
  }
}

function asGrouped(connection: DatabaseConnection): GroupedConnection {
  if (connection instanceof GroupedConnection) return connection;
  throw new TypeError('The connection belongs to another driver');
}
