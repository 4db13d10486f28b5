import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../../src/access/scope.js';
import { detailsPostId } from '../../../src/posts/states.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { AnswerTotals } from '../../../src/runner/answer-parts.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found } from '../digest-setup.js';
import { freshFolder, onPostgres, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const request = plainRequest('engagement');
const ask = (asker = 'U1', asked: ReportRequest = request) =>
  store.requestLog.record({ channel: 'C1', asker, request: asked, requestedAt: 1 });
const held = (id: string) => ({ id: detailsPostId(id), worker: null });
const why = { code: 'x' };

describe('the details of an answer', () => {
  it('are begun by one of those who press at once, and by nobody once they are posted', async () => {
    const id = await ask();
    const begin = () => store.ledger.beginDetails(id, 'C1', 2);
    expect(await Promise.all([begin(), begin(), begin()])).toEqual(['begun', 'running', 'running']);
    expect(await store.ledger.markPosting(held(id))).toBe(true);
    expect(await begin()).toBe('posting');
    const message = { channel: 'C1', ts: '2.2' };
    expect(await store.ledger.markPosted(held(id), { message, fileFollows: false }, 3)).toBe(true);
    expect(await store.ledger.beginDetails(id, 'C1', 4, true)).toBe('posted');
  });

  it('are begun again once they failed', async () => {
    const id = await ask();
    await store.ledger.beginDetails(id, 'C1', 2);
    await store.ledger.markFailed(held(id), why, 3);
    expect(await store.ledger.beginDetails(id, 'C2', 4)).toBe('begun');
    expect(await store.ledger.beginDetails(id, 'C2', 4)).toBe('running');
  });

  it('are sent again from an unconfirmed end only if a person wants that', async () => {
    const id = await ask();
    await store.ledger.beginDetails(id, 'C1', 2);
    await store.ledger.markPosting(held(id));
    await store.ledger.markUnconfirmed(held(id), why, 3);
    expect(await store.ledger.beginDetails(id, 'C1', 4)).toBe('unknown');
    expect(await store.ledger.beginDetails(id, 'C1', 4, true)).toBe('begun');
  });

  it('that a process left behind are found at the next start, with their request', async () => {
    const id = await ask();
    await store.ledger.markFailed({ id, worker: null }, why, 2);
    await store.ledger.beginDetails(id, 'C1', 2);
    expect(await store.requestLog.interrupted()).toMatchObject([
      { what: 'details', state: 'running', claim: held(id), entry: { id } },
    ]);
  });

  it('are deleted with the message of their digest', async () => {
    const digest = await addDigest(store, 5, { keepDays: 7 });
    const run = found(await store.ledger.enterNow(digest, 'a', 5));
    await store.ledger.claim({ worker: 'w', now: 6, leaseMs: 9, limit: 1, busyChannels: [] });
    await store.ledger.markPosting({ id: run, worker: 'w' });
    const root = { channel: 'C1', ts: '1.1' };
    await store.ledger.markPosted({ id: run, worker: 'w' }, { message: root, fileFollows: false }, 7);
    expect(await store.requestLog.ofPost(run)).toBeUndefined();
    const id = await store.requestLog.recordForPost(run, {
      channel: 'C1',
      asker: 'U1',
      request,
      requestedAt: 7,
    });
    expect(await store.requestLog.ofPost(run)).toBe(id);
    await store.ledger.beginDetails(id, 'C1', 8);
    await store.ledger.markPosting(held(id));
    const message = { channel: 'C1', ts: '2.2' };
    const item = { kind: 'message', channel: 'C1', item: '2.2', root } as const;
    await store.ledger.markPosted(held(id), { message, fileFollows: false, item }, 9);
    const due = await store.postedItems.due(7 + 7 * 24 * 3_600_000, 9);
    expect(due.map(({ item: ts }) => ts)).toEqual(['1.1', '2.2']);
  });
});

describe('an erasure', () => {
  const address = 'ada.lovelace@example.com';
  const about = (entry: string): ReportRequest => ({
    ...request,
    filters: [{ object: 'user_filter', member: 'email', entries: [entry] }],
  });
  const totals = (label: string) =>
    ({ zone: 'UTC', requestedAt: 1, figures: { spreads: [{ title: label }] } }) as unknown as AnswerTotals;
  const keep = (id: string, asker: string, asked: ReportRequest, label = 'Sales', own?: string) => {
    const scope = { ...unlimitedScope, rows: 'team', address: own } as const;
    return store.answerTotals.keep(id, id, { asker, request: asked, scope, totals: totals(label) }, 1);
  };
  const bytes = (text: string) =>
    ['rollcall.db', 'rollcall.db-wal'].some((name) => {
      const path = folder.path(name);
      return existsSync(path) && readFileSync(path).toString('latin1').toLowerCase().includes(text);
    });

  it('deletes totals of a person, about a person, and that mention one, and no others', async () => {
    const ids = await Promise.all(
      ['U1', 'U2', 'U2', 'U2', 'U2'].map((asker, at) =>
        ask(asker, about(at === 1 ? address : 'b@example.com')),
      ),
    );
    const [own = '', filtered = '', mentioned = '', team = '', other = ''] = ids;
    await keep(own, 'U1', about('b@example.com'));
    await keep(filtered, 'U2', about(address));
    await keep(mentioned, 'U2', about('b@example.com'), `Group of ${address}`);
    await keep(team, 'U2', about('b@example.com'), 'Sales', address);
    await keep(other, 'U2', about('b@example.com'));
    await store.erasePerson('U1');
    await store.erasePerson(address);
    const left = await Promise.all(ids.map((id) => store.answerTotals.find(id)));
    expect(left.map((kept) => kept?.totals !== undefined)).toEqual([false, false, false, false, true]);
    if (onPostgres) return;
    expect(await store.compact()).toBe('done');
    expect(bytes(address)).toBe(false);
  });

  it('keeps the limits of an answer without the address of its reader', async () => {
    const id = await ask();
    await keep(id, 'U1', request, 'Sales', address);
    expect(await store.answerTotals.find(id)).toMatchObject({
      scope: { rows: 'team', smallestGroup: 1 },
      totals: { zone: 'UTC' },
    });
    expect(bytes(address)).toBe(false);
  });

  it('ends details that are being made, and nothing of them is stored any more', async () => {
    const id = await ask();
    await store.ledger.beginDetails(id, 'C1', 2);
    await store.erasePerson('U1');
    expect(await store.requestLog.stillWanted([detailsPostId(id)])).toEqual([]);
    expect(await store.ledger.markPosting(held(id))).toBe(false);
    expect(await store.ledger.beginDetails(id, 'C1', 3)).toBe('cancelled');
    await keep(id, 'U1', request);
    expect((await store.answerTotals.find(id))?.totals).toBeUndefined();
  });
});

it('saves what the buttons of an answer need as it is about to be posted, unless an erasure ended it', async () => {
  const ids = [await ask('U1'), await ask('U2')];
  await store.erasePerson('U1');
  const range = {
    from: 1,
    until: 2,
    zone: 'UTC',
    firstDay: '2026-11-22',
    lastDay: '2026-11-22',
    words: 'today',
  };
  for (const id of ids) {
    const totals = { zone: 'UTC' } as AnswerTotals;
    const kept = { asker: 'U2', request, scope: unlimitedScope, totals };
    const answer = { range, kept, at: 3 };
    await store.ledger.markPosting({ id, worker: null }, { rows: 1, late: false, answer });
  }
  const saved = await Promise.all(ids.map((id) => store.answerTotals.find(id)));
  expect(saved.map((one) => one?.totals)).toEqual([undefined, { zone: 'UTC' }]);
  expect((await store.requestLog.find(ids[1] ?? ''))?.range).toEqual(range);
});

it('keeps totals for a day', async () => {
  const id = await ask();
  const answer = { asker: 'U1', request, scope: unlimitedScope, totals: { zone: 'UTC' } as AnswerTotals };
  await store.answerTotals.keep(id, id, answer, 10);
  expect(await store.deleteBefore('answer_totals', 10, 9)).toBe(0);
  expect(await store.deleteBefore('answer_totals', 11, 9)).toBe(1);
  expect(await store.answerTotals.find(id)).toEqual({
    scope: { rows: 'all', smallestGroup: 1, namesPeople: true, onlyDirect: false },
    totals: undefined,
  });
});
