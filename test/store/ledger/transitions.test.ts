import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const why = { code: 'query-refused', reason: 'The field is gone.' };

/** A run that a worker has begun. */
async function running() {
  const digest = await addDigest(store, hour);
  const run = { dueAt: hour, dedupeKey: 'a', missed: 0, late: false };
  const [entered] = await store.ledger.enter([{ digest, run, nextDue: 2 * hour }], hour);
  const held = { id: found(entered), worker: 'one' };
  await begin(held.worker);
  return { digest, held };
}

const begin = (worker: string) =>
  store.ledger.claim({ worker, now: 9 * hour, leaseMs: 1000, limit: 9, busyChannels: [] });

it('keeps the reason of a failure until the next attempt', async () => {
  const { held } = await running();
  await store.ledger.markFailed(held, why, 5);
  expect(await store.ledger.find(held.id)).toMatchObject({ errorCode: why.code, reason: why.reason });
  await store.ledger.retry(held.id, 6);
  const again = found(await store.ledger.find(held.id));
  expect([again.errorCode, again.reason]).toEqual([undefined, undefined]);
});

it.each(['skipped', 'posted'] as const)(
  'clears the reason of a run that was %s in the end',
  async (state) => {
    const { held } = await running();
    await store.ledger.release(held, hour, why, 'attempt');
    expect(await store.ledger.find(held.id)).toMatchObject({ state: 'queued', reason: why.reason });
    await begin('one');
    if (state === 'skipped') await store.ledger.markSkipped(held, 7);
    else {
      await store.ledger.markPosting(held, { rows: 1, late: false });
      await store.ledger.markPosted(held, { message: { channel: 'C1', ts: '1.2' }, fileFollows: false }, 7);
    }
    const run = found(await store.ledger.find(held.id));
    expect([run.state, run.errorCode, run.reason]).toEqual([state, undefined, undefined]);
  },
);

it('replaces the reason for waiting with the reason for skipping', async () => {
  const { digest, held } = await running();
  await store.ledger.release(held, hour, why, 'attempt');
  await store.ledger.skipWaiting(digest.id, 'by-hand', 7);
  const run = found(await store.ledger.find(held.id));
  expect([run.state, run.errorCode, run.reason]).toEqual(['skipped', 'by-hand', undefined]);
});

it('takes back an attempt that does not count, only for the worker with the claim', async () => {
  const { held } = await running();
  await store.ledger.release({ ...held, worker: 'two' }, hour, why, 'none');
  expect(await store.ledger.find(held.id)).toMatchObject({ state: 'running', attempts: 1 });
  await store.ledger.release(held, hour, why, 'none');
  expect(await store.ledger.find(held.id)).toMatchObject({ state: 'queued', attempts: 0 });
});

it('keeps the reason of an outage', async () => {
  const outage = { code: 'service-unreachable', reason: 'It cannot be reached.' };
  const { outage: begun } = await store.digestOutages.begin('service', outage, 1);
  expect(begun).toMatchObject(outage);
  expect(await store.digestOutages.find(begun.id)).toEqual(begun);
  expect(await store.digestOutages.open()).toEqual([begun]);
});
