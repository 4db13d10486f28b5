import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Digest } from '../../../src/digests/digest.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
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

describe('a claimed run that a later run supersedes', () => {
  it.each(['running', 'posting'] as const)('is skipped instead of waiting again: %s', async (steps) => {
    const { digest, held } = await atWork(steps);
    const next = await later(digest);
    expect((await runAfter(held.id)).state).toBe(steps);
    await store.ledger.release(held, 3 * hour, broken, 'none');
    const left = await runAfter(held.id);
    expect(left).toMatchObject({ state: 'skipped', errorCode: 'superseded', finishedAt: 2 * hour });
    expect(left.readyAt).toBeUndefined();
    expect(await runAfter(next)).toMatchObject({ state: 'queued', missed: 1 });
  });

  it('is skipped when its worker dies', async () => {
    const { digest, held } = await atWork('running');
    const next = await later(digest);
    await store.ledger.reclaim({ name: 'one', expired: false }, [], 3 * hour);
    expect(await runAfter(held.id)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    expect((await runAfter(next)).missed).toBe(1);
  });

  it('is skipped when its digest changes', async () => {
    const { digest, held } = await atWork('running');
    const next = await later(digest);
    expect(await store.digests.change(digest.id, 1, { nextDue: 3 * hour })).toBe(true);
    expect(await runAfter(held.id)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    expect((await runAfter(next)).missed).toBe(1);
  });

  it('is delivered if it succeeds', async () => {
    const { digest, held } = await atWork('running');
    const next = await later(digest);
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(true);
    await store.ledger.markPosted(held, { message: { channel: 'C1', ts: '1.2' }, fileFollows: false }, 9);
    expect((await runAfter(held.id)).state).toBe('posted');
    expect((await runAfter(next)).missed).toBe(0);
  });

  it('waits for each retry after its owner has it sent again', async () => {
    const { digest, held } = await atWork('posting');
    await later(digest);
    await store.ledger.markUnconfirmed(held, { code: 'http_500' }, 9, asked);
    expect(await store.ledger.settle(held.id, 'sent-again', 9)).toBe(true);
    await store.ledger.claim({ worker: 'one', now: 9, leaseMs: 1000, limit: 1, busyChannels: [] });
    await store.ledger.release(held, 3 * hour, broken, 'none');
    expect(await runAfter(held.id)).toMatchObject({ state: 'queued', readyAt: 3 * hour });
  });
});

describe('a claimed run of a digest that changes', () => {
  it('starts again', async () => {
    const { digest, held } = await atWork('running');
    await store.digests.change(digest.id, 1, { channel: 'C2', nextDue: 2 * hour });
    expect(await runAfter(held.id)).toMatchObject({ state: 'queued', readyAt: 0, attempts: 0 });
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(false);
  });

  it('continues if it is being posted, or if the change is refused', async () => {
    const { digest, held } = await atWork('running');
    expect(await store.digests.change(digest.id, 7, { channel: 'C2', nextDue: 2 * hour })).toBe(false);
    expect(await store.ledger.markPosting(held, { rows: 1, late: false })).toBe(true);
    expect(await store.digests.change(digest.id, 1, { channel: 'C2', nextDue: 2 * hour })).toBe(true);
    expect((await runAfter(held.id)).state).toBe('posting');
  });
});

describe('an attempt that Slack rate-limits', () => {
  it('does not count as an attempt of the run', async () => {
    const { held } = await atWork('posting');
    await store.ledger.release(held, hour, { code: 'ratelimited' }, 'rate-limit');
    expect(await runAfter(held.id)).toMatchObject({ attempts: 0, rateLimited: 1 });
  });

  it('of the message does not count for the file', async () => {
    const { held } = await atWork('posting');
    await store.ledger.release(held, hour, { code: 'ratelimited' }, 'rate-limit');
    await store.ledger.claim({ worker: 'one', now: hour, leaseMs: 1000, limit: 1, busyChannels: [] });
    await store.ledger.markPosting(held, { rows: 1, late: false });
    await store.ledger.markPosted(held, { message: { channel: 'C1', ts: '1.2' }, fileFollows: true }, 9);
    expect(await runAfter(held.id)).toMatchObject({ fileState: 'running', attempts: 1, rateLimited: 0 });
  });
});
