import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { describeForOperator } from '../../src/cli/operator-messages.js';
import { isPostgresUrl } from '../../src/store/database/location.js';
import { migrate } from '../../src/store/database/migrate.js';
import { tableNames } from '../../src/store/database/schema.js';
import { openStore } from '../../src/store/store.js';

/** True in the project `postgres`. Tests of the store run on SQLite and on PostgreSQL. */
export const onPostgres = process.env.TEST_DATABASE === 'postgres';

/** `RECORD_KEY` of the tests on PostgreSQL. */
export const recordKey = '5a'.repeat(32);

interface FreshFolder {
  path(name: string): string;
  /** The location of a database for `openStore`: the same for the same name, and empty in each folder. */
  database(name?: string): string;
  /**
   * The location of a database that has its tables already, with nothing in them: making them takes longer than most
   * tests. With PostgreSQL, one of an earlier test that was emptied, if there is one: a test changes none of its tables,
   * and closes it at its end. `database` with the same name is the same one.
   *
   * @param name default: another one each time
   */
  databaseWithTables(name?: string): string;
}

/** A file with all tables and nothing in them, made once in each process. */
function fileWithTables(): Buffer {
  if (!madeFile) {
    const made = new Sqlite(':memory:');
    migrate(made, Date.now);
    madeFile = made.serialize();
    made.close();
  }
  return madeFile;
}

let madeFile: Buffer | undefined;

/** Schemas of this process that have all tables and nothing in them. */
const emptySchemas: string[] = [];

const newName = () => `test_${randomBytes(6).toString('hex')}`;

/** One connection of this process for all that it empties: a new one would first read what each table is. */
let emptying: pg.Pool | undefined;

/** Deletes what a test left in the tables of a schema, so that they are as the migrations made them. */
async function empty(schema: string): Promise<void> {
  emptying ??= new pg.Pool({
    connectionString: serverUrl(),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {});
  const made = await emptying.query(`SELECT WHERE to_regclass('${schema}.rollcall_workspace') IS NOT NULL`);
  if (made.rowCount === 0) return;
  const tables = [...tableNames, 'rollcall_members', 'rollcall_channel', 'rollcall_workspace'];
  const deletions = tables.map((table) => `DELETE FROM ${schema}.${table}`);
  await emptying.query(
    [...deletions, `INSERT INTO ${schema}.rollcall_workspace (id) VALUES ('')`].join('; '),
  );
  emptySchemas.push(schema);
}

/** A new folder for each test, or one for all tests of a group. It and its databases are deleted after them. */
export function freshFolder(of: 'test' | 'group' = 'test'): FreshFolder {
  let folder = '';
  let schemas = new Map<string, string>();
  let withTables: string[] = [];
  const [before, after] = of === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  beforeEach((context) => {
    if (onPostgres && inject('postgresUrl') === undefined) context.skip();
  });
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rollcall-store-'));
    schemas = new Map();
    withTables = [];
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    for (const schema of withTables) await empty(schema);
    // A server that the tests started is deleted with its databases.
    if (!process.env.TEST_POSTGRES_URL) return;
    for (const schema of schemas.values())
      await sqlOn(serverUrl(), `DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  });
  const database = (name = 'rollcall.db') => {
    if (!onPostgres) return join(folder, name);
    const schema = schemas.get(name) ?? newName();
    schemas.set(name, schema);
    return `${serverUrl()}?search_path=${schema}`;
  };
  return {
    path: (name) => join(folder, name),
    database,
    databaseWithTables(name = newName()) {
      if (!onPostgres) {
        const path = join(folder, name);
        if (!existsSync(path)) writeFileSync(path, fileWithTables(), { mode: 0o600 });
        return path;
      }
      // One on a server of somebody is deleted after its test.
      if (!schemas.has(name) && !process.env.TEST_POSTGRES_URL) {
        const schema = emptySchemas.pop() ?? newName();
        schemas.set(name, schema);
        withTables.push(schema);
      }
      return database(name);
    },
  };
}

function serverUrl(): string {
  const url = inject('postgresUrl');
  if (url === undefined) throw new Error('There is no PostgreSQL');
  return url;
}

/** The operator's message for an opening that fails. */
export async function openingFails(location: string): Promise<string> {
  return openStore(location, () => 5, { recordKey }).then(
    async (store) => {
      await store.close();
      return 'It opened.';
    },
    (error: unknown) => describeForOperator(error),
  );
}

/** Runs a statement and returns its rows. */
export type RunSql = <Row extends object>(statement: string) => Promise<Row[]>;

/** Runs a statement on a database of `freshFolder`, on another connection than the store. */
export function sqlOn<Row extends object>(location: string, statement: string): Promise<Row[]> {
  return connected(location, (run) => run<Row>(statement));
}

/** Runs several statements on one connection, since each connection starts a process of PostgreSQL. */
export async function connected<Result>(
  location: string,
  work: (run: RunSql) => Promise<Result>,
): Promise<Result> {
  if (!isPostgresUrl(location)) {
    const file = new Sqlite(location);
    try {
      return await work(async <Row extends object>(statement: string) => {
        const prepared = file.prepare<[], Row>(statement);
        if (prepared.reader) return prepared.all();
        prepared.run();
        return [];
      });
    } finally {
      file.close();
    }
  }
  const url = new URL(location);
  const schema = url.searchParams.get('search_path');
  url.searchParams.delete('search_path');
  const client = new pg.Client({ connectionString: url.href });
  // A server that ends all sessions fails the query. Without a listener, its second report would end the test.
  client.on('error', () => {});
  await client.connect();
  try {
    if (schema !== null) await client.query(`SET search_path = ${schema}`);
    return await work(async <Row extends object>(statement: string) => {
      return (await client.query<Row>(statement)).rows;
    });
  } finally {
    await client.end();
  }
}
