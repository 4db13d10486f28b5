import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrations, schemaVersion } from '../../src/store/database/migrate.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder, onPostgres, recordKey, sqlOn } from './fresh-folder.js';

/* The files are filled databases of the first schema, and stay as they are. Migrations bring them to this version. */

const folder = freshFolder();
const file = fileURLToPath(new URL('./baseline/rollcall.sqlite', import.meta.url));
const text = readFileSync(new URL('./baseline/postgres.sql', import.meta.url), 'utf8');

type Rows = readonly Record<string, unknown>[];

/** A database of the first schema, with rows in all tables. */
async function baseline(): Promise<string> {
  const location = folder.database();
  if (!onPostgres) copyFileSync(file, location);
  else {
    const schema = new URL(location).searchParams.get('search_path');
    await sqlOn(location, `CREATE SCHEMA ${schema}; ${text}`);
  }
  return location;
}

/** The rows of each table of the files. */
function rowsMade(): ReadonlyMap<string, Rows> {
  const database = new Sqlite(file, { readonly: true });
  try {
    const names = database
      .prepare<[], string>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'rollcall_%' OR name = 'rollcall_workspace'",
      )
      .pluck()
      .all();
    return new Map(
      names.map((name) => [
        name,
        database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${name}`).all(),
      ]),
    );
  } finally {
    database.close();
  }
}

/** In any order. PostgreSQL's driver gives large numbers as texts. */
function comparable(rows: Rows): readonly string[] {
  return rows
    .map((row) => Object.entries(row).map(([name, value]) => `${name}: ${value}`))
    .map((members) => members.sort().join(', '))
    .sort();
}

/** What the migrations gave to the rows that were there. */
const added: Readonly<Record<string, Record<string, unknown>>> = {
  digests: { condition: null, audience: null, zones: null, covered_until: null, approved_by: null },
  posts: { by_hand: 0 },
};

it('opens a database of the first schema, and finds every row', async () => {
  const location = await baseline();
  const store = await openStore(location, () => 5, { recordKey });
  await store.useWorkspace('T1');
  expect(await store.events.verify(await store.events.head())).toMatchObject({ problems: [] });
  expect(await store.digests.ownedBy('U00ADA0001', 9)).toMatchObject([{ when: undefined }]);
  expect(await store.savedReports.ownedBy('U0GRACE001', 9)).toHaveLength(1);
  expect(await store.requestLog.recentOf('U00ADA0001', 9)).toMatchObject([{ state: 'posted', rows: 12 }]);
  await store.close();
  const made = rowsMade();
  expect(made.size).toBeGreaterThan(20);
  for (const [table, rows] of made) {
    expect(rows, table).not.toHaveLength(0);
    const wanted: Rows = rows.map((row) => ({ ...row, ...added[table] }));
    expect(comparable(await sqlOn(location, `SELECT * FROM ${table}`)), table).toEqual(comparable(wanted));
  }
  const versions = await sqlOn<Record<string, unknown>>(
    location,
    'SELECT version, name FROM rollcall_schema',
  );
  expect(comparable(versions)).toEqual(
    comparable([
      { version: 1, name: 'created' },
      ...migrations.map(({ name }, index) => ({ version: index + 2, name })),
    ]),
  );
  expect(versions).toHaveLength(schemaVersion);
});

it('gives a database of the first schema the tables, columns and indexes of a new one', async () => {
  const migrated = await baseline();
  const created = folder.database('created');
  for (const location of [migrated, created])
    await (await openStore(location, () => 5, { recordKey })).close();
  const shape = await shapeOf(migrated);
  expect(shape.length).toBeGreaterThan(200);
  expect(shape).toEqual(await shapeOf(created));
});

async function shapeOf(location: string): Promise<readonly string[]> {
  const statements = onPostgres
    ? [
        `SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name
          FROM information_schema.columns WHERE table_schema = current_schema()`,
        `SELECT tablename, indexname, replace(indexdef, current_schema() || '.', '') AS definition
          FROM pg_indexes WHERE schemaname = current_schema()`,
        `SELECT conrelid::regclass AS on_table, conname, pg_get_constraintdef(oid) AS definition
          FROM pg_constraint WHERE connamespace = current_schema()::regnamespace`,
      ]
    : [
        `SELECT m.name AS table_name, c.name, c.type, c."notnull", c.dflt_value, c.pk
          FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'`,
        "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'index'",
      ];
  const rows = await Promise.all(
    statements.map((statement) => sqlOn<Record<string, unknown>>(location, statement)),
  );
  return comparable(rows.flat());
}
