import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Digest } from '../../../src/digests/digest.js';
import { filePostId } from '../../../src/posts/states.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour, settings } from '../digest-setup.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

describe('digests', () => {
  it('are stored completely, and found by ID, channel, owner and due time', async () => {
    const one = await addDigest(store, 2 * hour);
    const two = await addDigest(store, hour, { channel: 'C2', owner: 'U2', skipEmpty: true });
    expect(one).toMatchObject({ ...settings, state: 'active', nextDue: 2 * hour, revision: 1, failures: 0 });
    expect(two).toMatchObject({ skipEmpty: true, owner: 'U2' });
    expect((await store.digests.inChannel('C1', 9)).map(({ id }) => id)).toEqual([one.id]);
    expect((await store.digests.ownedBy('U2', 9)).map(({ id }) => id)).toEqual([two.id]);
    expect((await store.digests.due(hour, 9)).map(({ id }) => id)).toEqual([two.id]);
    expect((await store.digests.due(3 * hour, 9)).map(({ id }) => id)).toEqual([two.id, one.id]);
  });

  it('keep what an alert waits for until it is taken back', async () => {
    const when = {
      kind: 'threshold',
      figure: 'overdue',
      comparison: '>',
      value: 50,
      isPercent: false,
    } as const;
    const { id } = await addDigest(store, hour, { when });
    expect(await store.digests.find(id)).toMatchObject({ when });
    await store.digests.change(id, 1, { channel: 'C2', nextDue: hour });
    expect(await store.digests.find(id)).toMatchObject({ when });
    await store.digests.change(id, 2, { when: { kind: 'changed' }, nextDue: hour });
    expect(await store.digests.find(id)).toMatchObject({ when: { kind: 'changed' } });
    await store.digests.change(id, 3, { when: null, nextDue: hour });
    expect(found(await store.digests.find(id)).when).toBeUndefined();
  });

  it('are never more of one owner than fit, however many are added or accepted at once', async () => {
    const adding = Array.from({ length: 5 }, () => store.digests.add(settings, 'U1', hour, 1, 3));
    const results = await Promise.allSettled(adding);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await store.digests.countOwnedBy('U1')).toBe(3);
    const offered = await Promise.all([1, 2].map(() => addDigest(store, hour, { owner: 'U2' })));
    for (const { id } of offered) await store.digests.offer(id, 1, 'U1', 2);
    const accept = { owner: 'U1', acceptedAt: 3, nextDue: hour, maxOwned: 4 };
    const accepted = await Promise.all(offered.map(({ id }) => store.digests.change(id, 1, accept)));
    expect([...accepted].sort()).toEqual([false, true]);
  });

  it('are changed only at the revision that the person saw', async () => {
    const { id } = await addDigest(store, hour);
    expect(
      await store.digests.change(id, 1, { state: 'paused', pauseReason: 'by-hand', nextDue: null }),
    ).toBe(true);
    expect(await store.digests.change(id, 1, { channel: 'C2', nextDue: hour })).toBe(false);
    expect(await store.digests.find(id)).toMatchObject({
      state: 'paused',
      pauseReason: 'by-hand',
      revision: 2,
    });
    expect(await store.digests.due(9 * hour, 9)).toEqual([]);
    await store.digests.change(id, 2, { state: 'active', nextDue: hour });
    expect(found(await store.digests.find(id)).pauseReason).toBeUndefined();
  });

  it('can be restored for a while after their deletion', async () => {
    const { id } = await addDigest(store, hour);
    expect(await store.digests.delete(id, 1000)).toBe(true);
    expect(await store.digests.delete(id, 2000)).toBe(false);
    expect(await store.digests.inChannel('C1', 9)).toEqual([]);
    expect(await store.digests.due(9 * hour, 9)).toEqual([]);
    expect(await store.digests.restore(id, 1001, hour)).toBe(false);
    expect(await store.digests.restore(id, 1000, hour)).toBe(true);
    expect(await store.digests.inChannel('C1', 9)).toHaveLength(1);
    await store.digests.delete(id, 3000);
    expect(await store.deleteBefore('digests', 3001, 9)).toBe(1);
    expect(await store.digests.find(id)).toBeUndefined();
  });

  it('of an erased person wait for another owner, and are deleted in direct messages', async () => {
    const here = await addDigest(store, hour);
    const direct = await addDigest(store, hour, { channel: 'D1' });
    const others = await addDigest(store, hour, { owner: 'U2' });
    expect(await store.erasePerson('U1')).toMatchObject({ digests: 3 });
    expect(await store.digests.find(here.id)).toMatchObject({
      owner: 'forgotten',
      createdBy: 'forgotten',
      state: 'paused',
      pauseReason: 'owner-erased',
    });
    expect(await store.digests.find(direct.id)).toBeUndefined();
    expect(await store.digests.find(others.id)).toMatchObject({
      owner: 'U2',
      createdBy: 'forgotten',
      state: 'active',
    });
    expect(await store.erasePerson('U1')).toMatchObject({ digests: 0 });
  });
});

describe('a hand-over', () => {
  it('waits for the new owner, who alone can accept it', async () => {
    const { digests } = store;
    const { id } = await addDigest(store, hour);
    expect(await digests.offer(id, 9, 'U2', 5)).toBe(false);
    expect(await digests.offer(id, 1, 'U2', 5)).toBe(true);
    expect(await digests.find(id)).toMatchObject({
      owner: 'U1',
      pendingOwner: { id: 'U2', since: 5 },
      revision: 1,
    });
    const accept = (owner: string) => digests.change(id, 1, { owner, acceptedAt: 6, nextDue: hour });
    expect(await accept('U3')).toBe(false);
    expect(await accept('U2')).toBe(true);
    const handedOver = await digests.find(id);
    expect(handedOver).toMatchObject({ owner: 'U2', handedOverAt: 6, revision: 2 });
    expect(handedOver?.pendingOwner).toBeUndefined();
    await digests.change(id, 2, { nextDue: 2 * hour });
    expect((await digests.find(id))?.handedOverAt).toBe(6);
  });

  it('ends when it is taken back, or an admin names another owner', async () => {
    const { digests } = store;
    const { id } = await addDigest(store, hour);
    await digests.offer(id, 1, 'U2', 5);
    await digests.offer(id, 1, undefined, 6);
    expect((await digests.find(id))?.pendingOwner).toBeUndefined();
    await digests.offer(id, 1, 'U2', 7);
    await digests.change(id, 1, { skipEmpty: true, nextDue: hour });
    expect((await digests.find(id))?.pendingOwner).toEqual({ id: 'U2', since: 7 });
    await digests.change(id, 2, { owner: 'U4', nextDue: hour });
    expect(await digests.find(id)).toMatchObject({ owner: 'U4' });
    expect((await digests.find(id))?.pendingOwner).toBeUndefined();
  });
});

describe('runs of a digest whose owner is erased', () => {
  const held = (id: string) => ({ id, worker: 'one' });

  async function entered(digest: Digest, dueAt: number) {
    const run = { dueAt, dedupeKey: 'a', missed: 0, late: false };
    const [id] = await store.ledger.enter([{ digest, run, nextDue: dueAt + hour }], dueAt);
    return found(id);
  }
  const claim = () =>
    store.ledger.claim({ worker: 'one', now: hour, leaseMs: 1000, limit: 1, busyChannels: [] });

  it.each(['queued', 'running'] as const)('are skipped: %s', async (state) => {
    const digest = await addDigest(store, hour);
    const id = await entered(digest, hour);
    if (state === 'running') await claim();
    await store.erasePerson('U1');
    const run = found(await store.ledger.find(id));
    expect([run.state, run.errorCode, run.readyAt]).toEqual(['skipped', 'owner-erased', undefined]);
    expect(await store.ledger.markPosting(held(id), { rows: 1, late: false })).toBe(false);
    await store.ledger.makeReady(9 * hour);
    expect(await claim()).toEqual([]);
    expect(await store.ledger.waitingOwners()).toEqual([]);
    expect(await store.digests.change(digest.id, digest.revision, { nextDue: hour })).toBe(false);
  });

  it('are not retried if one is being posted, and no file follows', async () => {
    const digest = await addDigest(store, hour);
    const id = await entered(digest, hour);
    await claim();
    await store.ledger.markPosting(held(id), { rows: 1, late: false });
    await store.erasePerson('U1');
    await store.ledger.release(held(id), 2 * hour, { code: 'service-broken' }, 'none');
    expect(await store.ledger.find(id)).toMatchObject({ state: 'skipped', errorCode: 'owner-erased' });

    const next = await addDigest(store, hour, { owner: 'U2' });
    const withFile = await entered(next, hour);
    await claim();
    await store.ledger.markPosting(held(withFile), { rows: 1, late: false });
    const message = { channel: 'C1', ts: '1.2' };
    await store.ledger.markPosted(held(withFile), { message, fileFollows: true }, hour);
    await store.ledger.release(held(filePostId(withFile)), 2 * hour, { code: 'http_503' }, 'attempt');
    await store.erasePerson('U2');
    expect(await store.ledger.find(withFile)).toMatchObject({
      state: 'posted',
      fileState: 'skipped',
      errorCode: 'owner-erased',
    });
    await store.ledger.makeReady(9 * hour);
    expect(await claim()).toEqual([]);
  });
});

describe('notifications', () => {
  it('are sent once, or repeated until they are settled', async () => {
    const notice = { kind: 'outage', subject: 'o1' } as const;
    expect(await store.digestNotifications.add(['U1'], notice, 1)).toBe(true);
    expect(await store.digestNotifications.add(['U1'], notice, 2)).toBe(false);
    const [once] = await store.digestNotifications.ready(1, 9);
    await store.digestNotifications.sent([found(once).id], { at: 1 });
    expect(await store.digestNotifications.ready(9 * hour, 9)).toEqual([]);

    await store.digestNotifications.add(['U1'], { kind: 'unknown', subject: 'r1' }, 1);
    const [again] = await store.digestNotifications.ready(1, 9);
    await store.digestNotifications.sent([found(again).id], { at: 1, repeatAt: hour });
    expect(await store.digestNotifications.ready(hour - 1, 9)).toEqual([]);
    expect(await store.digestNotifications.ready(hour, 9)).toHaveLength(1);
    await store.digestNotifications.settle('r1');
    expect(await store.digestNotifications.ready(9 * hour, 9)).toEqual([]);
  });
});

describe('drafts', () => {
  it('are visible only to their creator, and used once', async () => {
    const { schedule, ...rest } = settings;
    const draft = { ...rest, cadence: schedule.cadence, zone: schedule.zone };
    const id = await store.digestDrafts.open('U1', draft, 1);
    expect(await store.digestDrafts.find(id, 'U1')).toEqual(draft);
    expect(await store.digestDrafts.find(id, 'U2')).toBeUndefined();
    const used = await Promise.all([1, 2, 3].map(() => store.digestDrafts.use(id, 'U1', 2)));
    expect(used.filter(Boolean)).toHaveLength(1);
    expect(await store.digestDrafts.find(id, 'U1')).toBe('used');
  });
});

describe('outages', () => {
  it('begin once and end once', async () => {
    const { outage: first, state } = await store.digestOutages.begin('service', { code: 'token-refused' }, 1);
    expect(state).toBe('new');
    const before = { outage: first, state: 'open' };
    expect(await store.digestOutages.begin('service', { code: 'other' }, 2)).toEqual(before);
    expect(await store.digestOutages.open()).toEqual([first]);
    expect(await store.digestOutages.end('service', 3)).toBe(true);
    expect(await store.digestOutages.end('service', 3)).toBe(false);
    expect(await store.digestOutages.open()).toEqual([]);
  });

  it('that begin again within ten minutes are reopened with the new reason', async () => {
    const ended = 5 * hour;
    const { outage } = await store.digestOutages.begin('slack', { code: 'connection_refused' }, hour);
    await store.digestOutages.end('slack', ended);
    const why = { code: 'token_revoked', reason: 'My access to Slack was revoked.' };
    const again = { outage: { ...outage, ...why }, state: 'reopened' };
    expect(await store.digestOutages.begin('slack', why, ended + hour / 6 - 1)).toEqual(again);
    expect(await store.digestOutages.open()).toEqual([again.outage]);
    await store.digestOutages.end('slack', ended);
    const another = await store.digestOutages.begin('slack', why, ended + hour / 6);
    expect(another.state).toBe('new');
    expect(another.outage.id).not.toBe(outage.id);
  });
});
