import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deleteExpired } from '../../src/store/cleanup.js';
import { backUp, restore } from '../../src/store/database/backup.js';
import { openFile } from '../../src/store/database/database.js';
import { replacedDatabasesMs } from '../../src/store/database/expiry.js';
import { migrate, migrations } from '../../src/store/database/migrate.js';
import { openStore } from '../../src/store/store.js';
import { startScript } from '../process.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();

async function databaseWith(path: string, envelope: string) {
  const store = await openStore(path, Date.now);
  await store.seenDeliveries.add([{ envelope, seenAt: 1 }]);
  await store.close();
}

async function knows(path: string, envelope: string) {
  const store = await openStore(path, Date.now);
  const known = await store.seenDeliveries.has(envelope);
  await store.close();
  return known;
}

describe('a backup', () => {
  it('contains everything written while the bot runs, and only its owner can read it', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    await store.seenDeliveries.add([{ envelope: 'before', seenAt: 1 }]);
    backUp(path, folder.path('backup.db'));
    await store.close();
    expect(statSync(folder.path('backup.db')).mode & 0o777).toBe(0o600);
    expect(await knows(folder.path('backup.db'), 'before')).toBe(true);
  });

  it('overwrites no file', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'e');
    writeFileSync(folder.path('mine'), 'precious');
    expect(() => backUp(path, folder.path('mine'))).toThrow(
      expect.objectContaining({ code: 'backup-exists' }),
    );
    expect(readFileSync(folder.path('mine'), 'utf8')).toBe('precious');
  });

  it('of a missing database is refused, and leaves no file', async () => {
    expect(() => backUp(folder.path('gone.db'), folder.path('backup.db'))).toThrow(/ENOENT/);
    writeFileSync(folder.path('text.db'), 'x'.repeat(5000));
    expect(() => backUp(folder.path('text.db'), folder.path('backup.db'))).toThrow(/NOTADB/);
    await databaseWith(folder.path('rollcall.db'), 'e');
    expect(() => backUp(folder.path('rollcall.db'), folder.path('no/such/folder.db'))).toThrow(/ENOENT/);
    expect(readdirSync(dirname(folder.path('x'))).sort()).toEqual([
      'rollcall.db',
      'rollcall.db.key',
      'text.db',
    ]);
  });
});

describe('restoring', () => {
  it('replaces the database and keeps the previous one', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'old');
    backUp(path, folder.path('backup.db'));
    await databaseWith(path, 'new');
    const kept = restore(folder.path('backup.db'), path, '2026-11-20');
    expect(kept).toBe(`${path}.before-2026-11-20`);
    expect(await knows(path, 'old')).toBe(true);
    expect(await knows(path, 'new')).toBe(false);
    expect(await knows(kept ?? '', 'new')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });

  it('keeps the previous one for its owner alone, and deletes it by its age', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'old');
    backUp(path, folder.path('backup.db'));
    chmodSync(path, 0o644);
    const kept = restore(folder.path('backup.db'), path, '2026-11-20') ?? '';
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(folder.path('rollcall.db.before'), 'of somebody else');

    const store = await openStore(path, Date.now);
    // The time of the disk, which may not be that of the tests.
    const keptSince = Math.floor(statSync(kept).ctimeMs);
    await deleteExpired(store, keptSince + replacedDatabasesMs, 400);
    expect(existsSync(kept)).toBe(true);
    await deleteExpired(store, keptSince + replacedDatabasesMs + 1, 400);
    await store.close();
    expect(existsSync(kept)).toBe(false);
    expect(existsSync(folder.path('rollcall.db.before'))).toBe(true);
    expect(existsSync(folder.path('backup.db'))).toBe(true);
  });

  it('works without a database, and replaces a damaged one', async () => {
    await databaseWith(folder.path('one.db'), 'e');
    backUp(folder.path('one.db'), folder.path('backup.db'));
    expect(restore(folder.path('backup.db'), folder.path('two.db'), 'x')).toBeUndefined();
    expect(await knows(folder.path('two.db'), 'e')).toBe(true);
    writeFileSync(folder.path('three.db'), 'broken '.repeat(2000));
    const kept = restore(folder.path('backup.db'), folder.path('three.db'), 'x');
    expect(readFileSync(kept ?? '', 'utf8')).toContain('broken');
    expect(await knows(folder.path('three.db'), 'e')).toBe(true);
  });

  it('is refused while another process has the database open, even if that process is idle', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'e');
    backUp(path, folder.path('backup.db'));
    const script = `
      const database = new (require('better-sqlite3'))(process.argv[1]);
      database.prepare('SELECT COUNT(*) FROM seen_deliveries').get();
      process.stdout.write('open');
      process.stdin.once('data', () => process.exit());
    `;
    const bot = startScript(script, path);
    await bot.spoke;
    expect(() => restore(folder.path('backup.db'), path, 'x')).toThrow(
      expect.objectContaining({ code: 'database-in-use' }),
    );
    bot.child.kill('SIGKILL');
    await bot.ended;
    expect(restore(folder.path('backup.db'), path, 'x')).toBeDefined();
  });

  /** A bot that wrote much and was killed: its last writes are in the write-ahead log alone. */
  async function killedBot(path: string) {
    const script = `
      const database = new (require('better-sqlite3'))(process.argv[1]);
      database.pragma('journal_mode = WAL');
      database.pragma('wal_autocheckpoint = 0');
      const add = database.prepare('INSERT INTO seen_deliveries (workspace, delivery, seen_at) VALUES ((SELECT id FROM rollcall_workspace), ?, 1)');
      database.transaction(() => { for (let i = 0; i < 3000; i += 1) add.run('late ' + i); })();
      process.stdout.write('written');
      setInterval(() => {}, 1000);
    `;
    const bot = startScript(script, path);
    await bot.spoke;
    bot.child.kill('SIGKILL');
    await bot.ended;
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(50_000);
  }

  const check = (path: string) => {
    const database = openFile(path);
    const found = database.pragma('integrity_check', { simple: true });
    database.close();
    return found;
  };

  it.each([
    // SQLite reads this one from the log.
    ['its first page', 0, 100],
    ['the pages of its tables', 4096, 4096 * 12],
    ['all of it', 0, 1_000_000],
  ])(
    'over a database with a live log and damage to %s leaves nothing of it beside',
    async (_what, from, to) => {
      const path = folder.path('rollcall.db');
      await databaseWith(path, 'old');
      backUp(path, folder.path('backup.db'));
      await killedBot(path);
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0x5a, from, Math.min(to, bytes.length)));
      const kept = restore(folder.path('backup.db'), path, 'x') ?? '';
      for (const end of ['-wal', '-shm', '-journal']) expect(existsSync(path + end)).toBe(false);
      expect(check(path)).toBe('ok');
      expect(await knows(path, 'old')).toBe(true);
      expect(await knows(path, 'late 7')).toBe(false);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      // What can still be saved of it may be in its log.
      expect(existsSync(kept)).toBe(true);
      const logSize = statSync(`${kept}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      expect(logSize).toBeGreaterThan(to > bytes.length ? 50_000 : -1);
    },
  );

  it('keeps the last writes of a killed bot with the previous database', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'old');
    backUp(path, folder.path('backup.db'));
    await killedBot(path);
    const kept = restore(folder.path('backup.db'), path, 'x');
    expect(await knows(kept ?? '', 'late 2999')).toBe(true);
    expect(await knows(path, 'late 2999')).toBe(false);
    const again = restore(folder.path('backup.db'), path, 'x');
    expect(again).not.toBe(kept);
    expect(await knows(kept ?? '', 'late 2999')).toBe(true);
  });

  it('removes side files of a lost database, and creates the folder', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'old');
    backUp(path, folder.path('backup.db'));
    await killedBot(path);
    rmSync(path);
    expect(restore(folder.path('backup.db'), path, 'x')).toBeUndefined();
    expect(check(path)).toBe('ok');
    expect(await knows(path, 'late 7')).toBe(false);
    restore(folder.path('backup.db'), folder.path('new/folder/rollcall.db'), 'x');
    expect(await knows(folder.path('new/folder/rollcall.db'), 'old')).toBe(true);
  });

  it('restores a copied database together with its write-ahead log', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'old');
    await killedBot(path);
    for (const end of ['', '-wal']) copyFileSync(path + end, folder.path('copy.db') + end);
    restore(folder.path('copy.db'), folder.path('other.db'), 'x');
    expect(await knows(folder.path('other.db'), 'late 2999')).toBe(true);
  });

  it('refuses a damaged backup wherever the damage is, and keeps the current database with its log', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'mine');
    const source = openFile(path);
    const add = source.prepare(
      'INSERT INTO seen_deliveries (workspace, delivery, seen_at) VALUES ((SELECT id FROM rollcall_workspace), ?, 1)',
    );
    for (let i = 0; i < 2000; i += 1) add.run(`envelope ${i}`);
    source.close();
    backUp(path, folder.path('backup.db'));
    const whole = readFileSync(folder.path('backup.db'));
    await killedBot(path);
    const [database, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    const pages = Math.floor(whole.length / 4096);
    let refused = 0;
    for (let page = 0; page < pages; page += 1) {
      const damaged = Buffer.from(whole).fill(0xff, page * 4096, page * 4096 + 4096);
      writeFileSync(folder.path('damaged.db'), damaged);
      expect(() => restore(folder.path('damaged.db'), path, 'x'), `page ${page}`).toThrow();
      refused += 1;
    }
    writeFileSync(folder.path('damaged.db'), whole.subarray(0, 4096 * 5));
    expect(() => restore(folder.path('damaged.db'), path, 'x')).toThrow();
    expect(refused).toBeGreaterThan(20);
    expect(readFileSync(path).equals(database)).toBe(true);
    expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
    expect(await knows(path, 'late 2999')).toBe(true);
    const left = readdirSync(dirname(path)).filter((name) => /before|restoring/.test(name));
    expect(left).toEqual([]);
  });

  it('refuses files that are not complete Rollcall databases', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'mine');
    const newer = openFile(folder.path('newer.db'));
    migrate(newer, Date.now, [...migrations, { name: 'later', statements: [] }]);
    newer.close();
    expect(() => restore(folder.path('newer.db'), path, 'x')).toThrow(
      expect.objectContaining({ code: 'database-too-new' }),
    );
    expect(() => restore(folder.path('gone.db'), path, 'x')).toThrow(/ENOENT/);
    writeFileSync(folder.path('text'), 'notes '.repeat(2000));
    expect(() => restore(folder.path('text'), path, 'x')).toThrow(/NOTADB/);
    await databaseWith(folder.path('damaged.db'), 'e');
    const bytes = readFileSync(folder.path('damaged.db'));
    writeFileSync(folder.path('damaged.db'), bytes.fill(0xff, 4096 * 2 + 8, 4096 * 5));
    expect(() => restore(folder.path('damaged.db'), path, 'x')).toThrow(/damaged|CORRUPT/);
    expect(await knows(path, 'mine')).toBe(true);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('before'))).toEqual([]);
  });
});
