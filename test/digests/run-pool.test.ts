import { expect, it } from 'vitest';
import { deadWorkers, type WorkerState, workerName, workerStates } from '../../src/digests/run-pool.js';
import { plainRequest } from '../../src/requests/request.js';
import { openStore } from '../../src/store/store.js';
import { addDigest, found, hour } from '../store/digest-setup.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();

it('workers are dead if their process has ended, or had the ID of this process', () => {
  const own = workerName();
  const [host = ''] = own.split(':');
  const stateOf = workerStates(own, (pid) => pid === 4242);
  expect(stateOf(own)).toBe('self');
  expect(stateOf(`${host}:4242:abc`)).toBe('unknown');
  expect(stateOf(`${host}:4343:abc`)).toBe('dead');
  expect(stateOf(`${host}:${process.pid}:other`)).toBe('dead');
  expect(stateOf('elsewhere:4343:abc')).toBe('unknown');
});

/** A run that somebody has claimed at ten o'clock for a minute, and a way to look a while later. */
async function heldByAnother(state: WorkerState) {
  const store = await openStore(folder.path(`${state}.db`), () => hour);
  const digest = await addDigest(store, hour, { request: plainRequest('engagement') });
  const run = { dueAt: hour, dedupeKey: 'a', missed: 0, late: false };
  const [id] = await store.ledger.enter([{ digest, run, nextDue: 2 * hour }], hour);
  const now = 10 * hour;
  await store.ledger.claim({ worker: 'another', now, leaseMs: 60_000, limit: 1, busyChannels: [] });
  let real = 0;
  const lost = deadWorkers({ store, monotonic: () => real }, () => state);
  return {
    store,
    id: found(id),
    /** @param moved how far the clock is by then, which may have jumped */
    async lookAfter(realMs: number, moved: number) {
      real += realMs;
      await lost.reclaimRuns([], now + moved);
      return (await store.ledger.find(found(id)))?.state;
    },
  };
}

it('dead workers lose their runs at once', async () => {
  const { lookAfter, store } = await heldByAnother('dead');
  expect(await lookAfter(0, 0)).toBe('queued');
  await store.close();
});

it('live workers keep their runs through a jump of the clock while they renew leases', async () => {
  const { lookAfter, store, id } = await heldByAnother('unknown');
  expect(await lookAfter(5_000, 5_000)).toBe('running');
  // The clock jumps by ten minutes; they renew when their time has come.
  expect(await lookAfter(5_000, 610_000)).toBe('running');
  await store.ledger.renewLeases([id], 'another', 10 * hour + 680_000);
  expect(await lookAfter(50_000, 660_000)).toBe('running');
  // They do not any more.
  expect(await lookAfter(30_000, 690_000)).toBe('running');
  expect(await lookAfter(39_000, 729_000)).toBe('running');
  expect(await lookAfter(2_000, 731_000)).toBe('queued');
  await store.close();
});
