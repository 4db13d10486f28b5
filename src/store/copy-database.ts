import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import { Failure } from '../errors/failure.js';
import { openDatabase, toFailure } from './database/database.js';
import { databaseUnusable } from './database/errors.js';
import { databaseName, isPostgresUrl } from './database/location.js';
import { assertKnownVersion, schemaVersion } from './database/migrate.js';
import { keyOf, type TableName, tableNames } from './database/schema.js';
import { unfinishedCopy, type WorkspaceTable } from './database/workspace.js';
import { lockOut, newProcessName } from './membership.js';

type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

const pageSize = 500;

export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
}

/**
 * Copies a database into another one, of either kind, and compares both: the rows of each table and their content.
 * Changes nothing in the source. An interrupted copy continues where it ended. Memory does not grow with the data.
 *
 * @param onTable called after each table
 * @throws `database-in-use` while a bot uses either database
 * @throws `target-not-empty`, `copy-differs`, `database-unusable`, `database-too-new`
 */
export async function copyDatabase(
  { from, to }: { readonly from: string; readonly to: string },
  now: () => number,
  onTable: (copied: CopiedTable) => void,
  signal: AbortSignal,
): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    const lock = async (location: string) => {
      const release = await lockOut(location);
      if (!release) throw new Failure('database-in-use', { path: databaseName(location) });
      closing.push(release);
    };
    await lock(from);
    const source = await openSource(from);
    closing.push(() => source.destroy());
    // The lock of PostgreSQL is a row of a table.
    if (!isPostgresUrl(to)) await lock(to);
    const target = await openTarget(to, now);
    closing.push(() => target.destroy());
    if (isPostgresUrl(to)) await lock(to);
    await begin(target, to);
    for (const table of tableNames) {
      const rows = await copyTable(source, target, table, to, signal);
      onTable({ table, rows });
    }
    // Without statistics, PostgreSQL reads whole tables until it has gathered some by itself. ANALYZE without a name would
    // read all tables of the database, and those of others may be large or locked.
    if (isPostgresUrl(to))
      for (const table of tableNames) await sql`ANALYZE ${sql.table(table)}`.execute(target);
    await finish(source, target);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function openSource(location: string): Promise<AnyDatabase> {
  if (isPostgresUrl(location)) {
    const [{ default: pg }, { poolConfig }, { inspectDatabase }] = await Promise.all([
      import('pg'),
      import('./postgres/open-postgres.js'),
      import('./inspect.js'),
    ]);
    if (!(await inspectDatabase(location))) throw databaseUnusable(databaseName(location), 'older');
    return new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool(poolConfig(location)) }) });
  }
  try {
    const database = new Sqlite(location, { fileMustExist: true, readonly: true });
    if (assertKnownVersion(database) !== schemaVersion) {
      database.close();
      throw databaseUnusable(location, 'older');
    }
    return new Kysely({ dialect: new SqliteDialect({ database }) });
  } catch (error) {
    throw toFailure(location, error);
  }
}

async function openTarget(location: string, now: () => number): Promise<AnyDatabase> {
  if (!isPostgresUrl(location)) return openDatabase(location, now) as unknown as AnyDatabase;
  const { openPostgres } = await import('./postgres/open-postgres.js');
  return (await openPostgres(location, now, newProcessName())).db as unknown as AnyDatabase;
}

/** Marks a target as unfinished. */
async function begin(target: AnyDatabase, to: string): Promise<void> {
  const workspace = await target.selectFrom('rollcall_workspace').select('id').executeTakeFirst();
  if (workspace?.id === unfinishedCopy) return;
  for (const table of tableNames) {
    const row = await target.selectFrom(table).select('workspace').limit(1).executeTakeFirst();
    if (row || workspace?.id !== '') throw new Failure('target-not-empty', { path: databaseName(to) });
  }
  await target.updateTable('rollcall_workspace').set({ id: unfinishedCopy }).execute();
}

async function finish(source: AnyDatabase, target: AnyDatabase): Promise<void> {
  const workspaces = source as unknown as Kysely<WorkspaceTable>;
  const workspace = await workspaces.selectFrom('rollcall_workspace').selectAll().executeTakeFirstOrThrow();
  await target.updateTable('rollcall_workspace').set(workspace).execute();
}

/** @returns how many rows the table has */
async function copyTable(
  source: AnyDatabase,
  target: AnyDatabase,
  table: TableName,
  to: string,
  signal: AbortSignal,
): Promise<number> {
  const wanted = await contentOf(source, table);
  const isCopied = async () => {
    const found = await contentOf(target, table);
    return { found, isSame: found.rows === wanted.rows && found.sum === wanted.sum };
  };
  if ((await isCopied()).isSame) return wanted.rows;
  // An earlier copy was interrupted here.
  await target.deleteFrom(table).execute();
  for await (const rows of pagesOf(source, table)) {
    signal.throwIfAborted();
    await target.insertInto(table).values(rows).execute();
  }
  const { found, isSame } = await isCopied();
  if (!isSame)
    throw new Failure('copy-differs', {
      path: databaseName(to),
      table,
      wanted: wanted.rows,
      found: found.rows,
    });
  return wanted.rows;
}

/** The rows in the order of the key. */
async function* pagesOf(db: AnyDatabase, table: TableName): AsyncGenerator<Record<string, unknown>[]> {
  const key = keyOf(table);
  for (let last: Record<string, unknown> | undefined; ; ) {
    const rows = await key
      .reduce((query, column) => query.orderBy(column), db.selectFrom(table).selectAll())
      .$if(last !== undefined, (query) =>
        query.where(
          sql<boolean>`(${sql.join(key.map((column) => sql.ref(column)))}) > (${sql.join(key.map((column) => last?.[column]))})`,
        ),
      )
      .limit(pageSize)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}

/** The number of rows, and the sum of their hashes, which does not depend on their order. */
async function contentOf(db: AnyDatabase, table: TableName) {
  let count = 0;
  let sum = 0n;
  for await (const rows of pagesOf(db, table)) {
    count += rows.length;
    for (const row of rows) {
      const named = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
      // PostgreSQL's texts cannot hold a NUL.
      const text = JSON.stringify(named).replaceAll('\\u0000', '\ufffd');
      sum = BigInt.asUintN(256, sum + BigInt(`0x${createHash('sha256').update(text).digest('hex')}`));
    }
    await nextTurn();
  }
  return { rows: count, sum };
}
