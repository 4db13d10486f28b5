import { expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { reclaimRuns } from '../../src/scheduler/run-pool.js';
import { openStore } from '../../src/store/store.js';
import { addDigest, found, hour } from '../store/digest-setup.js';
import { freshFolder, recordKey } from '../store/fresh-folder.js';

const folder = freshFolder();
const now = 10 * hour;
const log = { info() {}, warn() {}, error() {} };

/** A run that a process has claimed for a minute, and a way to look what became of it. */
async function heldBy(worker: string) {
  const store = await openStore(folder.database(`${worker}.db`), () => hour, { recordKey });
  const digest = await addDigest(store, hour, { request: plainRequest('engagement') });
  const run = { dueAt: hour, dedupeKey: 'a', missed: 0, late: false };
  const id = found((await store.ledger.enter([{ digest, run, nextDue: 2 * hour }], hour))[0]);
  await store.ledger.claim({ worker, now, leaseMs: 60_000, limit: 1, busyChannels: [] });
  return {
    store,
    id,
    async stateAfterReclaim(active: readonly string[], at: number) {
      await reclaimRuns({ store, worker: 'self', log }, active, at);
      return (await store.ledger.find(id))?.state;
    },
  };
}

it('other processes have ended, so they lose their runs at once', async () => {
  const { stateAfterReclaim, store } = await heldBy('another');
  expect(await stateAfterReclaim([], now)).toBe('queued');
  await store.close();
});

it('this process keeps its runs, and loses those that were left without an end when their time is up', async () => {
  const { stateAfterReclaim, store, id } = await heldBy('self');
  expect(await stateAfterReclaim([], now + 50_000)).toBe('running');
  expect(await stateAfterReclaim([id], now + 100 * hour)).toBe('running');
  expect(await stateAfterReclaim([], now + 61_000)).toBe('queued');
  await store.close();
});
