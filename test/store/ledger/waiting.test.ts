import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Digest } from '../../../src/digests/digest.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.path('rollcall.db'), Date.now);
});
afterEach(() => store.close());

const broken = { code: 'service-broken' };
const asked = { kind: 'unknown', recipients: ['U1'] } as const;

async function enter(digest: Digest, dueAt: number) {
  const run = { dueAt, dedupeKey: 'a', missed: 0, late: false };
  const [id] = await store.ledger.enter([{ digest, run, nextDue: dueAt + hour }], dueAt);
  return found(id);
}

/** A run at work, of which `steps` says how far it has come. */
async function atWork(steps: 'running' | 'posting') {
  const digest = await addDigest(store, hour);
  const held = { id: await enter(digest, hour), worker: 'one' };
  await store.ledger.claim({ worker: 'one', now: hour, leaseMs: 1000, limit: 1, busyChannels: [] });
  if (steps === 'posting') await store.ledger.markPosting(held, { rows: 1, late: false });
  return { digest, held };
}

const later = async ({ id }: Digest) => enter(found(await store.digests.find(id)), 2 * hour);
const runAfter = async (id: string) => found(await store.ledger.find(id));

describe('a run at work that a later one takes the place of', () => {
  it.each(['running', 'posting'] as const)('is left out rather than wait again: %s', async (steps) => {
    const { digest, held } = await atWork(steps);
    const next = await later(digest);
    expect((await runAfter(held.id)).state).toBe(steps);
    await store.ledger.release(held, 3 * hour, broken, 'none');
    const left = await runAfter(held.id);
    expect(left).toMatchObject({ state: 'skipped', errorCode: 'superseded', finishedAt: 2 * hour });
    expect(left.readyAt).toBeUndefined();
    expect(await runAfter(next)).toMatchObject({ state: 'queued', missed: 1 });
  });

  it('is left out when its worker is lost', async () => {
    const { digest, held } = await atWork('running');
    const next = await later(digest);
    await store.ledger.reclaim({ name: 'one', expired: false }, [], 3 * hour);
    expect(await runAfter(held.id)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    expect((await runAfter(next)).missed).toBe(1);
  });

  it('is left out when its digest is changed', async () => {
    const { digest, held } = await atWork('running');
    const next = await later(digest);
    expect(await store.digests.change(digest.id, 1, { nextDue: 3 * hour })).toBe(true);
    expect(await runAfter(held.id)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    expect((await runAfter(next)).missed).toBe(1);
  });

  it('is delivered all the same where it can be', async () => {
    const { digest, held } = await atWork('running');
    const next = await later(digest);
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(true);
    await store.ledger.markPosted(held, { message: { channel: 'C1', ts: '1.2' }, fileFollows: false }, 9);
    expect((await runAfter(held.id)).state).toBe('posted');
    expect((await runAfter(next)).missed).toBe(0);
  });

  it('waits again, and again, once its owner wants it sent', async () => {
    const { digest, held } = await atWork('posting');
    await later(digest);
    await store.ledger.markUnconfirmed(held, { code: 'http_500' }, 9, asked);
    expect(await store.ledger.settle(held.id, 'sent-again', 9)).toBe(true);
    await store.ledger.claim({ worker: 'one', now: 9, leaseMs: 1000, limit: 1, busyChannels: [] });
    await store.ledger.release(held, 3 * hour, broken, 'none');
    expect(await runAfter(held.id)).toMatchObject({ state: 'queued', readyAt: 3 * hour });
  });
});

describe('a run at work of a digest that is changed', () => {
  it('begins anew', async () => {
    const { digest, held } = await atWork('running');
    await store.digests.change(digest.id, 1, { channel: 'C2', nextDue: 2 * hour });
    expect(await runAfter(held.id)).toMatchObject({ state: 'queued', readyAt: 0, attempts: 0 });
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(false);
  });

  it('goes on where it is being posted, or where somebody else has changed the digest first', async () => {
    const { digest, held } = await atWork('running');
    expect(await store.digests.change(digest.id, 7, { channel: 'C2', nextDue: 2 * hour })).toBe(false);
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(true);
    expect(await store.digests.change(digest.id, 1, { channel: 'C2', nextDue: 2 * hour })).toBe(true);
    expect((await runAfter(held.id)).state).toBe('posting');
  });
});

describe('a try at which Slack asked to wait', () => {
  it('does not count as one of the run’s own', async () => {
    const { held } = await atWork('posting');
    await store.ledger.release(held, hour, { code: 'ratelimited' }, 'rate-limit');
    expect(await runAfter(held.id)).toMatchObject({ attempts: 0, rateLimited: 1 });
  });

  it('of the message is none of the file’s', async () => {
    const { held } = await atWork('posting');
    await store.ledger.release(held, hour, { code: 'ratelimited' }, 'rate-limit');
    await store.ledger.claim({ worker: 'one', now: hour, leaseMs: 1000, limit: 1, busyChannels: [] });
    await store.ledger.markPosting(held, { rows: 1, late: false });
    await store.ledger.markPosted(held, { message: { channel: 'C1', ts: '1.2' }, fileFollows: true }, 9);
    expect(await runAfter(held.id)).toMatchObject({ fileState: 'running', attempts: 1, rateLimited: 0 });
  });
});
