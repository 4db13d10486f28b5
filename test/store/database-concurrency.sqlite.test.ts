import { existsSync, statSync, symlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Sqlite, { type Statement } from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDatabase } from '../../src/store/database/database.js';
import { databaseUnusable } from '../../src/store/database/errors.js';
import type { WriteAheadLog } from '../../src/store/database/sqlite-driver.js';
import { openStore } from '../../src/store/store.js';
import { startScript } from '../process.js';
import { found, settings } from './digest-setup.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();

/** Another process that takes the write lock, says so, and gives it up when told. */
function otherProcess(path: string) {
  const script = `
    const database = new (require('better-sqlite3'))(process.argv[1]);
    database.exec('BEGIN IMMEDIATE');
    database.prepare('INSERT INTO seen_deliveries (workspace, delivery, seen_at) VALUES ((SELECT id FROM rollcall_workspace), ?, 1)').run('theirs');
    process.stdout.write('held');
    process.stdin.once('data', () => { setTimeout(() => { database.exec('COMMIT'); database.close(); process.exit(); }, 100); });
  `;
  return startScript(script, path);
}

describe('two processes on one database', () => {
  it('wait for each other’s writes', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    const other = otherProcess(path);
    await other.spoke;
    // Reading goes on beside the writer.
    expect(await store.requestLog.interrupted()).toEqual([]);
    other.child.stdin?.write('go\n');
    await store.seenDeliveries.add([{ envelope: 'ours', seenAt: 2 }]);
    expect(await other.ended).toBe(0);
    expect([...(await store.seenDeliveries.latest(9))].sort()).toEqual(['ours', 'theirs']);
    await store.close();
  });

  it('wait for each other’s writes even if they begin with a read', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    const id = await store.digests.add(settings, 'U1', undefined, 1);
    const digest = found(await store.digests.find(id));
    const other = otherProcess(path);
    await other.spoke;
    other.child.stdin?.write('go\n');
    expect(await store.ledger.enterNow(digest, 'a', 1)).toEqual(expect.any(String));
    expect(await other.ended).toBe(0);
    await store.close();
  });

  it('can both start with an empty file', async () => {
    const path = folder.path('rollcall.db');
    const stores = await Promise.all([openStore(path, Date.now), openStore(path, Date.now)]);
    await Promise.all(
      stores.flatMap(({ seenDeliveries }) =>
        Array.from({ length: 50 }, (_, i) => seenDeliveries.add([{ envelope: `e${i}`, seenAt: i }])),
      ),
    );
    await Promise.all(stores.map((store) => store.close()));
    const file = new Sqlite(path, { readonly: true });
    expect(file.prepare('SELECT COUNT(*) FROM seen_deliveries').pluck().get()).toBe(50);
    file.close();
  });
});

describe('many writes at once', () => {
  /** Watches the statements that are run without a result. `full`: commits fail, as on a full disk. */
  function watchStatements() {
    const watched = { statements: [] as string[], full: false };
    const database = new Sqlite(':memory:');
    const statement = Object.getPrototypeOf(database.prepare('SELECT 1')) as Statement;
    const original = statement.run;
    const spy = vi.spyOn(statement, 'run').mockImplementation(function (this: Statement, ...parameters) {
      watched.statements.push(this.source);
      if (watched.full && this.source === 'COMMIT') throw new Sqlite.SqliteError('full', 'SQLITE_FULL');
      return original.apply(this, parameters);
    });
    onTestFinished(() => {
      spy.mockRestore();
      database.close();
    });
    return watched;
  }

  it('share commits, and let other work go on', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    const watched = watchStatements();
    let turns = 0;
    let isWriting = true;
    const turn = () => {
      turns += 1;
      if (isWriting) setImmediate(turn);
    };
    setImmediate(turn);
    const writes = Array.from({ length: 3000 }, (_, i) =>
      store.seenDeliveries.add([{ envelope: `e${i}`, seenAt: i }]),
    );
    const other = new Sqlite(path, { readonly: true });
    await writes[0];
    // What resolved is there for another process, and after a crash.
    expect(other.prepare("SELECT 1 FROM seen_deliveries WHERE delivery = 'e0'").get()).toBeDefined();
    await Promise.all(writes);
    isWriting = false;
    expect(other.prepare('SELECT COUNT(*) AS rows FROM seen_deliveries').get()).toEqual({ rows: 3000 });
    other.close();
    expect(watched.statements.filter((one) => one === 'COMMIT').length).toBeLessThan(300);
    expect(turns).toBeGreaterThan(3);
    await store.close();
  });

  it('let other work go on between what follows them', async () => {
    const store = await openStore(folder.path('rollcall.db'), Date.now);
    let turns = 0;
    let isWriting = true;
    const turn = () => {
      turns += 1;
      if (isWriting) setImmediate(turn);
    };
    setImmediate(turn);
    await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        await store.seenDeliveries.add([{ envelope: `e${i}`, seenAt: i }]);
        const until = performance.now() + 1;
        while (performance.now() < until);
      }),
    );
    isWriting = false;
    // All of it takes 300 ms.
    expect(turns).toBeGreaterThan(20);
    await store.close();
  });

  /** A database with a table of words, each of which it takes once. */
  async function openWords(...log: readonly [() => WriteAheadLog] | readonly []) {
    const path = folder.path('rollcall.db');
    const db = openDatabase(path, Date.now, ...log) as unknown as Kysely<{ words: { word: string } }>;
    await sql`CREATE TABLE words (word TEXT NOT NULL UNIQUE)`.execute(db);
    return {
      db,
      insert: (word: string) => db.insertInto('words').values({ word }).execute(),
      words: async () => (await db.selectFrom('words').select('word').execute()).map(({ word }) => word),
      inTransaction: (word: string, fails = false) =>
        db.transaction().execute(async (trx) => {
          await trx.insertInto('words').values({ word }).execute();
          if (fails) throw new Error('Not this one');
        }),
    };
  }

  it('fail one by one', async () => {
    const { db, insert, inTransaction, words } = await openWords();
    const ended = await Promise.allSettled([
      insert('a'),
      inTransaction('b', true),
      insert('a'),
      inTransaction('c'),
    ]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await words()).toEqual(['a', 'c']);
    await db.destroy();
  });

  it('all fail if the commit does, and so does what read them', async () => {
    const { db, inTransaction, words } = await openWords();
    const watched = watchStatements();
    watched.full = true;
    const ended = await Promise.allSettled([inTransaction('a'), inTransaction('b'), words()]);
    const reasons = ended.map((one) => one.status === 'rejected' && one.reason);
    const unusable = expect.objectContaining({ code: 'database-unusable' });
    expect(reasons).toEqual([unusable, unusable, unusable]);
    watched.full = false;
    await inTransaction('c');
    expect(watched.statements).toContain('ROLLBACK');
    expect(await words()).toEqual(['c']);
    await db.destroy();
  });

  /** A log whose disk takes nothing until it is told to, or told to fail. */
  function slowDisk() {
    const disk = { syncs: 0, isSlow: false, end: (_failure?: Error) => {} };
    const sync = () => {
      disk.syncs += 1;
      if (!disk.isSlow) return Promise.resolve();
      return new Promise<void>((resolve, reject) => {
        disk.end = (failure) => (failure ? reject(failure) : resolve());
      });
    };
    return { disk, log: () => ({ sync, close: async () => {} }) };
  }

  /** Which of some promises have settled. */
  function watchSettled(promises: Readonly<Record<string, Promise<unknown>>>) {
    const settled: string[] = [];
    for (const [name, promise] of Object.entries(promises)) {
      const end = () => void settled.push(name);
      promise.then(end, end);
    }
    return settled;
  }

  it('wait for the disk, with whoever has read them, while others go on', async () => {
    const { disk, log } = slowDisk();
    const { db, insert, words } = await openWords(log);
    disk.isSlow = true;
    const first = insert('a');
    await setTimeout(5);
    const read = words();
    const [second, third] = [insert('b'), insert('c')];
    const settled = watchSettled({ first, read, second, third });
    await setTimeout(20);
    expect(settled).toEqual([]);
    // The first one alone is on its way.
    const syncs = disk.syncs;
    disk.end();
    await setTimeout(5);
    expect(settled).toEqual(['first', 'read']);
    expect(await read).toEqual(['a']);
    expect(disk.syncs).toBe(syncs + 1);
    disk.end();
    await Promise.all([second, third]);
    disk.isSlow = false;
    await db.destroy();
  });

  it('all fail if the disk does not take the log, and nothing is taken as saved from then on', async () => {
    const { disk, log } = slowDisk();
    const { db, insert, inTransaction, words } = await openWords(log);
    await insert('before');
    disk.isSlow = true;
    const first = insert('a');
    await setTimeout(5);
    const following = [insert('b'), inTransaction('c'), words()];
    disk.end(databaseUnusable('rollcall.db', 'not-synced: EIO'));
    const unusable = expect.objectContaining({
      details: expect.objectContaining({ trouble: 'unsaved' }),
      isRetryable: false,
    });
    await expect(first).rejects.toEqual(unusable);
    for (const one of following) await expect(one).rejects.toEqual(unusable);
    disk.isSlow = false;
    for (const one of [insert('d'), inTransaction('e'), words()]) await expect(one).rejects.toEqual(unusable);
    await db.destroy();
  });

  it('are all on the disk before the database is closed', async () => {
    const { disk, log } = slowDisk();
    const { db, insert } = await openWords(log);
    disk.isSlow = true;
    const saved = insert('a');
    await setTimeout(5);
    const settled = watchSettled({ closed: db.destroy() });
    await setTimeout(20);
    expect(settled).toEqual([]);
    disk.end();
    await saved;
    await vi.waitFor(() => expect(settled).toEqual(['closed']));
  });

  it('sync the log that SQLite writes to, also through a symbolic link', async () => {
    const path = folder.path('rollcall.db');
    const link = folder.path('link.db');
    await (await openStore(path, Date.now)).close();
    symlinkSync(path, link);
    const store = await openStore(link, Date.now);
    await store.seenDeliveries.add([{ envelope: 'a', seenAt: 1 }]);
    expect(existsSync(`${path}-wal`)).toBe(true);
    await store.close();
  });
});

describe('the write-ahead log', () => {
  it('stays small while thousands of commits are written, and is gone once the database is closed', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    let largest = 0;
    for (let i = 0; i < 3000; i += 1) {
      await store.seenDeliveries.add([{ envelope: `e${i}`, seenAt: i }]);
      largest = Math.max(largest, statSync(`${path}-wal`).size);
    }
    // 3000 commits of four pages or more would be 48 MB.
    expect(largest).toBeLessThan(20 * 1024 * 1024);
    await store.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});
