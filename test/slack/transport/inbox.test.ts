import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDeliveryDeduplication, inboxDeliveries } from '../../../src/slack/transport/inbox.js';
import { databaseUnusable } from '../../../src/store/database/errors.js';
import type { Inbox, NewDelivery } from '../../../src/store/requests/inbox.js';

afterEach(() => void vi.useRealTimers());

function setUp(membership = { isLost: false }) {
  const adds: (readonly string[])[] = [];
  const ends: (readonly string[])[] = [];
  const uses: string[] = [];
  const known = new Set<string>();
  let failure: Error | undefined;
  let held: Promise<void> | undefined;
  const store = {
    async add(deliveries: readonly NewDelivery[]) {
      await held;
      if (failure) throw failure;
      const keys = deliveries.map(({ key }) => key);
      adds.push(keys);
      const added = keys.filter((key) => !known.has(key));
      for (const key of added) known.add(key);
      return new Set(added);
    },
    async end(keys: readonly string[]) {
      if (failure) throw failure;
      ends.push(keys);
    },
    async countUrlUse(key: string) {
      uses.push(key);
    },
  } as unknown as Inbox;
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const inbox = inboxDeliveries(store, membership, log);
  return {
    adds,
    ends,
    uses,
    log,
    inbox,
    keep: (key: string, url?: string) =>
      inbox.keep({ key, person: 'U1', payload: '{}', request: `r-${key}`, arrivedAt: 1 }, url),
    fail(error: Error | undefined) {
      failure = error;
    },
    hold(promise: Promise<void> | undefined) {
      held = promise;
    },
  };
}

describe('deliveries in the inbox', () => {
  it('are written together, at most 128 at once, and each hears whether it is new', async () => {
    const { keep, adds, inbox } = setUp();
    const first = await Promise.all(Array.from({ length: 450 }, (_, n) => keep(`d${n}`)));
    expect(new Set(first)).toEqual(new Set(['kept']));
    expect(adds.map(({ length }) => length)).toEqual([128, 128, 128, 66]);
    expect(await Promise.all([keep('d7'), keep('new')])).toEqual(['repeated', 'kept']);
    expect(adds).toHaveLength(5);
    await inbox.stop();
  });

  it('of a burst share a write, even if they arrive some turns apart', async () => {
    const { keep, adds } = setUp();
    const arriveApart = async (keys: readonly string[]) => {
      const kept: Promise<string>[] = [];
      for (const key of keys) {
        kept.push(keep(key));
        for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(kept);
    };
    await arriveApart(['a1', 'a2']);
    expect(adds).toEqual([['a1'], ['a2']]);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await Promise.all(['b1', 'b2', 'b3'].map((key) => keep(key)));
    await arriveApart(['c1', 'c2', 'c3']);
    expect(adds.slice(2)).toEqual([
      ['b1', 'b2', 'b3'],
      ['c1', 'c2', 'c3'],
    ]);
    vi.restoreAllMocks();
  });

  it('that arrive while others are written share the next write', async () => {
    const { keep, adds, hold } = setUp();
    let release = () => {};
    hold(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    const first = keep('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const others = [keep('b'), keep('c')];
    await new Promise((resolve) => setTimeout(resolve, 5));
    release();
    await Promise.all([first, ...others]);
    expect(adds).toEqual([['a'], ['b', 'c']]);
  });

  it('that the database does not take, or not in time, are acknowledged without it', async () => {
    const { keep, inbox, fail, hold, log } = setUp();
    fail(databaseUnusable('a.db', 'SQLITE_FULL'));
    expect(await Promise.all([keep('a'), keep('b')])).toEqual(['not-kept', 'not-kept']);
    expect(log.warn).toHaveBeenCalledTimes(1);
    fail(undefined);
    expect(await keep('c')).toBe('kept');

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let release = () => {};
    hold(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    for (const key of ['a', 'b']) inbox.end(key);
    expect(inbox.unsaved()).toEqual([]);
    const slow = [keep('d'), keep('e')];
    await vi.advanceTimersByTimeAsync(1_500);
    expect(await Promise.all(slow)).toEqual(['not-kept', 'not-kept']);
    expect(inbox.unsaved().map(({ key }) => key)).toEqual(['d', 'e']);
    // One has its answer, and the other is saved after all.
    inbox.end('d');
    expect(inbox.unsaved().map(({ key }) => key)).toEqual(['e']);
    release();
    await vi.waitFor(() => expect(inbox.unsaved()).toEqual([]));
  });

  it('that the database did not take are written once it does, unless they have ended meanwhile', async () => {
    const membership = { isLost: false };
    const { keep, inbox, adds, ends, fail, log } = setUp(membership);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fail(databaseUnusable('a.db', 'ECONNRESET'));
    expect(await Promise.all(['a', 'b', 'c'].map((key) => keep(key)))).toEqual(Array(3).fill('not-kept'));
    inbox.end('a');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(log.warn.mock.calls.filter(([, words]) => /put into the inbox/.test(words))).toHaveLength(1);
    inbox.end('b');
    fail(undefined);
    await vi.waitFor(() => expect(adds.flat()).toContain('c'));
    await vi.waitFor(() => expect(ends.flat().sort()).toEqual(['a', 'b']));
    expect(adds.flat()).not.toContain('a');

    // Others have gone on without this process.
    fail(databaseUnusable('a.db', 'ECONNRESET'));
    expect(await keep('d')).toBe('not-kept');
    membership.isLost = true;
    fail(undefined);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(adds.flat()).not.toContain('d');
    expect(inbox.unsaved().map(({ key }) => key)).toEqual(['d']);
    await inbox.stop();
  });

  it('are ended shortly after, also where the database fails for a while, and the rest at a stop', async () => {
    const { keep, inbox, ends, fail } = setUp();
    await keep('a');
    fail(databaseUnusable('a.db', 'SQLITE_FULL'));
    inbox.end('a');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ends).toEqual([]);
    fail(undefined);
    await keep('b');
    inbox.end('b');
    await vi.waitFor(() => expect(ends.flat().sort()).toEqual(['a', 'b']), { timeout: 3_000 });
    await keep('c');
    inbox.end('c');
    await inbox.stop();
    expect(ends.flat()).toContain('c');
  });

  it('are no longer ended once others may go on with them', async () => {
    const membership = { isLost: false };
    const { keep, inbox, ends } = setUp(membership);
    await keep('a');
    membership.isLost = true;
    inbox.end('a');
    await inbox.stop();
    expect(ends).toEqual([]);
  });

  it('count the uses of their response URLs, and of no others', async () => {
    const { keep, inbox, uses } = setUp();
    await keep('a', 'https://hooks.slack.com/1');
    inbox.urlUsed('https://hooks.slack.com/1');
    inbox.urlUsed('https://hooks.slack.com/2');
    inbox.noteUrl('b', 'https://hooks.slack.com/2');
    inbox.urlUsed('https://hooks.slack.com/2');
    inbox.end('a');
    inbox.urlUsed('https://hooks.slack.com/1');
    expect(uses).toEqual(['a', 'b']);
    await inbox.stop();
  });
});

const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

describe('deliveries that could not be saved', () => {
  it('are saved with the next ones, in small writes', async () => {
    let isFull = true;
    const writes: (readonly string[])[] = [];
    const duplicates = await createDeliveryDeduplication(
      {
        has: async () => false,
        latest: async () => [],
        async add(seen) {
          if (isFull) throw databaseUnusable('a.db', 'SQLITE_FULL');
          writes.push(seen.map(({ envelope }) => envelope));
        },
      },
      { now: () => 1 },
      log,
    );
    for (let i = 0; i < 450; i += 1) await duplicates.isNew(`early ${i}`, { isRetry: false });
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
    expect(writes).toEqual([]);

    isFull = false;
    await duplicates.isNew('late', { isRetry: false });
    await duplicates.stop();
    expect(writes.map(({ length }) => length)).toEqual([200, 200, 51]);
    expect(writes.flat()).toEqual([...Array.from({ length: 450 }, (_, i) => `early ${i}`), 'late']);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });
});
