import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { eraseUninstalled } from '../../src/store/cleanup.js';
import { uninstalledMs } from '../../src/store/database/expiry.js';
import { openStore, type Store } from '../../src/store/store.js';
import { addDigest, hour } from './digest-setup.js';
import { freshFolder, recordKey } from './fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const uninstalled = 10 * hour;
const silent = { debug() {}, info() {}, warn() {}, error() {} } as never;

it('pauses all digests at once, and skips their runs', async () => {
  const active = await addDigest(store, 5);
  const paused = await addDigest(store, undefined);
  await store.digests.change(paused.id, 1, { state: 'paused', pauseReason: 'by-hand', nextDue: null });
  const run = await store.ledger.enterNow(active, 'a', 9_000);
  await store.installation.markUninstalled(uninstalled);
  await store.installation.markUninstalled(uninstalled + 1);
  expect(await store.installation.uninstalledAt()).toBe(uninstalled);
  expect(await store.digests.find(active.id)).toMatchObject({ state: 'paused', pauseReason: 'uninstalled' });
  expect(await store.digests.due(uninstalled, 9)).toEqual([]);
  expect(await store.ledger.find(run ?? '')).toMatchObject({ state: 'skipped', errorCode: 'uninstalled' });

  expect(await store.installation.markInstalled(11.5 * hour)).toBe(true);
  expect(await store.installation.markInstalled(11.5 * hour)).toBe(false);
  // Its next time, not those that it missed.
  expect(await store.digests.find(active.id)).toMatchObject({ state: 'active', nextDue: 12 * hour });
  expect(await store.digests.find(paused.id)).toMatchObject({ state: 'paused', pauseReason: 'by-hand' });
});

it('erases everything after 30 days, and not before', async () => {
  const entry = { channel: 'C1', asker: 'U1', request: plainRequest('tracks'), requestedAt: 1 };
  const id = await store.requestLog.record(entry);
  const end = uninstalled + uninstalledMs;
  await eraseUninstalled(store, end, silent);
  await store.installation.markUninstalled(uninstalled);
  await eraseUninstalled(store, end - 1, silent);
  expect(await store.requestLog.find(id)).toBeDefined();
  await eraseUninstalled(store, end, silent);
  expect(await store.requestLog.find(id)).toBeUndefined();
});
