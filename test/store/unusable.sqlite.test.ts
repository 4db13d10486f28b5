import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeForOperator } from '../../src/cli/operator-messages.js';
import { plainRequest } from '../../src/requests/request.js';
import { describeFailure } from '../../src/slack/messages/failures.js';
import { openDatabase } from '../../src/store/database/database.js';
import { openStore, type Store } from '../../src/store/store.js';
import { type SmallDisk, smallDisk } from '../small-disk.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();
const now = () => 1_795_000_000_000;
const request = { channel: 'C1', asker: 'U1', request: plainRequest('engagement'), requestedAt: 5 };

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** What the asker and the operator read. */
async function sentencesOf(work: Promise<unknown>) {
  const error = await failureOf(work);
  return { asker: describeFailure(error, 'an-id').sentence, operator: describeForOperator(error) };
}

/** Rows of requests and their posts. */
function counts(path: string) {
  const database = new Sqlite(path, { readonly: true });
  try {
    const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    return { asks: count('requests'), posts: count('posts'), intact: database.pragma('integrity_check') };
  } finally {
    database.close();
  }
}

const intact = [{ integrity_check: 'ok' }];

/** Overwrites the pages after the first two. */
function damage(path: string) {
  const size = readFileSync(path).length;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(size - 8192, 0x5a), 0, size - 8192, 8192);
  closeSync(file);
}

async function existing(path: string) {
  const store = await openStore(path, now);
  await store.requestLog.record(request);
  await store.close();
}

describe('a database that is locked', () => {
  it('is reported at the start, and works once it is free', async () => {
    const path = folder.path('rollcall.db');
    await existing(path);
    const other = new Sqlite(path);
    other.pragma('locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    const { operator } = await sentencesOf(openStore(path, now));
    expect(operator).toBe(`${path} cannot be used: another program has locked it. End that program.`);
    other.close();
    await (await openStore(path, now)).close();
  }, 15_000);

  it('is reported while the bot runs, saves nothing, and works once it is free', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, now);
    const other = new Sqlite(path);
    other.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 50);
    const { asker } = await sentencesOf(store.requestLog.record(request));
    clearInterval(ticking);
    // Health checks and acknowledgements go on meanwhile.
    expect(ticks).toBeGreaterThan(20);
    expect(asker).toBe('My database cannot be used: another program has locked it. Try again in a minute.');
    other.exec('ROLLBACK');
    other.close();
    expect(counts(path)).toMatchObject({ asks: 0, posts: 0 });
    await store.requestLog.record(request);
    expect(counts(path)).toMatchObject({ asks: 1, posts: 1 });
    await store.close();
  }, 15_000);
});

describe('a write of another process', () => {
  it('is waited for', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, now);
    const other = new Sqlite(path);
    other.exec('BEGIN IMMEDIATE');
    const saving = store.requestLog.record(request);
    await new Promise((resolve) => setTimeout(resolve, 300));
    other.exec('ROLLBACK');
    other.close();
    await saving;
    expect(counts(path)).toMatchObject({ asks: 1, posts: 1 });
    await store.close();
  });
});

describe('a database that is damaged', () => {
  it('is reported at the start', async () => {
    const path = folder.path('rollcall.db');
    await existing(path);
    damage(path);
    const work = openStore(path, now).then(async (store) => store.requestLog.record(request));
    const { operator } = await sentencesOf(work);
    expect(operator).toBe(`${path} cannot be used: it is damaged. Restore an intact backup.`);
  });

  it('is reported at the start if its end is missing', async () => {
    const path = folder.path('rollcall.db');
    await existing(path);
    truncateSync(path, 8192);
    const { operator } = await sentencesOf(openStore(path, now));
    expect(operator).toBe(`${path} cannot be used: it is damaged. Restore an intact backup.`);
  });

  it('is reported while the bot runs', async () => {
    const path = folder.path('rollcall.db');
    await existing(path);
    const store = await openStore(path, now);
    damage(path);
    const { asker, operator } = await sentencesOf(store.requestLog.record(request));
    expect(asker).toBe('My database cannot be used: it is damaged. Tell your admin to restore a backup.');
    expect(operator).toBe(`${path} cannot be used: it is damaged. Restore an intact backup.`);
    await store.close();
  });
});

describe('a connection that may not write', () => {
  it('is reported while the bot runs, and nothing is half done', async () => {
    const path = folder.path('rollcall.db');
    const db = openDatabase(path, now);
    const insert = sql`INSERT INTO seen_deliveries (workspace, delivery, seen_at) VALUES ('', 'e', 1)`;
    await sql`PRAGMA query_only = ON`.execute(db);
    const write = () => db.transaction().execute(async (trx) => insert.execute(trx));
    const { asker } = await sentencesOf(write());
    expect(asker).toBe('My database cannot be used: it is read-only. Tell your admin.');
    await sql`PRAGMA query_only = OFF`.execute(db);
    await write();
    await db.destroy();
  });

  it('an error of the program is none of the database', async () => {
    const db = openDatabase(folder.path('rollcall.db'), now);
    const error = await failureOf(sql`SELECT * FROM nowhere`.execute(db));
    expect(error).toMatchObject({ name: 'SqliteError', code: 'SQLITE_ERROR' });
    await db.destroy();
  });
});

const disk = smallDisk(2 * 1024 * 1024);
disk?.remove();

describe.skipIf(!disk)('a disk of its own', () => {
  let small: SmallDisk;
  let store: Store | undefined;
  beforeEach(() => {
    const mounted = smallDisk(2 * 1024 * 1024);
    if (!mounted) throw new Error('no disk');
    small = mounted;
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
    small.remove();
  });

  const full = 'My database cannot be used: my disk is full. Tell your admin.';

  it('full at the first start: one sentence, and the next start works', async () => {
    const path = small.path('rollcall.db');
    small.fill();
    const { operator } = await sentencesOf(openStore(path, now));
    expect(operator).toBe(`${path} cannot be used: the disk is full. Free some space.`);
    small.free();
    store = await openStore(path, now);
    await store.requestLog.record(request);
    expect(counts(path)).toEqual({ asks: 1, posts: 1, intact });
  });

  it('full while the bot runs: one sentence, nothing half done, and work goes on with room', async () => {
    const path = small.path('rollcall.db');
    store = await openStore(path, now);
    const { requestLog } = store;
    await requestLog.record(request);
    small.fill();
    // What fits into the pages that SQLite has already may still be saved.
    let saved = 1;
    const recordMany = async () => {
      for (;;) {
        await requestLog.record(request);
        saved += 1;
      }
    };
    const { asker } = await sentencesOf(recordMany());
    expect(asker).toBe(full);
    expect(await failureOf(requestLog.record(request))).toMatchObject({
      code: 'database-unusable',
      details: { trouble: 'full' },
    });
    expect(counts(path)).toEqual({ asks: saved, posts: saved, intact });
    small.free();
    await requestLog.record(request);
    expect(counts(path)).toEqual({ asks: saved + 1, posts: saved + 1, intact });
  });

  it('full at a later start: the data stays whole', async () => {
    const path = small.path('rollcall.db');
    await existing(path);
    small.fill();
    const error = await failureOf(
      openStore(path, now).then(async (opened) => {
        store = opened;
        for (;;) await opened.requestLog.record(request);
      }),
    );
    expect(error).toMatchObject({ code: 'database-unusable', details: { trouble: 'full' } });
    small.free();
    expect(counts(path).intact).toEqual(intact);
  });

  it('read-only at the start: one sentence', async () => {
    const path = small.path('rollcall.db');
    await existing(path);
    small.makeReadOnly();
    const { operator } = await sentencesOf(openStore(path, now));
    expect(operator).toBe(
      `${path} cannot be used: the file or its file system is read-only. Make it writable.`,
    );
  });

  it('read-only with no database yet: one sentence', async () => {
    writeFileSync(small.path('other'), '');
    small.makeReadOnly();
    const { operator } = await sentencesOf(openStore(small.path('rollcall.db'), now));
    expect(operator).toContain('read-only. Make it writable.');
  });
});
