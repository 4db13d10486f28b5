import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Database, SqliteError, type Statement } from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { writingKinds } from './dialect.js';
import { databaseUnusable } from './errors.js';

/** Maximum wait for another process's write. */
export const busyTimeoutMs = 5000;
const busyRetryDelayMs = 5;

/** Prepared statements are cached, because preparing one takes longer than running it. */
const maxStatements = 250;

/** Slack commands need an acknowledgement within three seconds, so other work gets its turn after this time. */
const maxBlockingMs = 5;

/** Transactions that are committed together, and the reads that have seen them: a function each to call at the end. */
type Group = ((failure: { readonly error: unknown } | undefined) => void)[];

const fileFailures = /^SQLITE_(?:FULL|READONLY|IOERR|BUSY|LOCKED|PROTOCOL|CORRUPT|NOTADB|CANTOPEN)/;

/**
 * Runs queries on one SQLite connection, one transaction after the other. Each is durable when it resolves.
 *
 * Waiting for the disk takes longer than all else, so transactions share it: each is a savepoint in the same transaction of
 * SQLite, the group, which is committed once a turn of the event loop is over and the group before is on the disk. SQLite
 * writes a commit to its log and does not wait (`synchronous = NORMAL`). The driver waits, in a thread of Node's, before
 * any caller continues. A read that sees what is not on the disk yet waits too.
 */
export class GroupingDriver implements Driver {
  private readonly statements = new LRUCache<string, Statement<unknown[]>>({ max: maxStatements });
  private readonly waiting: (() => void)[] = [];
  private isLocked = false;
  /** Not committed yet. */
  private group: Group | undefined;
  /** Committed, and not on the disk yet. */
  private syncing: Group | undefined;
  /** The group has to be committed as soon as no transaction runs and the group before is on the disk. */
  private isCommitDue = false;
  /** When the database was first used in this turn of the event loop. */
  private turnBegan: number | undefined;
  /** Set once the disk did not take a commit. SQLite has it as committed, so nothing that follows can be trusted. */
  private failure: { readonly error: unknown } | undefined;

  /**
   * @param asFailure turns a failure of the file or the disk into the error that people see
   * @param onUnsaved called once the disk did not take a commit, after which every query fails
   */
  constructor(
    private readonly database: Database,
    private readonly log: WriteAheadLog,
    private readonly asFailure: (error: unknown) => unknown,
    private readonly onUnsaved: (error: unknown) => void,
  ) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<GroupedConnection> {
    const connection = new GroupedConnection(this);
    await connection.lock();
    return connection;
  }

  async beginTransaction(connection: GroupedConnection): Promise<void> {
    this.assertSynced();
    await this.openGroup();
    this.runNow('SAVEPOINT grouped');
    connection.isInTransaction = true;
  }

  async commitTransaction(connection: GroupedConnection): Promise<void> {
    this.assertInTransaction();
    this.runNow('RELEASE grouped');
    connection.isInTransaction = false;
    await this.afterGroup(connection);
  }

  /** On a full disk, SQLite may have rolled back by itself. A second rollback would replace the error by its own. */
  async rollbackTransaction(connection: GroupedConnection): Promise<void> {
    if (!connection.isInTransaction) return;
    connection.isInTransaction = false;
    if (!this.database.inTransaction) return;
    this.runNow('ROLLBACK TO grouped');
    this.runNow('RELEASE grouped');
  }

  async releaseConnection(connection: GroupedConnection): Promise<void> {
    connection.unlock();
  }

  async destroy(): Promise<void> {
    await this.lock();
    await this.finishGroups();
    this.statements.clear();
    await this.log.close();
    this.database.close();
  }

  async execute<Row>(connection: GroupedConnection, query: CompiledQuery): Promise<QueryResult<Row>> {
    if (connection.isInTransaction) {
      this.assertInTransaction();
      return this.runNow<Row>(query.sql, query.parameters);
    }
    this.assertSynced();
    const { kind } = query.query;
    if (writingKinds.has(kind)) await this.openGroup();
    else if (kind !== 'SelectQueryNode') return this.executeAlone<Row>(query);
    const result = await this.runWhenFree<Row>(query.sql, query.parameters);
    if (this.group ?? this.syncing) await this.afterGroup(connection);
    return result;
  }

  /** VACUUM and settings of the connection cannot be part of a transaction. */
  private async executeAlone<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    await this.finishGroups();
    const result = await this.runWhenFree<Row>(sql, parameters);
    void this.sync([]);
    await this.finishGroups();
    this.assertSynced();
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
      await nextTurn();
    }
  }

  unlock(): void {
    if (this.isCommitDue && !this.syncing) this.commitGroup();
    const next = this.waiting.shift();
    if (next) next();
    else this.isLocked = false;
  }

  /** Waits until all that was seen is on the disk. Others continue meanwhile. */
  private async afterGroup(connection: GroupedConnection): Promise<void> {
    const group = this.group ?? this.syncing;
    const done = group && endOf(group);
    connection.unlock();
    await done;
  }

  /** Commits what is open and waits for the disk. Never throws. The caller has the lock. */
  private async finishGroups(): Promise<void> {
    while (this.group || this.syncing) {
      if (!this.syncing) this.commitGroup();
      if (this.syncing) await endOf(this.syncing).catch(() => {});
    }
  }

  private async openGroup(): Promise<void> {
    if (this.group) return;
    // The write lock comes first: a transaction that starts with a read fails if another process writes meanwhile.
    await this.runWhenFree('BEGIN IMMEDIATE', []);
    const group: Group = [];
    this.group = group;
    setImmediate(() => {
      if (this.group === group) this.commitWhenFree();
    });
  }

  private commitWhenFree(): void {
    if (this.isLocked || this.syncing) this.isCommitDue = true;
    else this.commitGroup();
  }

  private commitGroup(): void {
    const { group } = this;
    this.group = undefined;
    this.isCommitDue = false;
    if (!group) return;
    try {
      this.assertSynced();
      this.runNow('COMMIT');
      void this.sync(group);
    } catch (error) {
      void endTogether(group, { error });
      if (this.database.inTransaction) this.runNow('ROLLBACK');
    }
  }

  private async sync(group: Group): Promise<void> {
    this.syncing = group;
    try {
      await this.log.sync();
    } catch (error) {
      const isFirst = this.failure === undefined;
      this.failure ??= { error: this.asFailure(error) };
      if (isFirst) this.onUnsaved(this.failure.error);
    }
    this.syncing = undefined;
    void endTogether(group, this.failure);
    if (this.isCommitDue) this.commitWhenFree();
  }

  private assertSynced(): void {
    if (this.failure) throw this.failure.error;
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
      await sleep(busyRetryDelayMs);
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
      const known = isOfFile ? this.asFailure(error) : error;
      if (this.group && !this.database.inTransaction) {
        void endTogether(this.group, { error: known });
        this.group = undefined;
        this.isCommitDue = false;
      }
      throw known;
    }
  }

  private prepared(sql: string): Statement<unknown[]> {
    const statement = this.statements.get(sql) ?? this.database.prepare<unknown[]>(sql);
    this.statements.set(sql, statement);
    return statement;
  }
}

/** Rejects if the group was not saved. */
function endOf(group: Group): Promise<void> {
  return new Promise((resolve, reject) => {
    group.push((failure) => (failure ? reject(failure.error) : resolve()));
  });
}

/** What hundreds of members do next would block the event loop, so they continue in slices of `maxBlockingMs`. */
async function endTogether(group: Group, failure: Parameters<Group[number]>[0]): Promise<void> {
  let since = performance.now();
  for (const end of group) {
    end(failure);
    // The member continues before the next one: ticks come after all promises.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    if (performance.now() - since < maxBlockingMs) continue;
    await nextTurn();
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

/** The file into which SQLite writes each commit first. Checkpoints copy it into the database from time to time. */
export interface WriteAheadLog {
  /** Resolves once the disk has all that was written before the call. @throws `database-unusable` */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A checkpoint takes milliseconds, and a commit has a few pages, so there is one about every 500 pages. */
const syncsPerCheckpoint = 100;

/**
 * SQLite begins its log anew only if no one writes when a checkpoint ends. If that does not happen for long, or the
 * thread is gone, the commit that reaches this size makes a checkpoint: 16 MB.
 */
const maxPages = 4000;

const checkpointWorker = new URL('./checkpoint-worker.js', import.meta.url);

/**
 * Opens the log of a database, whose commits do not wait for the disk from then on. Other threads do that, and make the
 * checkpoints too. SQLite keeps the file while a connection is open, and has its locks elsewhere, so the file may be
 * opened a second time.
 */
export function openWriteAheadLog(database: Database): WriteAheadLog {
  const path = realpathSync(database.name);
  const file = openSync(`${path}-wal`, 'r+');
  database.pragma('synchronous = NORMAL');
  database.pragma(`wal_autocheckpoint = ${maxPages}`);
  let syncs = 0;
  let worker: Worker | undefined;

  return {
    sync: () =>
      new Promise((done, fail) => {
        fdatasync(file, (cause) => {
          if (cause) return fail(databaseUnusable(path, `not-synced: ${cause.code}`, cause));
          syncs += 1;
          if (syncs % syncsPerCheckpoint === 0) {
            worker ??= startWorker(path);
            worker.postMessage('checkpoint');
          }
          done();
        });
      }),
    async close() {
      await worker?.terminate();
      closeSync(file);
    },
  };
}

function startWorker(path: string): Worker {
  const worker = new Worker(checkpointWorker, {
    workerData: path,
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  // Commits make the checkpoints then.
  worker.on('error', () => {});
  return worker;
}
