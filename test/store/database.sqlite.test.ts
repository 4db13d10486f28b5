import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { randomId } from '../../src/logging/logger.js';
import { plainRequest } from '../../src/requests/request.js';
import { restore } from '../../src/store/database/backup.js';
import { openDatabase, openFile } from '../../src/store/database/database.js';
import { migrate, migrations, schemaVersion, versionOf } from '../../src/store/database/migrate.js';
import { keyOf, type TableName, tableNames, textColumns } from '../../src/store/database/schema.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();
const now = () => 1_795_000_000_000;

it('random IDs are ten characters without those that people confuse, each a new one', () => {
  const ids = Array.from({ length: 5000 }, () => randomId());
  expect(ids.every((id) => /^[2-9a-hjkmnp-z]{10}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.join('')).size).toBe(31);
});

describe('opening the database', () => {
  it('creates the folder and a file that only its owner can read', async () => {
    const path = folder.path('a/b/rollcall.db');
    const store = await openStore(path, now);
    await store.seenDeliveries.add([{ envelope: 'e', seenAt: 1 }]);
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder.path('a/b')).mode & 0o777).toBe(0o700);
    await store.close();
  });

  it('restricts the mode of an existing file', async () => {
    const path = folder.path('rollcall.db');
    writeFileSync(path, '');
    chmodSync(path, 0o666);
    await (await openStore(path, now)).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('uses a write-ahead log, foreign keys and no wait that blocks', async () => {
    const db = openDatabase(folder.path('rollcall.db'), now);
    const pragma = async (name: string) => {
      const { rows } = await sql`${sql.raw(`PRAGMA ${name}`)}`.execute(db);
      return Object.values(rows[0] ?? {})[0];
    };
    expect(await pragma('journal_mode')).toBe('wal');
    // Normal: checkpoints are synced, and the driver syncs the log after each commit.
    expect(await pragma('synchronous')).toBe(1);
    expect(await pragma('foreign_keys')).toBe(1);
    expect(await pragma('busy_timeout')).toBe(0);
    await db.destroy();
  });

  it('keeps data when it is opened again', async () => {
    const path = folder.path('rollcall.db');
    const first = await openStore(path, now);
    const id = await first.requestLog.record({
      channel: 'C1',
      asker: 'U1',
      request: plainRequest('engagement'),
      requestedAt: 5,
    });
    await first.close();
    const second = await openStore(path, now);
    expect(await second.requestLog.find(id)).toMatchObject({ asker: 'U1', state: 'running', requestedAt: 5 });
    await second.close();
  });

  it('refuses files that are no database or not ours, and leaves them unchanged', async () => {
    const text = folder.path('notes.txt');
    writeFileSync(
      text,
      'these are my notes, and they are longer than a header of SQLite would be, by a good deal. '.repeat(9),
    );
    const before = readFileSync(text);
    await expect(openStore(text, now)).rejects.toMatchObject({
      code: 'database-unusable',
      details: { reason: 'SQLITE_NOTADB' },
    });
    expect(readFileSync(text)).toEqual(before);

    const foreign = folder.path('foreign.db');
    const other = new Sqlite(foreign);
    other.exec('CREATE TABLE recipes (id)');
    other.close();
    const bytes = readFileSync(foreign);
    await expect(openStore(foreign, now)).rejects.toMatchObject({ details: { reason: 'not-ours' } });
    expect(readFileSync(foreign).equals(bytes)).toBe(true);
  });

  it('reports the error code of the system', async () => {
    mkdirSync(folder.path('folder.db'));
    await expect(openStore(folder.path('folder.db'), now)).rejects.toMatchObject({
      code: 'database-unusable',
    });
    writeFileSync(folder.path('file'), '');
    await expect(openStore(folder.path('file/rollcall.db'), now)).rejects.toMatchObject({
      code: 'database-unusable',
    });
  });
});

describe('the schema', () => {
  /** The tables of a new file, but those of the database itself. */
  function catalogue() {
    const database = new Sqlite(':memory:');
    migrate(database, now);
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'rollcall_%'")
      .pluck();
    const texts = database
      .prepare(
        `SELECT m.name || '.' || c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
          WHERE m.type = 'table' AND m.name NOT LIKE 'rollcall_%' AND c.type = 'TEXT' AND c.name <> 'workspace'`,
      )
      .pluck();
    return { database, tables: tables.all().map(String), texts: texts.all().map(String) };
  }

  it('has the workspace in every key of every table', () => {
    const { database, tables } = catalogue();
    expect([...tableNames].sort()).toEqual(tables.sort());
    for (const table of tables) {
      const indexes = database.prepare(`SELECT name FROM pragma_index_list('${table}')`).pluck().all();
      expect(indexes.length, table).toBeGreaterThan(0);
      for (const index of indexes) {
        const [first] = database.prepare(`SELECT name FROM pragma_index_info('${index}')`).pluck().all();
        expect(first, String(index)).toBe('workspace');
      }
      const key = database.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`);
      expect(key.pluck().all(), table).toEqual(keyOf(table as TableName));
    }
    database.close();
  });

  it('says of every text column what an erasure does with it', () => {
    const { database, texts } = catalogue();
    expect(
      textColumns()
        .map(({ table, column }) => `${table}.${column}`)
        .sort(),
    ).toEqual(texts.sort());
    database.close();
  });
});

describe('migrations', () => {
  const [good, bad] = [
    { name: 'good', statements: ['CREATE TABLE good (id INTEGER)'] },
    { name: 'bad', statements: ['CREATE TABLE half (id INTEGER)', 'CREATE TABLE good (id INTEGER)'] },
  ];
  const tablesOf = (database: Sqlite.Database) =>
    database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();

  it('are numbered, and applied once', () => {
    const database = openFile(folder.path('rollcall.db'));
    migrate(database, now);
    expect(versionOf(database)).toBe(schemaVersion);
    for (const _again of [1, 2]) {
      migrate(database, now, [...migrations, good]);
      expect(versionOf(database)).toBe(schemaVersion + 1);
    }
    expect(database.prepare('SELECT version, name FROM rollcall_schema').all()).toEqual([
      { version: schemaVersion, name: 'created' },
      { version: schemaVersion + 1, name: 'good' },
    ]);
    expect(tablesOf(database)).toContain('good');
    database.close();
  });

  it('are applied as a whole or not at all', () => {
    const database = openFile(folder.path('rollcall.db'));
    migrate(database, now);
    const before = tablesOf(database);
    expect(() => migrate(database, now, [...migrations, good, bad])).toThrow(/already exists/);
    expect(versionOf(database)).toBe(schemaVersion);
    expect(tablesOf(database)).toEqual(before);
    database.close();
  });

  it('refuse a database of a newer version', async () => {
    const path = folder.path('rollcall.db');
    const newer = openFile(path);
    migrate(newer, now, [...migrations, good]);
    newer.close();
    const refusal = await openStore(path, now).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'database-too-new' });
    expect(refusal).toMatchObject({ details: { found: schemaVersion + 1, known: schemaVersion, path } });
  });

  it('refuse a database of a development version, which stays byte for byte', async () => {
    const path = folder.path('rollcall.db');
    const early = new Sqlite(path);
    early.pragma('journal_mode = WAL');
    early.exec('CREATE TABLE rollcall_migrations (version INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL)');
    early.exec("INSERT INTO rollcall_migrations VALUES (28, 'due-ranges')");
    // As a process that was killed leaves it: the last writes are in the write-ahead log alone.
    for (const end of ['', '-wal']) copyFileSync(path + end, folder.path(`killed.db${end}`));
    early.close();
    for (const file of [path, folder.path('killed.db')]) {
      const bytes = () =>
        ['', '-wal'].map((end) => existsSync(file + end) && readFileSync(file + end).toString('base64'));
      const before = bytes();
      await expect(openStore(file, now)).rejects.toMatchObject({ details: { reason: 'before-release' } });
      expect(() => restore(file, folder.path('target.db'), 'x')).toThrow(/before-release/);
      expect(bytes()).toEqual(before);
      expect(existsSync(folder.path('target.db'))).toBe(false);
    }
  });
});
