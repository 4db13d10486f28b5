import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import type { Store } from '../../src/store/store.js';
import { openStore } from '../../src/store/store.js';
import { addDigest, found, hour } from './digest-setup.js';
import { freshFolder, recordKey, sqlOn } from './fresh-folder.js';

const folder = freshFolder();
let store: Store;

beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), () => hour, { recordKey });
  await store.useWorkspace('T1');
});
afterEach(() => store.close());

function ask(at: number, details: object, report: 'engagement' | 'tracks' = 'engagement') {
  return store.events.append({ kind: 'asked', at, person: 'U1', report, details });
}

describe('requests', () => {
  it('are counted by report, level, origin and refusal, from a time on', async () => {
    await ask(1, { origin: 'request', level: 'team' });
    await ask(10, { origin: 'request', level: 'team' });
    await ask(11, { origin: 'request', level: 'team' });
    await ask(12, { origin: 'digest', level: 'everything' }, 'tracks');
    await ask(13, { origin: 'request', refused: 'too-many-requests' });
    await store.events.append({ kind: 'exported', at: 14, person: 'U1', report: 'engagement' });
    const counted = await store.overview.countRequests(10, 99);
    expect(counted).toHaveLength(3);
    expect(counted).toEqual(
      expect.arrayContaining([
        { report: 'engagement', origin: 'request', level: 'team', refused: undefined, count: 2 },
        { report: 'tracks', origin: 'digest', level: 'everything', refused: undefined, count: 1 },
        {
          report: 'engagement',
          origin: 'request',
          level: undefined,
          refused: 'too-many-requests',
          count: 1,
        },
      ]),
    );
    expect(await store.overview.countRequests(10, 1)).toEqual([
      expect.objectContaining({ refused: 'too-many-requests', count: 1 }),
    ]);
  });

  it('still count once their person was erased, or somebody damaged their details', async () => {
    await ask(10, { origin: 'request', level: 'team' });
    await store.erasePerson('U1');
    await ask(11, { origin: 'request', level: 'team' });
    await sqlOn(folder.database(), "UPDATE event_details SET details = '{' WHERE details LIKE '%team%'");
    expect(await store.overview.countRequests(0, 99)).toEqual([
      { report: 'engagement', origin: undefined, level: undefined, refused: undefined, count: 2 },
    ]);
  });
});

it('lists digests without an owner first, then failing ones, then those of the reader', async () => {
  const { digests, ledger, overview } = store;
  const pause = async (pauseReason: string) => {
    const { id, revision } = await addDigest(store, hour);
    await digests.change(id, revision, { state: 'paused', pauseReason, nextDue: null });
    return id;
  };
  const fine = await addDigest(store, hour);
  const own = await addDigest(store, hour, { owner: 'U2' });
  const paused = await pause('by-hand');
  const archived = await pause('is_archived');
  const ownerLeft = await pause('owner-left');
  const unreadable = await pause('unreadable');
  const failed = await addDigest(store, hour);
  const run = found(await ledger.enterNow(failed, 'key', hour));
  await sqlOn(folder.database(), `UPDATE posts SET state = 'failed', ready_at = NULL WHERE id = '${run}'`);
  const deleted = await addDigest(store, hour);
  await digests.delete(deleted.id, hour);

  const listed = (await overview.findDigests('U2', 9, 0)).map(({ id }) => id);
  expect(listed[0]).toBe(ownerLeft);
  expect(listed.slice(1, 3).sort()).toEqual([archived, failed.id].sort());
  expect(listed[3]).toBe(own.id);
  expect(listed.slice(4).sort()).toEqual([fine.id, paused].sort());
  expect(listed).not.toContain(unreadable);
  const pages = [await overview.findDigests('U2', 4, 0), await overview.findDigests('U2', 4, 4)];
  expect(pages.flat().map(({ id }) => id)).toEqual(listed);
  expect(await overview.countDigests()).toEqual([
    { health: 'without-owner', count: 1 },
    { health: 'failing', count: 2 },
    { health: 'fine', count: 3 },
    { health: 'unreadable', count: 1 },
  ]);
});

it('counts owners and conversations at their limit', async () => {
  for (const owner of ['U1', 'U1', 'U2']) await addDigest(store, hour, { owner });
  const request = plainRequest('tracks');
  for (const name of ['one', 'two']) {
    await store.savedReports.save({ channel: 'C1', name, request, createdBy: 'U1' }, 1);
  }
  const { overview } = store;
  expect([await overview.countOwnersOf(1), await overview.countOwnersOf(2)]).toEqual([2, 1]);
  expect(await overview.countOwnersOf(3)).toBe(0);
  expect(await overview.countConversationsWith(2)).toBe(1);
  expect(await overview.countConversationsWith(3)).toBe(0);
});

it('lists outages that last or ended lately, newest first', async () => {
  const { digestOutages, overview } = store;
  await digestOutages.begin('slack', { code: 'old' }, 1);
  await digestOutages.end('slack', 2);
  await digestOutages.begin('service', { code: 'ended' }, hour);
  await digestOutages.end('service', 2 * hour);
  await digestOutages.begin('service', { code: 'lasting' }, 3 * hour);
  const found = await overview.recentOutages(hour, 9);
  expect(found.map(({ code, endedAt }) => [code, endedAt])).toEqual([
    ['lasting', undefined],
    ['ended', 2 * hour],
  ]);
  expect(await overview.recentOutages(hour, 1)).toHaveLength(1);
});
