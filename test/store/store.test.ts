import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { unlimitedScope } from '../../src/access/scope.js';
import { plainRequest, type ReportRequest, type ResolvedRange } from '../../src/requests/request.js';
import { deleteExpired, startCleanup } from '../../src/store/cleanup.js';
import { retentionMs } from '../../src/store/database/expiry.js';
import { tableNames } from '../../src/store/database/schema.js';
import { type NewLogEntry, RecordedElsewhere } from '../../src/store/requests/request-log.js';
import { openStore, type Store } from '../../src/store/store.js';
import { addDigest } from './digest-setup.js';
import { freshFolder, recordKey, sqlOn } from './fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const request: ReportRequest = {
  ...plainRequest('engagement'),
  range: 'last-week',
  filters: [
    { object: 'user_filter', member: 'departments', entries: ['Sales', 'Field "Ops"'] },
    { object: 'user_filter', member: 'manager_email', entries: ['ada@example.com'] },
  ],
};
const range: ResolvedRange = {
  words: 'last-week',
  zone: 'Europe/Berlin',
  from: 1,
  until: 2,
  firstDay: '2026-11-09',
  lastDay: '2026-11-15',
};
const ask = (changes: Partial<NewLogEntry> = {}): NewLogEntry => ({
  channel: 'C1',
  asker: 'U1',
  request,
  requestedAt: 1000,
  ...changes,
});

describe('the request log', () => {
  it('returns requests as they were recorded', async () => {
    const id = await store.requestLog.record(ask({ range }));
    expect(id).toMatch(/^[2-9a-z]{10}$/);
    expect(await store.requestLog.find(id)).toEqual({ id, post: id, ...ask({ range }), state: 'running' });
    expect(await store.requestLog.find('gone')).toBeUndefined();
  });

  it('records a request once, and gives it to the process that goes on with it', async () => {
    const other = await openStore(folder.database('rollcall.db'), Date.now, {
      process: 'another process',
      recordKey,
    });
    const record = (from: Store, isTakenOver: boolean) =>
      from.requestLog.record(ask(), 'answer', 'arequest22', { isTakenOver });
    expect(await record(store, false)).toBe('arequest22');
    await expect(record(other, false)).rejects.toThrow(RecordedElsewhere);
    expect(await store.requestLog.isOfThisProcess('arequest22')).toBe(true);

    expect(await record(other, true)).toBe('arequest22');
    expect(await store.requestLog.isOfThisProcess('arequest22')).toBe(false);
    expect(await other.requestLog.isOfThisProcess('arequest22')).toBe(true);
    expect(await store.requestLog.recent(0, 9)).toHaveLength(1);
    const held = { id: 'arequest22', worker: null };
    expect(await store.ledger.markPosting(held)).toBe(false);
    expect(await store.ledger.markCancelled(held, 1)).toBe(false);
    expect(await other.ledger.markFailed(held, { code: 'x' }, 1)).toBe(true);
    await expect(record(store, true)).rejects.toThrow(RecordedElsewhere);
    await other.close();
  });

  it('shows the outcome of answers', async () => {
    const { ledger } = store;
    const id = await store.requestLog.record(ask());
    const held = { id, worker: null };
    const message = { channel: 'C1', ts: '1.2', link: 'https://x.slack.com/archives/C1/p12' };
    const answer = { range, kept: undefined, at: 1 };
    expect(await ledger.markPosting(held, { rows: 412, late: false, answer })).toBe(true);
    expect((await store.requestLog.find(id))?.state).toBe('posting');
    expect(await ledger.markPosted(held, { message, fileFollows: false }, 1500)).toBe(true);
    expect(await ledger.markCancelled(held, 1600)).toBe(false);
    expect(await store.requestLog.find(id)).toMatchObject({
      state: 'posted',
      rows: 412,
      range,
      message,
      finishedAt: 1500,
    });
    const failed = await store.requestLog.record(ask());
    await ledger.markFailed({ id: failed, worker: null }, { code: 'service_silent' }, 9);
    expect(await store.requestLog.find(failed)).toMatchObject({
      state: 'failed',
      errorCode: 'service_silent',
    });
    expect(await ledger.markCancelled({ id: 'gone', worker: null }, 1)).toBe(false);
  });

  it('finds unfinished requests at the next start, oldest first, with their files', async () => {
    const ids: string[] = [];
    for (const requestedAt of [30, 10, 20, 40]) ids.push(await store.requestLog.record(ask({ requestedAt })));
    const [running, posting, cancelled, withFile] = ids.map((id) => ({ id, worker: null }));
    if (!running || !posting || !cancelled || !withFile) throw new Error('One is missing');
    await store.ledger.markCancelled(cancelled, 40);
    for (const held of [posting, withFile]) await store.ledger.markPosting(held);
    await store.ledger.markPosted(withFile, { fileFollows: true }, 50);
    await store.requestLog.record(ask({ requestedAt: 60 }), 'file');
    const left = await store.requestLog.interrupted();
    expect(left.map(({ entry, what, state }) => [entry.requestedAt, what, state])).toEqual([
      [10, 'answer', 'posting'],
      [30, 'answer', 'running'],
      [40, 'file', 'running'],
      [60, 'file', 'running'],
    ]);
    for (const { claim } of left) await store.ledger.markFailed(claim, { code: 'interrupted' }, 70);
    expect(await store.requestLog.interrupted()).toEqual([]);
    expect(await store.requestLog.find(withFile.id)).toMatchObject({ state: 'posted' });
    // Nobody takes on what was asked by hand.
    const order = { worker: 'one', now: 99, leaseMs: 1, limit: 9, busyChannels: [] };
    expect(await store.ledger.claim(order)).toEqual([]);
    expect(await store.ledger.leaseHolders()).toEqual([]);
  });

  it('lists requests by person and by time, newest first', async () => {
    for (let i = 0; i < 25; i += 1)
      await store.requestLog.record(ask({ asker: `U${i % 2}`, requestedAt: Math.floor(i / 5) }));
    expect((await store.requestLog.recentOf('U1', 3)).map(({ requestedAt }) => requestedAt)).toEqual([
      4, 4, 3,
    ]);
    expect((await store.requestLog.recent(2, 99)).map(({ requestedAt }) => requestedAt)).toEqual([
      ...Array(5).fill(4),
      ...Array(5).fill(3),
      ...Array(5).fill(2),
    ]);
  });
});

describe('approvals', () => {
  it('of channels are recorded once and can be withdrawn', async () => {
    await store.approvals.approveChannel({ subject: 'C1', by: 'U1', at: 1 });
    await store.approvals.approveChannel({ subject: 'C1', by: 'U2', at: 2 });
    expect(await store.approvals.approvedChannels()).toEqual([{ subject: 'C1', by: 'U1', at: 1 }]);
    expect(await store.approvals.isChannelApproved('C1')).toBe(true);
    expect(await store.approvals.isChannelApproved('C2')).toBe(false);
    expect(await store.approvals.withdrawChannel('C1', { by: 'U1', at: 2 })).toBe(true);
    expect(await store.approvals.withdrawChannel('C1', { by: 'U1', at: 2 })).toBe(false);
    expect(await store.approvals.isChannelApproved('C1')).toBe(false);
  });

  it('of metadata keys are recorded once and can be withdrawn', async () => {
    await store.approvals.releaseKey({ subject: 'cost_center', by: 'U1', at: 1 });
    expect(await store.approvals.releasedKeys()).toEqual([{ subject: 'cost_center', by: 'U1', at: 1 }]);
    expect(await store.approvals.withdrawKey('cost_center', { by: 'U1', at: 2 })).toBe(true);
    expect(await store.approvals.releasedKeys()).toEqual([]);
  });

  it('of a channel that is shared are lost for good, those of the settings too', async () => {
    const { approvals } = store;
    await approvals.approveChannel({ subject: 'C1', by: 'U1', at: 1 });
    expect(await approvals.lostApproval('C1')).toBe(false);
    await approvals.markShared('C1', 2);
    await approvals.markShared('C1', 3);
    expect(await approvals.isChannelApproved('C1')).toBe(false);
    expect(await approvals.lostApproval('C1')).toBe(true);
    expect(await approvals.lostApproval('C2')).toBe(false);
    // No longer shared, and approved anew.
    await approvals.approveChannel({ subject: 'C1', by: 'U1', at: 4 });
    expect(await approvals.isChannelApproved('C1')).toBe(true);
    await approvals.markShared('C1', 5);
    expect(await approvals.isChannelApproved('C1')).toBe(false);
  });

  it('are requested once a channel and day, and decided once', async () => {
    const { approvals } = store;
    expect(await approvals.decideRequest('C1')).toBe(false);
    expect(await approvals.requestApproval('C1', 'U1', '2026-11-22')).toBe(true);
    expect(await approvals.requestApproval('C1', 'U2', '2026-11-22')).toBe(false);
    expect(await approvals.requestApproval('C2', 'U1', '2026-11-22')).toBe(true);
    expect(await approvals.decideRequest('C1')).toBe(true);
    expect(await approvals.decideRequest('C1')).toBe(false);
    expect(await approvals.requestApproval('C1', 'U2', '2026-11-22')).toBe(false);
    expect(await approvals.requestApproval('C1', 'U2', '2026-11-23')).toBe(true);
    expect(await approvals.decideRequest('C1')).toBe(true);
  });

  it('are events of the record, each change once', async () => {
    const { approvals, events } = store;
    await approvals.approveChannel({ subject: 'C1', by: 'U1', at: 1 });
    await approvals.approveChannel({ subject: 'C1', by: 'U2', at: 2 });
    await approvals.withdrawChannel('C1', { by: 'U2', at: 3 });
    await approvals.releaseKey({ subject: 'cost_center', by: 'U1', at: 4 });
    await approvals.withdrawKey('cost_center', { by: 'U1', at: 5 });
    await approvals.withdrawKey('cost_center', { by: 'U1', at: 6 });
    await approvals.markShared('C2', 7);
    expect(await events.oldest({}, 9)).toMatchObject([
      { kind: 'approved', at: 1, person: 'U1', place: 'C1' },
      { kind: 'withdrawn', at: 3, person: 'U2', place: 'C1' },
      { kind: 'released', at: 4, person: 'U1', details: { key: 'cost_center' } },
      { kind: 'withdrawn', at: 5, person: 'U1', details: { key: 'cost_center' } },
      { kind: 'withdrawn', at: 7, place: 'C2', details: { why: 'shared' } },
    ]);
  });
});

describe('envelopes', () => {
  it('are stored once, with the time of the first delivery', async () => {
    await store.seenDeliveries.add([
      { envelope: 'a', seenAt: 1 },
      { envelope: 'b', seenAt: 2 },
    ]);
    await store.seenDeliveries.add([{ envelope: 'a', seenAt: 3 }]);
    expect(await Promise.all(['c', 'c', 'a'].map((key) => store.seenDeliveries.claim(key, 0)))).toEqual([
      true,
      false,
      false,
    ]);
    await store.seenDeliveries.add([]);
    expect(await store.seenDeliveries.latest(1)).toEqual(['b']);
    expect(await store.seenDeliveries.latest(9)).toEqual(['b', 'a', 'c']);
    expect(await store.seenDeliveries.has('a')).toBe(true);
    expect(await store.seenDeliveries.has('d')).toBe(false);
  });
});

describe('the last figures', () => {
  const scope = unlimitedScope;
  const of = { run: { kind: 'asker', channel: 'C1' }, asker: 'U1', request, scope } as const;
  const digest = { ...of, run: { kind: 'digest', id: 'd1' } } as const;

  it('belong to a person, a request and a channel, with or without a file', async () => {
    await store.lastFigures.save(of, { overdue: 1 }, 10);
    await store.lastFigures.save(of, { overdue: 2 }, 20);
    const found = { figures: { overdue: 2 }, takenAt: 20, of: 'asker' };
    expect(await store.lastFigures.find(of)).toEqual(found);
    const sameFigures = { ...request, file: 'csv' as const, toMe: true, by: 'teams', columns: ['email'] };
    expect(await store.lastFigures.find({ ...of, request: sameFigures })).toEqual(found);
    for (const other of [
      { ...of, run: { kind: 'asker', channel: 'C2' } as const },
      { ...of, asker: 'U2' },
      { ...of, request: { ...request, filters: [] } },
      { ...of, request: { ...request, range: 'last-month' } },
      { ...of, scope: { ...scope, rows: 'team', address: 'ada@example.com' } as const },
      { ...of, scope: { ...scope, smallestGroup: 5 } },
      digest,
    ])
      expect(await store.lastFigures.find(other)).toBeUndefined();
  });

  it('of a digest or a saved report are shared by all people who run it', async () => {
    const saved = { ...of, run: { kind: 'saved-report', id: 'd1' } } as const;
    await store.lastFigures.save(digest, { overdue: 3 }, 10);
    await store.lastFigures.save(saved, { overdue: 4 }, 10);
    expect(await store.lastFigures.find({ ...digest, asker: 'U2' })).toMatchObject({
      of: 'digest',
      figures: { overdue: 3 },
    });
    expect(await store.lastFigures.find({ ...saved, asker: 'U2' })).toMatchObject({
      of: 'saved-report',
      figures: { overdue: 4 },
    });
    expect(await store.lastFigures.find({ ...digest, run: { kind: 'digest', id: 'd2' } })).toBeUndefined();
    // It was changed to ask for something else.
    expect(await store.lastFigures.find({ ...digest, request: { ...request, filters: [] } })).toBeUndefined();
  });

  it('are the same for typed defaults', async () => {
    const plain = plainRequest('assignments');
    await store.lastFigures.save({ ...of, request: plain }, { overdue: 1 }, 10);
    const typed = { ...plain, range: 'last-90-days', dateField: 'assigned_date' };
    expect(await store.lastFigures.find({ ...of, request: typed })).toBeDefined();
  });

  it('are separate for each asker if the request means the asker', async () => {
    const mine: ReportRequest = {
      ...request,
      filters: [{ object: 'user_filter', member: 'manager_email', entries: ['me'] }],
    };
    await store.lastFigures.save({ ...digest, request: mine }, { overdue: 1 }, 10);
    expect(await store.lastFigures.find({ ...digest, request: mine, asker: 'U2' })).toBeUndefined();
  });
});

describe('erasing a person', () => {
  it('keeps requests without the asker and without people in filters', async () => {
    const here = await store.requestLog.record(ask());
    const direct = await store.requestLog.record(ask({ channel: 'D9' }));
    const others = await store.requestLog.record(ask({ asker: 'U2' }));
    const held = { id: direct, worker: null };
    await store.ledger.markPosting(held, { rows: 1, late: false });
    await store.ledger.markPosted(held, { message: { channel: 'D9', ts: '1' }, fileFollows: true }, 2);
    await store.approvals.approveChannel({ subject: 'C1', by: 'U1', at: 1 });
    await store.approvals.releaseKey({ subject: 'cost_center', by: 'U1', at: 1 });

    expect(await store.erasePerson('U1')).toMatchObject({
      requests: 2,
      approvals: 2,
      savedReports: 0,
      digests: 0,
    });
    const departments = [
      { object: 'user_filter', member: 'departments', entries: ['Sales', 'Field "Ops"'] },
      // Without the filter, a button under the answer would ask about everybody.
      { object: 'user_filter', member: 'manager_email', entries: ['forgotten'] },
    ];
    expect(await store.requestLog.find(here)).toMatchObject({
      asker: 'forgotten',
      request: { filters: departments },
    });
    expect(await store.requestLog.find(direct)).toMatchObject({ channel: 'forgotten', rows: 1 });
    expect((await store.requestLog.find(direct))?.message).toBeUndefined();
    expect(await store.requestLog.find(others)).toMatchObject({ asker: 'U2', request });
    expect(await store.approvals.approvedChannels()).toMatchObject([{ subject: 'C1', by: 'forgotten' }]);
    expect(await store.erasePerson('U1')).toEqual({
      requests: 0,
      approvals: 0,
      savedReports: 0,
      digests: 0,
      rules: 0,
      events: 0,
      other: 0,
      list: [],
    });
  });
});

describe('forgetting a person’s access', () => {
  it('removes rules for them, them as an admin, hand-overs to them, and them from the record', async () => {
    const actor = { by: 'U1', at: 1 };
    const everyone = { subject: { kind: 'everyone' }, level: 'totals' } as const;
    await store.accessRules.set({ subject: { kind: 'person', id: 'U1' }, level: 'team' }, actor);
    await store.accessRules.set(everyone, actor);
    await store.admins.add('U1', 'U2', 1);
    await store.admins.add('U3', 'U1', 1);
    await store.approvals.requestApproval('C1', 'U1', '2026-11-22');
    const digest = await addDigest(store, 5, { owner: 'U2' });
    await store.digests.offer(digest.id, 1, 'U1', 2);
    const report = { channel: 'C1', name: 'Weekly', request, createdBy: 'U2' };
    const saved = await store.savedReports.save(report, 1);
    const savedId = saved.ok ? saved.value : '';
    expect(await store.savedReports.offer(savedId, 1, 'U1', 2)).toBe(true);
    expect(await store.erasePerson('U1')).toMatchObject({ rules: 2, events: 4 });
    expect((await store.savedReports.find(savedId))?.pendingOwner).toBeUndefined();
    expect(await store.accessRules.all()).toEqual([{ ...everyone, by: 'forgotten', at: 1 }]);
    expect(await store.admins.all()).toEqual([{ person: 'U3', by: 'forgotten', at: 1 }]);
    expect((await store.digests.find(digest.id))?.pendingOwner).toBeUndefined();
    expect(await store.events.oldest({ people: ['U1'] }, 9)).toEqual([]);
    expect(await store.events.verify(await store.events.head())).toMatchObject({ problems: [] });
    const kept = await Promise.all(
      tableNames
        .filter((table) => table !== 'digests')
        .map((table) => sqlOn(folder.database(), `SELECT * FROM ${table}`)),
    );
    // As a word: a random salt may have these letters.
    expect(JSON.stringify(kept)).not.toMatch(/\bU1\b/);
  });

  it('takes an address out of requests and the record', async () => {
    const id = await store.requestLog.record(ask());
    const other = await store.requestLog.record(ask({ request: { ...request, filters: [] } }));
    await store.events.append({ kind: 'asked', at: 1, person: 'U2', subjects: ['ada@example.com'] });
    expect(await store.erasePerson('Ada@Example.com')).toMatchObject({ requests: 1, events: 1 });
    expect((await store.requestLog.find(id))?.asker).toBe('U1');
    expect(JSON.stringify(await store.requestLog.find(id))).not.toContain('ada@');
    expect(await store.requestLog.find(other)).toBeDefined();
    expect(await store.events.oldest({}, 1)).toMatchObject([{ person: 'U2', subjects: ['forgotten'] }]);
    expect(await store.erasePerson('ada@example.com')).toMatchObject({ requests: 0, events: 0 });
  });
});

describe('the cleanup', () => {
  it('deletes any number of expired entries, and nothing that still runs', async () => {
    const now = 2 * retentionMs('requests', 400);
    const old = await store.requestLog.record(ask({ requestedAt: 1 }));
    const running = await store.requestLog.record(ask({ requestedAt: 1 }));
    const young = await store.requestLog.record(ask({ requestedAt: now }));
    await store.ledger.markCancelled({ id: old, worker: null }, 2);
    const old600 = Array.from({ length: 600 }, (_, i) => ({ envelope: `old${i}`, seenAt: 1 }));
    await store.seenDeliveries.add([...old600, { envelope: 'young', seenAt: now }]);
    const scope = unlimitedScope;
    const of = { run: { kind: 'asker', channel: 'C1' }, asker: 'U1', request, scope } as const;
    await store.lastFigures.save(of, { overdue: 1 }, 1);

    await deleteExpired(store, now, 400);
    expect(await store.requestLog.find(old)).toBeUndefined();
    expect(await store.requestLog.find(running)).toBeDefined();
    expect(await store.requestLog.find(young)).toBeDefined();
    expect(await store.seenDeliveries.latest(9)).toEqual(['young']);
    expect(await store.lastFigures.find(of)).toBeUndefined();
  });
});

it('the head of the record of access is in the log, at the start and daily', async () => {
  const { seq, hash } = await store.events.append({ kind: 'asked', at: Date.now(), person: 'U1' });
  const heads: unknown[] = [];
  let hours = 0;
  let stop = async () => {};
  const twoDaysSlept = new Promise<void>((slept) => {
    const clock = {
      now: Date.now,
      async sleep(_: number, signal?: AbortSignal) {
        hours += 1;
        if (hours < 49) return;
        slept();
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      },
      onJump: () => () => {},
    };
    const log = { debug() {}, warn() {}, error() {}, info: (details: object) => heads.push(details) };
    stop = startCleanup(store, clock, log as never, 400);
  });
  await twoDaysSlept;
  await stop();
  expect(heads).toEqual([1, 2, 3].map(() => ({ head: `${seq}:${hash}` })));
});
