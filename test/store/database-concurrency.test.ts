import { spawn } from 'node:child_process';
import { once } from 'node:events';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/store.js';
import { found, settings } from './digest-setup.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();

/** Another process that takes the write lock, says so, and gives it up when told. */
function otherProcess(path: string) {
  const script = `
    const database = new (require('better-sqlite3'))(process.argv[1]);
    database.exec('BEGIN IMMEDIATE');
    database.prepare('INSERT INTO seen_envelopes (workspace, envelope, seen_at) VALUES ((SELECT id FROM rollcall_workspace), ?, 1)').run('theirs');
    process.stdout.write('held');
    process.stdin.once('data', () => { setTimeout(() => { database.exec('COMMIT'); database.close(); process.exit(); }, 100); });
  `;
  return spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('two processes on one database', () => {
  it('wait for each other’s writes', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    const other = otherProcess(path);
    const ended = once(other, 'exit');
    await once(other.stdout, 'data');
    // Reading goes on beside the writer.
    expect(await store.requestLog.interrupted()).toEqual([]);
    other.stdin.write('go\n');
    await store.seenEnvelopes.remember([{ envelope: 'ours', seenAt: 2 }]);
    expect(await ended).toEqual([0, null]);
    expect([...(await store.seenEnvelopes.latest(9))].sort()).toEqual(['ours', 'theirs']);
    await store.close();
  });

  it('wait for each other’s writes even if they begin with a read', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    const id = await store.digests.add(settings, 'U1', undefined, 1);
    const digest = found(await store.digests.find(id));
    const other = otherProcess(path);
    const ended = once(other, 'exit');
    await once(other.stdout, 'data');
    other.stdin.write('go\n');
    expect(await store.ledger.enterNow(digest, 'a', 1)).toEqual(expect.any(String));
    expect(await ended).toEqual([0, null]);
    await store.close();
  });

  it('can both start with an empty file', async () => {
    const path = folder.path('rollcall.db');
    const stores = await Promise.all([openStore(path, Date.now), openStore(path, Date.now)]);
    await Promise.all(
      stores.flatMap(({ seenEnvelopes }) =>
        Array.from({ length: 50 }, (_, i) => seenEnvelopes.remember([{ envelope: `e${i}`, seenAt: i }])),
      ),
    );
    await Promise.all(stores.map((store) => store.close()));
    const file = new Sqlite(path, { readonly: true });
    expect(file.prepare('SELECT COUNT(*) FROM seen_envelopes').pluck().get()).toBe(50);
    file.close();
  });
});

it('many writes at once yield to the event loop', async () => {
  const store = await openStore(folder.path('rollcall.db'), Date.now);
  let turns = 0;
  let isWriting = true;
  const turn = () => {
    turns += 1;
    if (isWriting) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(
    Array.from({ length: 400 }, (_, i) => store.seenEnvelopes.remember([{ envelope: `e${i}`, seenAt: i }])),
  );
  isWriting = false;
  expect(turns).toBeGreaterThan(3);
  await store.close();
});
