import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import { deleteExpired } from '../../../src/store/cleanup.js';
import { retentionMs } from '../../../src/store/database/expiry.js';
import type { NewDelivery } from '../../../src/store/requests/inbox.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey, sqlOn } from '../fresh-folder.js';

const folder = freshFolder();
const limits = { arrivedAfter: 0, maxAttempts: 2 };
const entry = { channel: 'C1', asker: 'U1', request: plainRequest('tracks'), requestedAt: 1 };

let first: Store;
let second: Store;
let third: Store;
beforeEach(async () => {
  const open = (process: string) =>
    openStore(folder.databaseWithTables('rollcall.db'), Date.now, { process, recordKey });
  first = await open('first');
  second = await open('second');
  third = await open('third');
});
afterEach(async () => {
  for (const store of [first, second, third]) await store.close();
});

function delivery(key: string, more: Partial<NewDelivery> = {}): NewDelivery {
  return { key, person: 'U1', payload: `{"of":"${key}"}`, request: `run-${key}`, arrivedAt: 1, ...more };
}

const rowsOf = (columns: string) =>
  sqlOn<Record<string, unknown>>(folder.database(), `SELECT ${columns} FROM inbox ORDER BY delivery`);

describe('the inbox', () => {
  it('takes each delivery once, whichever process it reaches', async () => {
    expect(await first.inbox.add([delivery('a'), delivery('b')])).toEqual(new Set(['a', 'b']));
    expect(await second.inbox.add([delivery('b'), delivery('c')])).toEqual(new Set(['c']));
    expect(await first.inbox.add([])).toEqual(new Set());
    // Also after its work has ended.
    await first.inbox.end(['a']);
    expect(await second.inbox.add([delivery('a')])).toEqual(new Set());

    // However many come at once.
    const many = Array.from({ length: 37 }, (_, n) => delivery(`many-${n}`));
    expect((await first.inbox.add(many)).size).toBe(37);
    await first.inbox.end(many.slice(0, 36).map(({ key }) => key));
    expect(await second.inbox.take('first', 99, limits)).toMatchObject([{ key: 'b' }, { key: 'many-36' }]);

    const raced = Array.from({ length: 20 }, (_, n) => `raced-${n}`);
    const added = await Promise.all(
      [first, second, third].flatMap(({ inbox }) =>
        raced.map(async (key) => (await inbox.add([delivery(key)])).size),
      ),
    );
    expect(added.reduce((sum, count) => sum + count)).toBe(raced.length);
  });

  it('keeps of what has ended the key alone, and only its holder ends it', async () => {
    await first.inbox.add([delivery('a'), delivery('b')]);
    await second.inbox.end(['a', 'b']);
    expect(await second.inbox.holders()).toEqual(['first']);
    await first.inbox.saveProgress('run-a', { channel: 'C1', ts: '1.5' });
    await first.inbox.end(['a', 'b']);
    expect(await second.inbox.holders()).toEqual([]);
    expect(await rowsOf('delivery, payload, person, progress')).toEqual([
      { delivery: 'a', payload: null, person: '', progress: null },
      { delivery: 'b', payload: null, person: '', progress: null },
    ]);
  });

  it('gives the open deliveries of a process to one other, with all that it knew', async () => {
    await first.inbox.add([delivery('late', { arrivedAt: 9 }), delivery('early', { arrivedAt: 2 })]);
    await first.inbox.countUrlUse('early');
    await first.inbox.countUrlUse('early');
    await first.inbox.saveProgress('run-early', { channel: 'C1', ts: '1.5' });
    await third.inbox.countUrlUse('early');
    expect(await first.inbox.holders()).toEqual([]);
    expect(await second.inbox.holders()).toEqual(['first']);

    const taken = await Promise.all([
      second.inbox.take('first', 1, limits),
      third.inbox.take('first', 1, limits),
    ]);
    expect(taken.flat().sort((a, b) => a.arrivedAt - b.arrivedAt)).toEqual([
      {
        ...delivery('early', { arrivedAt: 2 }),
        urlUses: 2,
        progress: { channel: 'C1', ts: '1.5' },
        goesOn: true,
      },
      { ...delivery('late', { arrivedAt: 9 }), urlUses: 0, goesOn: true },
    ]);
    expect(await first.inbox.holders()).toHaveLength(2);
    // A process that wakes up late ends nothing that others have.
    await first.inbox.end(['early', 'late']);
    expect(await first.inbox.holders()).toHaveLength(2);
    expect(await second.inbox.take('first', 9, limits)).toEqual([]);
  });

  it('hands on what is running with its post, and nothing that was being sent or has ended', async () => {
    const keys = ['running', 'posting', 'failed', 'posted', 'none'];
    await first.inbox.add(keys.map((key) => delivery(key)));
    for (const key of keys.slice(0, 4)) await first.requestLog.record(entry, 'answer', `run-${key}`);
    const held = (key: string) => ({ id: `run-${key}`, worker: null });
    for (const key of ['posting', 'posted']) await first.ledger.markPosting(held(key));
    await first.ledger.markPosted(held('posted'), { message: undefined, fileFollows: false }, 2);
    await first.ledger.markFailed(held('failed'), { code: 'x' }, 2);

    const taken = await second.inbox.take('first', 9, limits);
    expect(Object.fromEntries(taken.map(({ key, state, goesOn }) => [key, [state, goesOn]]))).toEqual({
      running: ['running', true],
      posting: ['posting', false],
      failed: ['failed', false],
      posted: ['posted', false],
      none: [undefined, true],
    });
    // Only the new holder moves the post of what goes on.
    expect(await first.ledger.markPosting(held('running'))).toBe(false);
    expect(await first.ledger.markFailed(held('running'), { code: 'x' }, 3)).toBe(false);
    expect(await second.ledger.markPosting(held('running'))).toBe(true);
    // A message that was on its way in the old one's hands may still turn out to have arrived.
    expect(
      await first.ledger.markPosted(held('posting'), { message: undefined, fileFollows: false }, 3),
    ).toBe(true);
    expect(await third.inbox.holders()).toEqual(['second']);
    expect(await third.inbox.take('second', 9, limits)).toMatchObject([
      { key: 'none', goesOn: false },
      { key: 'running', goesOn: false },
    ]);
    expect(await third.inbox.holders()).toEqual([]);
  });

  it('goes on with nothing that is old, or that two processes have had', async () => {
    await first.inbox.add([delivery('old', { arrivedAt: 5 }), delivery('young', { arrivedAt: 6 })]);
    const young = { ...limits, arrivedAfter: 5 };
    expect(await second.inbox.take('first', 9, young)).toMatchObject([
      { key: 'old', goesOn: false, payload: '{"of":"old"}' },
      { key: 'young', goesOn: true },
    ]);
    expect(await third.inbox.take('second', 9, young)).toMatchObject([{ key: 'young', goesOn: false }]);
    // Without limits, none goes on.
    await first.inbox.add([delivery('other')]);
    expect(await second.inbox.take('first', 9)).toMatchObject([{ key: 'other', goesOn: false }]);
  });

  it('lets others take what is running, and nothing else, when its holder stops', async () => {
    await first.inbox.add(['running', 'posting', 'none'].map((key) => delivery(key)));
    for (const key of ['running', 'posting']) await first.requestLog.record(entry, 'answer', `run-${key}`);
    await first.ledger.markPosting({ id: 'run-posting', worker: null });
    const released = ['running', 'posting', 'none'].map((key) => first.inbox.release(`run-${key}`));
    expect(await Promise.all(released)).toEqual([true, false, false]);
    expect(await second.inbox.release('run-running')).toBe(false);
    expect(await first.ledger.markPosting({ id: 'run-running', worker: null })).toBe(false);
    expect(await second.inbox.holders()).toEqual(expect.arrayContaining([null, 'first']));
    expect(await second.inbox.take(null, 9, limits)).toMatchObject([{ key: 'running', goesOn: true }]);
    expect(await second.ledger.markPosting({ id: 'run-running', worker: null })).toBe(true);
  });

  it('forgets a person, and everything after two days', async () => {
    await first.inbox.add([
      delivery('theirs', { person: 'U7' }),
      delivery('about them', { payload: '{"text":"engagement user:U7"}' }),
      delivery('other'),
    ]);
    await first.erasePerson('U7');
    expect(JSON.stringify(await rowsOf('*'))).not.toContain('U7');
    expect(await second.inbox.take('first', 9, limits)).toMatchObject([{ key: 'other' }]);
    await deleteExpired(first, 1 + retentionMs('inbox', 400), 400);
    expect(await rowsOf('delivery')).toHaveLength(2);
    await deleteExpired(first, 2 + retentionMs('inbox', 400), 400);
    expect(await rowsOf('delivery')).toEqual([]);
  });
});
