import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Digest } from '../../../src/digests/digest.js';
import { filePostId, type PostState } from '../../../src/posts/states.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const run = (dueAt: number, changes = {}) => ({ dueAt, dedupeKey: 'a', missed: 0, late: false, ...changes });
const order = (changes = {}) => ({
  worker: 'one',
  now: 10 * hour,
  leaseMs: 1000,
  limit: 10,
  busyChannels: [],
  ...changes,
});
const dead = { name: 'one', expired: false };
const overdue = { name: 'one', expired: true };

async function enter(digest: Digest, dueAt: number, nextDue: number, changes = {}) {
  const [id] = await store.ledger.enter([{ digest, run: run(dueAt, changes), nextDue }], dueAt);
  return id;
}

async function entered(dueAt: number, changes = {}) {
  const digest = await addDigest(store, dueAt, changes);
  const id = found(await enter(digest, dueAt, dueAt + hour));
  return { digest, id, held: { id, worker: 'one' }, file: { id: filePostId(id), worker: 'one' } };
}

const message = { channel: 'C1', ts: '1.2' };

/** Brings a run to a state the way the scheduler does. */
async function bringTo(state: PostState | 'file-running' | 'file-posting') {
  const all = await entered(hour);
  const { ledger } = store;
  const { held } = all;
  if (state === 'queued') return all;
  await ledger.claim(order());
  if (state === 'running') return all;
  if (state === 'skipped') await ledger.markSkipped(held, 5);
  if (state === 'failed') await ledger.markFailed(held, { code: 'is_archived' }, 5);
  if (state === 'skipped' || state === 'failed') return all;
  await ledger.markPosting(held, { rows: 3, late: false });
  if (state === 'unknown')
    await ledger.markUnconfirmed(held, { code: 'http_500' }, 5, { kind: 'unknown', recipients: ['U1'] });
  if (state === 'unknown' || state === 'posting') return all;
  await ledger.markPosted(held, { message, fileFollows: state !== 'posted' }, 5);
  if (state === 'file-posting') await ledger.markPosting(all.file);
  return all;
}

describe('the backlog', () => {
  it('counts runs that wait, are due and are late, also before they are entered', async () => {
    const now = 10 * hour;
    const backlog = () => store.ledger.backlog(now, now - 60_000);
    expect(await backlog()).toEqual({ queued: 0, due: 0, late: 0 });
    await addDigest(store, now - 60_000);
    await addDigest(store, hour);
    await addDigest(store, now + 1);
    expect(await backlog()).toEqual({ queued: 0, due: 2, late: 1 });
    await bringTo('queued');
    expect(await backlog()).toEqual({ queued: 1, due: 4, late: 3 });
  });
});

describe('entering a due time', () => {
  it('advances the digest and adds the run once, even if several workers try', async () => {
    const digest = await addDigest(store, hour);
    const tries = await Promise.all(Array.from({ length: 5 }, () => enter(digest, hour, 2 * hour)));
    expect(tries.filter((id) => id !== undefined)).toHaveLength(1);
    expect((await store.digests.find(digest.id))?.nextDue).toBe(2 * hour);
    expect(await store.ledger.history(digest.id, 9)).toMatchObject([{ dueAt: hour, state: 'queued' }]);
  });

  it('adds no run for a digest that changed meanwhile', async () => {
    const digest = await addDigest(store, hour);
    await store.digests.change(digest.id, digest.revision, { nextDue: hour, channel: 'C2' });
    expect(await enter(digest, hour, 2 * hour)).toBeUndefined();
    expect(await store.ledger.history(digest.id, 9)).toEqual([]);
  });

  it('never adds a due time twice, even after the clock went back', async () => {
    const { digest } = await entered(hour);
    const { id, revision } = digest;
    await store.digests.reschedule([{ id, revision, previousDue: 2 * hour, nextDue: hour }]);
    const again = found(await store.digests.find(digest.id));
    expect(await enter(again, hour, 2 * hour)).toBeUndefined();
    expect((await store.digests.find(digest.id))?.nextDue).toBe(2 * hour);
  });

  it('skips an earlier run that still waits, and counts missed runs', async () => {
    const { digest, id } = await entered(hour);
    const now = found(await store.digests.find(digest.id));
    await enter(now, 3 * hour, 4 * hour, { missed: 1 });
    expect(await store.ledger.find(id)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    expect(await store.ledger.history(digest.id, 1)).toMatchObject([{ dueAt: 3 * hour, missed: 2 }]);
  });

  it.each(['running', 'posting', 'unknown'] as const)('does not change a run that is %s', async (state) => {
    const { digest, id } = await bringTo(state);
    await enter(found(await store.digests.find(digest.id)), 2 * hour, 3 * hour);
    expect(await store.ledger.find(id)).toMatchObject({ state });
  });
});

describe('entering a run by hand', () => {
  it('adds one run for two clicks, and none while a run is open', async () => {
    const digest = await addDigest(store, 99 * hour);
    const { ledger } = store;
    const id = found(await ledger.enterNow(digest, 'a', hour));
    expect(await ledger.enterNow(digest, 'a', hour + 400)).toBeUndefined();
    expect(await ledger.enterNow(digest, 'a', hour + 60_000)).toBeUndefined();
    await ledger.claim(order());
    await ledger.markSkipped({ id, worker: 'one' }, hour);
    expect(await ledger.enterNow(digest, 'a', hour + 1_500)).toBeUndefined();
    // Another process handles a press that was handled before.
    expect(await ledger.enterNow(digest, 'a', hour + 60_000, { pressedAt: hour })).toBeUndefined();
    expect(await ledger.enterNow(digest, 'a', hour + 60_000)).toEqual(expect.any(String));
  });
});

describe('claiming', () => {
  it('gives each run to one worker', async () => {
    for (let i = 0; i < 30; i += 1) await entered(hour, { channel: `C${i}` });
    const claimed = await Promise.all(
      ['one', 'two', 'three'].map((worker) => store.ledger.claim(order({ worker, limit: 20 }))),
    );
    const ids = claimed.flat().map(({ id }) => id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
  });

  it('takes one run per channel, oldest first, and none of a busy channel', async () => {
    const late = await entered(2 * hour, { channel: 'C1' });
    const early = await entered(hour, { channel: 'C1' });
    const other = await entered(3 * hour, { channel: 'C2' });
    await entered(hour, { channel: 'C3' });
    await entered(99 * hour, { channel: 'C4' });
    const ids = (await store.ledger.claim(order({ busyChannels: ['C3'] }))).map(({ id }) => id);
    expect(ids.sort()).toEqual([early.id, other.id].sort());
    expect((await store.ledger.claim(order({ busyChannels: ['C3'] }))).map(({ id }) => id)).toEqual([
      late.id,
    ]);
  });

  it('can leave out the runs of owners who have one in progress', async () => {
    for (let n = 0; n < 5; n += 1) await entered(hour, { owner: 'U1', channel: `C${n}` });
    const second = await entered(2 * hour, { owner: 'U2', channel: 'C7' });
    const third = await entered(3 * hour, { owner: 'U3', channel: 'C8' });
    const claim = async (limit: number, skipBusyOwners: boolean) =>
      (await store.ledger.claim(order({ limit, skipBusyOwners }))).map(({ id }) => id);
    const [first] = await claim(1, true);
    expect((await claim(9, true)).sort()).toEqual([second.id, third.id].sort());
    expect(await claim(9, true)).toEqual([]);
    await store.ledger.markSkipped({ id: found(first), worker: 'one' }, 5);
    expect(await claim(1, true)).toHaveLength(1);
    expect(await claim(9, true)).toEqual([]);
    expect(await claim(9, false)).toHaveLength(3);
  });

  it('lets only the worker with the claim write', async () => {
    const { id, held } = await bringTo('running');
    expect(await store.ledger.markPosting({ id, worker: 'two' }, { rows: 1, late: false })).toBe(false);
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(true);
  });
});

describe('the runs of a dead worker', () => {
  it.each([
    ['running', { state: 'queued' }, 0],
    ['posting', { state: 'unknown', errorCode: 'interrupted' }, 1],
    ['file-running', { state: 'posted', fileState: 'queued' }, 0],
    ['file-posting', { state: 'posted', fileState: 'unknown' }, 1],
    ['posted', { state: 'posted', fileState: 'none' }, 0],
  ] as const)('%s', async (state, after, told) => {
    const { id } = await bringTo(state);
    const reclaimed = await store.ledger.reclaim(dead, [], 10 * hour);
    expect(await store.ledger.find(id)).toMatchObject(after);
    expect(reclaimed).toHaveLength(told + (state === 'file-running' ? 1 : 0));
    expect(await store.digestNotifications.ready(10 * hour, 9)).toHaveLength(told);
    // Only what nobody can have seen is taken on again.
    const claimable = after.state === 'queued' || ('fileState' in after && after.fileState === 'queued');
    expect(await store.ledger.claim(order({ worker: 'two' }))).toHaveLength(claimable ? 1 : 0);
  });

  it('stay claimed until the lease expires, if the worker is not known to be dead', async () => {
    const { id } = await bringTo('posting');
    const { ledger } = store;
    expect(await ledger.leaseHolders()).toEqual([{ worker: 'one', until: 10 * hour + 1000 }]);
    await ledger.reclaim(overdue, [], 10 * hour + 900);
    expect(await ledger.find(id)).toMatchObject({ state: 'posting' });
    await ledger.renewLeases([id], 'one', 10 * hour + 5000);
    await ledger.reclaim(overdue, [], 10 * hour + 1100);
    expect(await ledger.find(id)).toMatchObject({ state: 'posting' });
    await ledger.reclaim(overdue, [], 10 * hour + 5001);
    expect(await ledger.find(id)).toMatchObject({ state: 'unknown' });
    expect(await ledger.leaseHolders()).toEqual([]);
  });

  it.each([false, true])(
    'is delivered after all when Slack tells the worker so, and nobody needs to be asked (said to be sent: %s)',
    async (isSaid) => {
      const { id, held } = await bringTo('posting');
      await store.ledger.reclaim(overdue, [], 99 * hour);
      if (isSaid) await store.ledger.settle(id, 'sent-again', 99 * hour);
      await store.ledger.markPosted(held, { message, fileFollows: false }, 6);
      expect(await store.ledger.find(id)).toMatchObject({ state: 'posted', message });
      expect(await store.digestNotifications.ready(99 * hour, 9)).toEqual([]);
      expect(await store.ledger.claim(order({ now: 99 * hour, worker: 'two' }))).toEqual([]);
    },
  );

  it('wait again without a notification if Slack tells the worker late that it refused the post', async () => {
    const { id, held } = await bringTo('posting');
    await store.ledger.reclaim(overdue, [], 99 * hour);
    await store.ledger.release(held, 99 * hour, { code: 'ratelimited' }, 'attempt');
    expect(await store.ledger.find(id)).toMatchObject({ state: 'queued', errorCode: 'ratelimited' });
    expect(await store.digestNotifications.ready(99 * hour, 9)).toEqual([]);
  });

  it('keep the decision of the owner, even if the worker gets an answer later', async () => {
    const { id, held } = await bringTo('posting');
    await store.ledger.reclaim(overdue, [], 99 * hour);
    await store.ledger.settle(id, 'arrived', 99 * hour);
    await store.ledger.release(held, 99 * hour, { code: 'ratelimited' }, 'attempt');
    expect(await store.ledger.find(id)).toMatchObject({ state: 'posted', settled: 'arrived' });
  });

  it('are not reclaimed while they run in this process, even if the clock jumps', async () => {
    const { id } = await bringTo('posting');
    await store.ledger.reclaim(dead, [id], 10_000 * hour);
    expect(await store.ledger.find(id)).toMatchObject({ state: 'posting' });
  });
});

describe('a file whose worker was wrongly considered dead', () => {
  it('is shared by one of the two workers', async () => {
    const { id, file } = await bringTo('file-running');
    await store.ledger.reclaim(overdue, [], 99 * hour);
    expect(await store.ledger.markPosting(file)).toBe(false);
    await store.ledger.claim(order({ now: 99 * hour, worker: 'two' }));
    expect(await store.ledger.markPosting({ ...file, worker: 'two' })).toBe(true);
    await store.ledger.markPosted(file, { fileFollows: false }, 99 * hour);
    expect(await store.ledger.find(id)).toMatchObject({ fileState: 'posting' });
  });

  it('needs no answer once Slack confirms it to the worker', async () => {
    const { id, file } = await bringTo('file-posting');
    await store.ledger.reclaim(overdue, [], 99 * hour);
    expect(await store.digestNotifications.ready(99 * hour, 9)).toMatchObject([{ kind: 'file-unknown' }]);
    await store.ledger.markPosted(file, { fileFollows: false }, 99 * hour);
    expect(await store.ledger.find(id)).toMatchObject({ fileState: 'posted' });
    expect(await store.digestNotifications.ready(99 * hour, 9)).toEqual([]);
  });

  it('is found by other workers if its message was recorded after that', async () => {
    const { id, held } = await bringTo('posting');
    await store.ledger.reclaim(overdue, [], 99 * hour);
    await store.ledger.markPosted(held, { message, fileFollows: true }, 99 * hour);
    await store.ledger.reclaim(dead, [], 99 * hour + 1);
    const claimed = await store.ledger.claim(order({ now: 100 * hour, worker: 'two' }));
    expect(claimed).toMatchObject([{ id, state: 'posted', fileState: 'running' }]);
  });

  it('is not shared again by its worker after the owner had it sent again', async () => {
    const { id, file } = await bringTo('file-posting');
    await store.ledger.reclaim(overdue, [], 99 * hour);
    expect(await store.ledger.settle(id, 'sent-again', 99 * hour, true)).toBe(true);
    expect(await store.ledger.markPosting(file)).toBe(false);
    expect(await store.ledger.claim(order({ now: 99 * hour, worker: 'two' }))).toHaveLength(1);
  });
});

describe('notifications about a run', () => {
  it('are written together with its outcome', async () => {
    const { held } = await bringTo('running');
    const told = { kind: 'failed', recipients: ['U1', 'U2', 'U1'] } as const;
    await store.ledger.markFailed(held, { code: 'is_archived' }, hour, told, 3);
    const ready = await store.digestNotifications.ready(hour, 9);
    expect(ready.map(({ recipient }) => recipient).sort()).toEqual(['U1', 'U2']);
  });

  it('are not written if another worker has the run', async () => {
    const { id } = await bringTo('running');
    const told = { kind: 'failed', recipients: ['U1'] } as const;
    await store.ledger.markFailed({ id, worker: 'two' }, { code: 'is_archived' }, hour, told, 1);
    expect(await store.digestNotifications.ready(hour, 9)).toEqual([]);
    expect(await store.ledger.find(id)).toMatchObject({ state: 'running' });
  });

  it('are sent once more if a repeated post is unconfirmed again', async () => {
    const { id, held } = await bringTo('unknown');
    expect(await store.digestNotifications.ready(hour, 9)).toHaveLength(1);
    await store.ledger.settle(id, 'sent-again', hour);
    expect(await store.digestNotifications.ready(hour, 9)).toEqual([]);
    await store.ledger.claim(order());
    await store.ledger.markPosting(held, { rows: 3, late: false });
    await store.ledger.markUnconfirmed(held, { code: 'http_500' }, hour, {
      kind: 'unknown',
      recipients: ['U1'],
    });
    expect(await store.digestNotifications.ready(hour, 9)).toHaveLength(1);
    expect(await store.ledger.settle(id, 'arrived', hour)).toBe(true);
  });
});

describe('failures in a row', () => {
  it('pause a digest at the limit', async () => {
    const { digest, held } = await bringTo('running');
    for (const failures of [1, 2]) {
      await store.ledger.markFailed(held, { code: 'is_archived' }, hour, undefined, 2);
      const state = failures === 1 ? 'active' : 'paused';
      expect(await store.digests.find(digest.id)).toMatchObject({ failures, state });
      await store.ledger.retry(held.id, hour);
      await store.ledger.claim(order());
    }
    expect(await store.digests.find(digest.id)).toMatchObject({ pauseReason: 'is_archived' });
    expect((await store.digests.find(digest.id))?.nextDue).toBeUndefined();
  });

  it('start over after a success', async () => {
    const { digest, held } = await bringTo('running');
    await store.ledger.markFailed(held, { code: 'is_archived' }, hour, undefined, 3);
    await store.digests.succeeded(digest.id);
    expect(await store.digests.find(digest.id)).toMatchObject({ failures: 0, state: 'active' });
  });
});

describe('the decision of a person about an unconfirmed run', () => {
  it.each([
    ['arrived', 'posted', 0],
    ['sent-again', 'queued', 1],
  ] as const)('%s', async (said, state, claimable) => {
    const { id } = await bringTo('unknown');
    expect(await store.ledger.settle(id, said, 6)).toBe(true);
    expect(await store.ledger.settle(id, 'sent-again', 7)).toBe(false);
    expect(await store.ledger.find(id)).toMatchObject({ state, settled: said });
    expect(await store.ledger.claim(order())).toHaveLength(claimable);
  });
});

describe('trying again', () => {
  it('waits for its time, and counts only its own attempts', async () => {
    const { id, held } = await bringTo('running');
    await store.ledger.release(held, 11 * hour, { code: 'service-broken' }, 'none');
    expect(await store.ledger.find(id)).toMatchObject({ state: 'queued', attempts: 0 });
    expect(await store.ledger.claim(order())).toEqual([]);
    await store.ledger.makeReady(10 * hour);
    expect(await store.ledger.claim(order())).toMatchObject([{ id, attempts: 1 }]);
  });

  it('names the owners of all that wait, each once, however many they are', async () => {
    for (let i = 0; i < 450; i += 1) await entered(hour + i, { owner: `U${i % 3}` });
    await addDigest(store, hour, { owner: 'U9' });
    expect([...(await store.ledger.waitingOwners())].sort()).toEqual(['U0', 'U1', 'U2']);
  });

  it('goes on with those that were due first, however long each was to wait, and however many they are', async () => {
    const many = 250;
    for (let i = 0; i < many; i += 1) await entered(hour + i, { channel: `C${i}` });
    const first = await store.ledger.claim(order({ limit: many }));
    const rest = await store.ledger.claim(
      order({ limit: many, busyChannels: first.map((one) => one.channel) }),
    );
    const claimed = [...first, ...rest];
    expect(claimed).toHaveLength(many);
    for (const { id, dueAt } of claimed) {
      await store.ledger.release(
        { id, worker: 'one' },
        20 * hour - dueAt,
        { code: 'service-broken' },
        'none',
      );
    }
    await store.ledger.makeReady(10 * hour);
    const next = await store.ledger.claim(order({ limit: 3 }));
    expect(next.map(({ dueAt }) => dueAt).sort()).toEqual([hour, hour + 1, hour + 2]);
    const later = await store.ledger.claim(order({ limit: many }));
    expect(later.length).toBeGreaterThan(190);
  });

  it('retries only failed runs by hand', async () => {
    const failed = await bringTo('failed');
    expect(await store.ledger.retry(failed.id, 6)).toBe(true);
    expect(await store.ledger.retry(failed.id, 6)).toBe(false);
    expect(await store.ledger.find(failed.id)).toMatchObject({ state: 'queued' });
  });
});
