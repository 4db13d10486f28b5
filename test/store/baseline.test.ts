import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { tableNames } from '../../src/store/database/schema.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder, onPostgres, recordKey, sqlOn } from './fresh-folder.js';

/* `scripts/make-baseline.js` has made the files. Each migration has to bring them to its version. */

const folder = freshFolder();
const file = fileURLToPath(new URL('./baseline/rollcall.sqlite', import.meta.url));
const text = readFileSync(new URL('./baseline/postgres.sql', import.meta.url), 'utf8');

type Rows = readonly Record<string, unknown>[];

/** A database of the first release, with rows in all tables. */
async function baseline(): Promise<string> {
  const location = folder.database();
  if (!onPostgres) copyFileSync(file, location);
  else {
    const schema = new URL(location).searchParams.get('search_path');
    await sqlOn(location, `CREATE SCHEMA ${schema}; ${text}`);
  }
  return location;
}

/** The rows that the script has put into a table. */
function rowsMade(table: string): Rows {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all();
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

it('opens a database of the first release, and finds every row', async () => {
  const location = await baseline();
  const store = await openStore(location, () => 5, { recordKey });
  await store.useWorkspace('T1');
  expect(await store.events.verify(await store.events.head())).toMatchObject({ problems: [] });
  expect(await store.digests.ownedBy('U00ADA0001', 9)).toHaveLength(1);
  expect(await store.savedReports.ownedBy('U0GRACE001', 9)).toHaveLength(1);
  expect(await store.requestLog.recentOf('U00ADA0001', 9)).toMatchObject([{ state: 'posted', rows: 12 }]);
  await store.close();
  for (const table of ['rollcall_schema', 'rollcall_workspace', ...tableNames]) {
    const made = comparable(rowsMade(table));
    expect(made, table).not.toHaveLength(0);
    expect(comparable(await sqlOn(location, `SELECT * FROM ${table}`)), table).toEqual(made);
  }
});
