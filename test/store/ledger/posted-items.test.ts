import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { directMessages, type NewPostedItem } from '../../../src/posts/posted-items.js';
import { filePostId } from '../../../src/posts/states.js';
import { openStore } from '../../../src/store/store.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder } from '../fresh-folder.js';

const folder = freshFolder();
const day = 24 * hour;
const worker = 'one';
const end = 1000 * day;

async function open(name = 'rollcall.db') {
  const store = await openStore(folder.path(name), Date.now);
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

type Store = Awaited<ReturnType<typeof open>>;

/** Runs a digest up to the call to Slack. Returns its claim. */
async function posting(store: Store, digest: string, at: number) {
  const { revision, nextDue: previousDue = null } = found(await store.digests.find(digest));
  await store.digests.reschedule([{ id: digest, revision, previousDue, nextDue: at }]);
  const read = found(await store.digests.find(digest));
  const run = { dueAt: at, dedupeKey: String(at), missed: 0, late: false };
  const [id] = await store.ledger.enter([{ digest: read, run, nextDue: null }], at);
  await store.ledger.claim({ worker, now: at, leaseMs: 1000, limit: 10, busyChannels: [] });
  const claim = { id: found(id), worker };
  await store.ledger.markPosting(claim, { rows: 1, late: false });
  return claim;
}

async function post(store: Store, digest: string, at: number, { file = false } = {}) {
  const claim = await posting(store, digest, at);
  const message = { channel: 'C1', ts: `${at}.1` };
  await store.ledger.markPosted(claim, { message, fileFollows: file }, at);
  if (file)
    await shareFile(store, claim.id, { kind: 'file', channel: 'C1', item: `F${at}`, root: message }, at);
  return { claim, message };
}

async function shareFile(store: Store, run: string, item: NewPostedItem, at: number) {
  const claim = { id: filePostId(run), worker };
  await store.ledger.markPosting(claim);
  await store.ledger.markPosted(claim, { fileFollows: false, item: { ...item, isOfDigest: true } }, at);
}

async function dueItems(store: Store, now: number) {
  const due = await store.postedItems.due(now, 1000);
  expect(await store.postedItems.countDue(now)).toBe(due.length);
  return due.map(({ item }) => item).sort();
}

describe('what is due to be deleted', () => {
  it('is nothing without a setting', async () => {
    const store = await open();
    const digest = await addDigest(store, hour);
    for (const at of [1, 2, 3]) await post(store, digest.id, at * hour, { file: true });
    expect(await dueItems(store, end)).toEqual([]);
  });

  it('is the last message of a digest with its file and replies, once the next one is posted', async () => {
    const store = await open();
    const digest = await addDigest(store, hour, { replace: true });
    const first = await post(store, digest.id, hour, { file: true });
    const asked = await store.requestLog.record({
      channel: 'C1',
      asker: 'U1',
      request: digest.request,
      requestedAt: 1,
    });
    const reply = { id: asked, worker: null };
    await store.ledger.markPosting(reply);
    const root = first.message;
    const item = { kind: 'message', channel: 'C1', item: 'reply', root } as const;
    await store.ledger.markPosted(reply, { fileFollows: false, item }, hour + 5);
    expect(await dueItems(store, end)).toEqual([]);
    const next = await posting(store, digest.id, 2 * hour);
    expect(await dueItems(store, end)).toEqual([]);
    await store.ledger.markPosted(
      next,
      { message: { channel: 'C1', ts: 'next' }, fileFollows: false },
      2 * hour,
    );
    expect(await dueItems(store, 2 * hour)).toEqual([root.ts, `F${hour}`, 'reply'].sort());
  });

  it('is not the last message while the next one is unconfirmed, but it is once somebody says that it arrived', async () => {
    const store = await open();
    const digest = await addDigest(store, hour, { replace: true });
    const first = await post(store, digest.id, hour);
    const next = await posting(store, digest.id, 2 * hour);
    await store.ledger.markUnconfirmed(next, { code: 'http_500' }, 2 * hour);
    expect(await dueItems(store, end)).toEqual([]);
    await store.ledger.settle(next.id, 'arrived', 3 * hour);
    expect(await dueItems(store, 3 * hour)).toEqual([first.message.ts]);
  });

  it('takes the file of a digest that is shared after its message was replaced', async () => {
    const store = await open();
    const digest = await addDigest(store, hour, { replace: true });
    const claim = await posting(store, digest.id, hour);
    const root = { channel: 'C1', ts: 'first' };
    await store.ledger.markPosted(claim, { message: root, fileFollows: true }, hour);
    await post(store, digest.id, 2 * hour);
    await store.postedItems.end({ kind: 'message', channel: 'C1', item: 'first' }, 2 * hour);
    await shareFile(store, claim.id, { kind: 'file', channel: 'D1', item: 'F1', root }, 3 * hour);
    expect(await dueItems(store, 3 * hour)).toEqual(['F1']);
  });

  it('follows the earlier of keep and the setting of the channel, which is about files alone', async () => {
    const store = await open();
    await store.channelAges.set('C1', 3, 'U1', 1);
    const digest = await addDigest(store, hour, { keepDays: 7 });
    const { message } = await post(store, digest.id, hour, { file: true });
    expect(await dueItems(store, hour + 3 * day - 1)).toEqual([]);
    expect(await dueItems(store, hour + 3 * day)).toEqual([`F${hour}`]);
    expect(await dueItems(store, hour + 7 * day)).toEqual([message.ts, `F${hour}`].sort());
    await store.channelAges.set('C1', undefined, 'U1', 2);
    expect(await store.channelAges.all()).toEqual([]);
  });

  it('follows the setting of all direct messages, unless those have one of their own', async () => {
    const store = await open();
    const file = (channel: string) => ({ kind: 'file', channel, item: `F-${channel}` }) as const;
    await store.channelAges.set(directMessages, 2, 'U1', 1);
    await store.channelAges.set('D9', 5, 'U1', 1);
    for (const channel of ['C1', 'D1', 'D9']) await store.postedItems.add(file(channel), hour);
    expect(await dueItems(store, hour + 2 * day - 1)).toEqual([]);
    expect(await dueItems(store, hour + 2 * day)).toEqual(['F-D1']);
    expect(await dueItems(store, hour + 5 * day)).toEqual(['F-D1', 'F-D9']);
    await store.channelAges.set(directMessages, undefined, 'U1', 2);
    expect(await store.channelAges.find('D1')).toBeUndefined();
    expect(await store.channelAges.find('D9')).toBe(5);
  });

  it('loses the settings with an edit that takes them away', async () => {
    const store = await open();
    const { id, revision } = await addDigest(store, hour, { replace: true, keepDays: 7 });
    expect(await store.digests.find(id)).toMatchObject({ replace: true, keepDays: 7 });
    await store.digests.change(id, revision, { skipEmpty: true, nextDue: hour });
    expect(await store.digests.find(id)).toMatchObject({ replace: true, keepDays: 7 });
    await store.digests.change(id, revision + 1, { replace: false, keepDays: null, nextDue: hour });
    const changed = await store.digests.find(id);
    expect([changed?.replace, changed?.keepDays]).toEqual([undefined, undefined]);
  });

  it('never holds the latest message of a digest before its time, nor anything that is unconfirmed', async () => {
    const step = fc.record({
      digest: fc.integer({ min: 0, max: 1 }),
      outcome: fc.constantFrom('posted', 'with-file', 'unconfirmed', 'failed'),
      hours: fc.integer({ min: 1, max: 60 }),
    });
    const setting = fc.record({
      replace: fc.boolean(),
      keepDays: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(setting, setting),
        fc.array(step, { maxLength: 8 }),
        async (settings, steps) => {
          count += 1;
          const store = await open(`random-${count}.db`);
          const digests = [
            await addDigest(store, hour, settings[0]),
            await addDigest(store, hour, settings[1]),
          ];
          // What must be deleted, and when, by a plain account of the same steps.
          const expected = new Map<string, number>();
          const last: (readonly string[])[] = [[], []];
          let now = hour;
          for (const { digest: which, outcome, hours } of steps) {
            now += hours * hour;
            const digest = found(digests[which]);
            if (outcome === 'unconfirmed' || outcome === 'failed') {
              const claim = await posting(store, digest.id, now);
              await (outcome === 'failed' ? store.ledger.markFailed : store.ledger.markUnconfirmed)(
                claim,
                { code: 'x' },
                now,
              );
              continue;
            }
            await post(store, digest.id, now, { file: outcome === 'with-file' });
            const { replace, keepDays } = found(settings[which]);
            if (replace) {
              for (const item of last[which] ?? []) {
                expected.set(item, Math.min(now, expected.get(item) ?? Number.POSITIVE_INFINITY));
              }
            }
            const items = [`${now}.1`, ...(outcome === 'with-file' ? [`F${now}`] : [])];
            if (keepDays !== undefined) for (const item of items) expected.set(item, now + keepDays * day);
            last[which] = items;
            const dueNow = [...expected].filter(([, at]) => at <= now).map(([item]) => item);
            expect(await dueItems(store, now)).toEqual(dueNow.sort());
          }
          expect(await dueItems(store, end)).toEqual([...expected.keys()].sort());
          await store.close();
        },
      ),
      { numRuns: 25 },
    );
  });
});
