import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Level } from '../../../src/access/levels.js';
import { scopeOf } from '../../../src/access/scope.js';
import { newAlert } from '../../../src/digests/alert.js';
import type { Digest, DigestSettings } from '../../../src/digests/digest.js';
import type { AlertCondition } from '../../../src/requests/alert-condition.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { type AlertReader, alertLines, readableAlerts } from '../../../src/slack/digests/readable-alerts.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../../store/digest-setup.js';
import { freshFolder, recordKey } from '../../store/fresh-folder.js';
import { listeningBot } from '../listeners/listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const above50: AlertCondition = {
  kind: 'threshold',
  figure: 'overdue',
  comparison: '>',
  value: 50,
  isPercent: false,
};
const totals: ReportRequest = { ...plainRequest('assignments'), view: 'overdue' };
const ofOne: ReportRequest = {
  ...totals,
  filters: [{ object: 'user_filter', member: 'email', entries: ['kim@example.com'] }],
};
const dueAt = Date.parse('2026-11-23T08:00Z');

/** C1 is approved, and C2 is not. Everybody has one level. */
function partsAt(level: Level) {
  const access = { accessOf: async () => ({ level, address: 'ada@example.com' }) };
  return listeningBot({ store, changes: { access, personLevelChannels: ['C1'] } as never }).parts;
}

let at = hour;

/** An alert of U1 whose last run found 42, judged for readers of this kind. */
async function alertIn(
  channel: string,
  {
    destination,
    level = 'everything',
    ...changes
  }: {
    readonly destination: 'direct' | 'approved' | 'other';
    readonly level?: Level;
  } & Partial<DigestSettings>,
) {
  const digest = await addDigest(store, undefined, { request: totals, when: above50, ...changes, channel });
  const { id, owner, request, when } = digest;
  const options = { destination, released: new Set<string>(), smallestGroup: 5, me: 'ada@example.com' };
  const allowed = scopeOf(request, { level, address: 'ada@example.com' }, options);
  if (!allowed.ok || !when) throw new Error('Not allowed');
  const of = { run: { kind: 'digest', id }, asker: owner, request, scope: allowed.value, when } as const;
  const state = { ...newAlert, readings: [{ dueAt, rows: 42, figures: { overdue: 42 } }] };
  at += hour;
  const run = found(await store.ledger.enterNow(digest, 'a', at));
  await store.ledger.claim({ worker: 'one', now: at, leaseMs: hour, limit: 1, busyChannels: [] });
  const alert = { of, state, knownRows: undefined, usesAcceptedDrop: false };
  await store.ledger.markSkipped({ id: run, worker: 'one' }, at, {
    why: { code: 'alert-quiet' },
    rows: 42,
    alert,
  });
  return digest;
}

const lineFor = async (digest: Digest, reader: AlertReader, level: Level = 'everything') =>
  (await alertLines([digest], reader, partsAt(level))).get(digest.id);

const onHome = (user: string) => ({ user, seesFew: true });
const line = 'Last: 42, 8 below 50, Mon 23 Nov';

describe('the last value of an alert', () => {
  it.each<[string, AlertReader, string | undefined]>([
    ['in its channel', { user: 'U2', seesFew: false, here: 'C2' }, line],
    ['on the Home tab of a member', onHome('U2'), line],
    ['in another channel, because it is about many people', { user: 'U2', seesFew: false, here: 'C9' }, line],
  ])('of totals for a channel that is not approved is read %s', async (_, reader, expected) => {
    const digest = await alertIn('C2', { destination: 'other' });
    expect(await lineFor(digest, reader)).toBe(expected);
  });

  it.each<[string, AlertReader, string | undefined]>([
    ['in its channel', { user: 'U2', seesFew: true, here: 'C1' }, line],
    ['on the Home tab of a member', onHome('U2'), line],
    ['not in a channel that is not approved', { user: 'U1', seesFew: false, here: 'C2' }, undefined],
  ])('for an approved channel is read %s', async (_, reader, expected) => {
    const digest = await alertIn('C1', { destination: 'approved' });
    expect(await lineFor(digest, reader)).toBe(expected);
  });

  it.each<[string, AlertReader, string | undefined]>([
    ['by its owner', onHome('U1'), line],
    ['by its owner in an approved channel', { user: 'U1', seesFew: true, here: 'C1' }, line],
    ['not by its owner where few may not be shown', { user: 'U1', seesFew: false, here: 'C2' }, undefined],
    ['not by others', onHome('U2'), undefined],
  ])('in direct messages is read %s', async (_, reader, expected) => {
    const digest = await alertIn('D1', { destination: 'direct' });
    expect(await lineFor(digest, reader)).toBe(expected);
  });

  it.each<[string, AlertReader, string | undefined]>([
    ['by its owner', onHome('U1'), line],
    ['not in that channel', { user: 'U1', seesFew: false, here: 'C2' }, undefined],
    ['not by others', onHome('U2'), undefined],
  ])('of a person, kept out of a channel, is read %s', async (_, reader, expected) => {
    const digest = await alertIn('C2', { destination: 'other', request: ofOne });
    expect(await lineFor(digest, reader)).toBe(expected);
  });

  it('is gone once its owner or its channel may get less', async () => {
    const direct = await alertIn('D1', { destination: 'direct' });
    expect(await lineFor(direct, onHome('U1'), 'totals')).toBeUndefined();
    expect(await lineFor(direct, onHome('U1'), 'nothing')).toBeUndefined();
    const channel = await alertIn('C2', { destination: 'approved' });
    expect(await lineFor(channel, { user: 'U1', seesFew: false, here: 'C2' })).toBeUndefined();
  });

  it('says nothing before the first run, and nothing of digests that always post', async () => {
    const alert = await addDigest(store, undefined, { request: totals, when: above50 });
    const digest = await addDigest(store, undefined, { request: totals });
    const parts = partsAt('everything');
    expect(await alertLines([alert, digest], onHome('U1'), parts)).toEqual(new Map());
    expect([...(await readableAlerts([alert, digest], onHome('U1'), parts))]).toEqual([
      [alert.id, undefined],
    ]);
  });
});

it('an alert on changes says when it last posted, whatever came after that', async () => {
  const digest = await addDigest(store, undefined, { request: totals, when: { kind: 'changed' } });
  const none = await addDigest(store, undefined, { request: totals, when: { kind: 'new-rows' } });
  const claimed = { worker: 'one', now: dueAt, leaseMs: hour, limit: 1, busyChannels: [] };
  for (const [time, posts] of [
    [dueAt, true],
    [dueAt + hour, false],
  ] as const) {
    const run = found(await store.ledger.enterNow(digest, 'a', time));
    await store.ledger.claim({ ...claimed, now: time });
    const claim = { id: run, worker: 'one' };
    if (posts) {
      await store.ledger.markPosting(claim, { rows: 1, late: false });
      const message = { channel: 'C1', ts: '1.2' };
      await store.ledger.markPosted(claim, { message, fileFollows: false }, time);
    } else await store.ledger.markSkipped(claim, time);
  }
  const lines = await alertLines([digest, none], onHome('U1'), partsAt('everything'));
  expect([...lines]).toEqual([[digest.id, 'Last posted: Mon 23 Nov']]);
});
