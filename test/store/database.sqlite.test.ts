import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { openDatabase, openFile, randomId } from '../../src/store/database.js';
import { DatabaseTooNew, DatabaseUnusable } from '../../src/store/errors.js';
import { migrate, versionOf } from '../../src/store/migrate.js';
import { migrations } from '../../src/store/migrations/index.js';
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
    await store.seenEnvelopes.add([{ envelope: 'e', seenAt: 1 }]);
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
      reason: 'SQLITE_NOTADB',
    });
    expect(readFileSync(text)).toEqual(before);

    const foreign = folder.path('foreign.db');
    const other = new Sqlite(foreign);
    other.exec('CREATE TABLE recipes (id)');
    other.close();
    const bytes = readFileSync(foreign);
    await expect(openStore(foreign, now)).rejects.toMatchObject({ reason: 'not-ours' });
    expect(readFileSync(foreign)).toEqual(bytes);
  });

  it('reports the error code of the system', async () => {
    mkdirSync(folder.path('folder.db'));
    await expect(openStore(folder.path('folder.db'), now)).rejects.toBeInstanceOf(DatabaseUnusable);
    writeFileSync(folder.path('file'), '');
    await expect(openStore(folder.path('file/rollcall.db'), now)).rejects.toMatchObject({
      code: 'database-unusable',
    });
  });
});

describe('migrations', () => {
  const shapeOf = (database: Sqlite.Database) =>
    database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name').all();

  it('reach the same schema from every earlier version', () => {
    const fresh = openFile(folder.path('fresh.db'));
    migrate(fresh, now);
    for (let earlier = 0; earlier <= migrations.length; earlier += 1) {
      const old = openFile(folder.path(`old-${earlier}.db`));
      migrate(old, now, migrations.slice(0, earlier));
      expect(versionOf(old) ?? 0).toBe(earlier);
      migrate(old, now);
      expect(shapeOf(old)).toEqual(shapeOf(fresh));
      expect(versionOf(old)).toBe(migrations.length);
      old.close();
    }
    fresh.close();
  });

  it('keep the meaning of requests from before views and kinds of files', () => {
    const old = openFile(folder.path('rollcall.db'));
    migrate(old, now, migrations.slice(0, 15));
    const typed = 'a,"csv":true,"overdueOnly":false,b';
    const filters = [{ object: 'user_filter', member: 'teams', entries: [typed] }];
    const request = { report: 'assignments', overdueOnly: true, range: 'last-week', filters };
    const save = old.prepare(
      `INSERT INTO saved_reports (id, workspace, channel, name, name_key, owner, made_by, request, revision, made_at, changed_at)
        VALUES (?, '', 'C1', ?, ?, 'U1', 'U1', ?, 1, 1, 1)`,
    );
    save.run('1', '1', '1', JSON.stringify({ ...request, csv: true, toMe: false }));
    save.run('2', '2', '2', JSON.stringify({ ...request, overdueOnly: false, toMe: false, csv: false }));
    old
      .prepare(
        "INSERT INTO builder_drafts (id, workspace, owner, content, revision, changed_at) VALUES ('d', '', 'U1', ?, 1, 1)",
      )
      .run(JSON.stringify({ state: { overdueOnly: false, report: 'tracks', csv: false }, purpose: 'run' }));
    migrate(old, now);
    const requests = old.prepare('SELECT request FROM saved_reports ORDER BY id').pluck().all();
    const kept = { report: 'assignments', filters, toMe: false };
    expect(requests.map((text) => JSON.parse(String(text)))).toEqual([
      { ...kept, assigned: 'last-week', view: 'overdue', file: 'csv' },
      { ...kept, range: 'last-week' },
    ]);
    const drafts = old.prepare('SELECT content FROM builder_drafts').pluck().all();
    expect(drafts).toEqual(['{"state":{"report":"tracks"},"purpose":"run"}']);
    old.close();
  });

  it('keep the meaning of ranges of overdue, which were about assigned dates', () => {
    const old = openFile(folder.path('rollcall.db'));
    migrate(old, now, migrations.slice(0, 27));
    const filters = [{ object: 'user_filter', member: 'teams', entries: ['"range":"x","view":"overdue"'] }];
    const overdue = { report: 'assignments', view: 'overdue', range: 'last-week', filters, toMe: false };
    const stored = [
      overdue,
      { ...overdue, dateField: 'due_date' },
      { ...overdue, range: undefined },
      { ...overdue, view: 'due' },
      { ...overdue, view: undefined },
    ];
    const save = old.prepare(
      `INSERT INTO saved_reports (id, workspace, channel, name, name_key, owner, made_by, request, revision, made_at, changed_at)
        VALUES (?, '', 'C1', ?, ?, 'U1', 'U1', ?, 1, 1, 1)`,
    );
    for (const [id, request] of stored.entries())
      save.run(`${id}`, `${id}`, `${id}`, JSON.stringify(request));
    migrate(old, now);
    const requests = old.prepare('SELECT request FROM saved_reports ORDER BY id').pluck().all();
    expect(requests.map((text) => JSON.parse(String(text)))).toEqual([
      { ...overdue, range: undefined, assigned: 'last-week' },
      ...stored.slice(1),
    ]);
    old.close();
  });

  it('are atomic, each alone', () => {
    const database = openFile(folder.path('rollcall.db'));
    const broken = [
      { name: 'good', statements: ['CREATE TABLE good (id INTEGER)'] },
      { name: 'bad', statements: ['CREATE TABLE half (id INTEGER)', 'CREATE TABLE good (id INTEGER)'] },
    ];
    expect(() => migrate(database, now, broken)).toThrow(/already exists/);
    expect(versionOf(database)).toBe(1);
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck();
    expect(tables.all()).toEqual(['good', 'rollcall_migrations']);
    database.close();
  });

  it('refuse a database of a newer version', async () => {
    const path = folder.path('rollcall.db');
    const newer = openFile(path);
    migrate(newer, now, [...migrations, { name: 'later', statements: ['CREATE TABLE later (id INTEGER)'] }]);
    newer.close();
    const refusal = await openStore(path, now).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DatabaseTooNew);
    expect(refusal).toMatchObject({ found: migrations.length + 1, known: migrations.length, path });
  });

  it('use no SQL that PostgreSQL lacks', () => {
    const text = migrations.flatMap(({ statements }) => statements).join('\n');
    expect(text).not.toMatch(
      /AUTOINCREMENT|WITHOUT ROWID|STRICT|PRAGMA|\bDATETIME\b|INSERT OR|REPLACE INTO/i,
    );
  });
});
