import { copyFileSync, existsSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import type { openStore } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();

/** The built store, because a thread needs a built file. */
const built = new URL('../../dist/src/store/store.js', import.meta.url).href;

/** How many deliveries are in the file itself, without those that are only in the log. */
function countInFile(path: string): number {
  const copy = folder.path('copy.db');
  copyFileSync(path, copy);
  const database = new Sqlite(copy);
  try {
    return database.prepare<[], number>('SELECT COUNT(*) FROM seen_deliveries').pluck().get() ?? 0;
  } finally {
    database.close();
  }
}

it('a thread makes checkpoints while the bot writes, and ends with the store', async () => {
  const path = folder.path('rollcall.db');
  const module: { openStore: typeof openStore } = await import(built);
  const store = await module.openStore(path, Date.now);
  for (let i = 0; i < 100; i += 1) await store.seenDeliveries.add([{ envelope: `e${i}`, seenAt: i }]);
  await vi.waitFor(() => expect(countInFile(path)).toBeGreaterThan(50), 10_000);
  await store.close();
  expect(countInFile(path)).toBe(100);
  expect(existsSync(`${path}-wal`)).toBe(false);
});
