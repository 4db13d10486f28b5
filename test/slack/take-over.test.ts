import type { WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { type TakeOverParts, takeOvers } from '../../src/slack/answers/take-over.js';
import type { NewDelivery, TakenDelivery } from '../../src/store/requests/inbox.js';
import { openStore, type Store } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();
let ended: Store;
let store: Store;
beforeEach(async () => {
  ended = await openStore(folder.path('rollcall.db'), Date.now, { process: 'ended' });
  store = await openStore(folder.path('rollcall.db'), Date.now, { process: 'this one' });
});
afterEach(async () => {
  await ended.close();
  await store.close();
});

const now = 20 * 60_000;
const entry = { channel: 'C1', asker: 'U1', request: plainRequest('tracks'), requestedAt: now };

function delivery(key: string, body: object, more: Partial<NewDelivery> = {}): NewDelivery {
  const payload = JSON.stringify(body);
  return { key, person: 'U1', payload, request: `run-${key}`, arrivedAt: now, ...more };
}

function setUp(changes: Partial<TakeOverParts> = {}) {
  const messages: { channel: string; text: string; blocks: string }[] = [];
  const deleted: string[] = [];
  const goneOn: TakenDelivery[] = [];
  const chat = {
    async postMessage({ channel, text, blocks }: { channel: string; text: string; blocks: unknown }) {
      messages.push({ channel, text, blocks: JSON.stringify(blocks) });
      return { ok: true };
    },
    async delete({ ts }: { ts: string }) {
      deleted.push(ts);
      return { ok: true };
    },
  };
  const waits: number[] = [];
  const overtaking = takeOvers({
    store,
    membership: { hasEnded: async (process) => process === 'ended' },
    takeOver: async (taken) => void goneOn.push(taken),
    goesOn: true,
    unsaved: () => [],
    client: { chat } as unknown as WebClient,
    botUserId: 'UBOT',
    clock: { now: () => now, sleep: async () => {}, onJump: () => () => {} },
    log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() },
    onTakenOver: (milliseconds) => waits.push(milliseconds),
    ...changes,
  });
  return { overtaking, messages, deleted, goneOn, waits };
}

const typed = { command: '/report', text: 'engagement last-week' };

describe('where one process at a time runs', () => {
  it('people are told about what was acknowledged and not recorded, once', async () => {
    await ended.inbox.add([
      delivery('1', typed),
      delivery('2', { event: { type: 'app_mention', text: '<@UBOT> tracks &amp; more' } }),
      delivery('3', { actions: [{ action_id: 'x', text: { type: 'plain_text', text: 'Send now' } }] }),
      delivery('4', { view: { title: { type: 'plain_text', text: 'Save a report' } } }),
      delivery('5', { ...typed, text: `engagement name:${'x'.repeat(2_100)}` }),
    ]);
    const { overtaking, messages, goneOn } = setUp({ goesOn: false });
    await overtaking.check();
    await overtaking.check();
    expect(goneOn).toEqual([]);
    expect(messages.map(({ channel, text }) => [channel, text.slice(0, 100)])).toEqual([
      ['U1', 'I restarted after you typed /report engagement last-week. If you see no result, run it again.'],
      ['U1', 'I restarted after you typed /report tracks &amp; more. If you see no result, run it again.'],
      ['U1', 'I restarted after you pressed “Send now”. If you see no result, press it again.'],
      ['U1', expect.stringMatching(/^I restarted after you sent the form “Save a report”\. If you see no/)],
      ['U1', expect.stringMatching(/^I restarted after you typed \/report engagement name:x+/)],
    ]);
    expect(messages[0]?.blocks).toContain('"value":"engagement last-week"');
    expect(messages[1]?.blocks).toContain('"value":"tracks & more"');
    expect(messages[4]?.blocks).not.toContain('Run it now');
  });

  it('people are told at a stop about what no other process would find, unless it ended meanwhile', async () => {
    const left = [delivery('1', typed), delivery('2', { ...typed, text: 'tracks' })];
    let remaining = 4_000;
    const clock = {
      now: () => now,
      onJump: () => () => {},
      async sleep(milliseconds: number) {
        remaining -= milliseconds;
        if (remaining < 3_500) left.splice(1);
      },
    };
    const { overtaking, messages } = setUp({ unsaved: () => left, clock });
    const deadline = { remainingMs: () => remaining, waitFor: async () => true };
    await overtaking.stop(deadline);
    expect(remaining).toBe(3_000);
    expect(messages.map(({ channel, text }) => [channel, text])).toEqual([
      ['U1', 'I restarted after you typed /report engagement last-week. If you see no result, run it again.'],
    ]);
    left.pop();
    remaining = 4_000;
    await overtaking.stop(deadline);
    expect([remaining, messages.length]).toEqual([4_000, 1]);
  });

  it('they are told about what has failed, because nobody can know whether they were told why', async () => {
    const fails = async (key: string, body: object) => {
      await ended.inbox.add([delivery(key, body)]);
      await ended.requestLog.record(entry, 'answer', `run-${key}`);
      await ended.ledger.markFailed({ id: `run-${key}`, worker: null }, { code: 'service-broken' }, now);
    };
    await fails('1', typed);
    await fails('2', { actions: [{ action_id: 'ask_csv', text: { type: 'plain_text', text: 'CSV' } }] });
    const { overtaking, messages } = setUp({ goesOn: false });
    await overtaking.check();
    await overtaking.check();
    expect(messages.map(({ text }) => text)).toEqual([
      'I restarted after you typed /report engagement last-week. If you see no result, run it again.',
      'I restarted after you pressed “CSV”. If you see no result, press it again.',
    ]);
    expect(messages[0]?.blocks).toContain('"value":"engagement last-week"');
  });

  it('the post of a recorded request tells about it, so that nobody else does', async () => {
    await ended.inbox.add([delivery('1', typed)]);
    await ended.requestLog.record(entry, 'answer', 'run-1');
    expect(await store.requestLog.interrupted()).toEqual([]);
    const { overtaking, messages } = setUp({ goesOn: false });
    await overtaking.check();
    expect(messages).toEqual([]);
    expect(await store.requestLog.interrupted()).toMatchObject([
      { state: 'running', claim: { process: 'ended' } },
    ]);
  });
});

describe('where another process runs', () => {
  it('it goes on with what is young, and only once', async () => {
    await ended.inbox.add([delivery('1', typed, { arrivedAt: now - 3_000 }), delivery('2', typed)]);
    await ended.requestLog.record(entry, 'answer', 'run-2');
    await ended.inbox.saveProgress('run-2', { channel: 'C1', ts: '1.5' });
    const { overtaking, goneOn, messages, deleted, waits } = setUp();
    await Promise.all([overtaking.check(), overtaking.check()]);
    expect(goneOn.map(({ key, state }) => [key, state])).toEqual([
      ['1', undefined],
      ['2', 'running'],
    ]);
    expect(deleted).toEqual(['1.5']);
    expect(waits).toEqual([3_000, 0]);
    expect(messages).toEqual([]);
    expect(await store.requestLog.isOfThisProcess('run-2')).toBe(true);
  });

  it('a request that is refused there does not stay running', async () => {
    await ended.inbox.add([delivery('1', typed), delivery('2', typed)]);
    await ended.requestLog.record(entry, 'answer', 'run-1');
    await ended.requestLog.record(entry, 'answer', 'run-2');
    const { overtaking } = setUp({
      async takeOver({ request }) {
        if (request === 'run-1') return;
        const claim = { id: request, worker: null };
        await store.ledger.markPosting(claim);
        await store.ledger.markUnconfirmed(claim, { code: 'post-timeout' }, now);
      },
    });
    await overtaking.check();
    await vi.waitFor(async () => {
      expect(await store.requestLog.find('run-1')).toMatchObject({ state: 'failed', finishedAt: now });
    });
    expect(await store.requestLog.find('run-2')).toMatchObject({ state: 'unknown' });
    expect(await store.requestLog.interrupted()).toEqual([]);
  });

  it('nothing is taken from a process that lives', async () => {
    const living = await openStore(folder.path('rollcall.db'), Date.now, { process: 'living' });
    await living.inbox.add([delivery('1', typed)]);
    const { overtaking, goneOn } = setUp();
    await overtaking.check();
    expect(goneOn).toEqual([]);
    await living.close();
  });

  it('what is older than ten minutes is not run, and its person is told', async () => {
    await ended.inbox.add([delivery('1', typed, { arrivedAt: now - 10 * 60_000 })]);
    const { overtaking, goneOn, messages } = setUp();
    await overtaking.check();
    expect(goneOn).toEqual([]);
    expect(messages).toHaveLength(1);
  });

  it('a message that the answer may have replaced stays', async () => {
    await ended.inbox.add([delivery('1', typed)]);
    await ended.requestLog.record(entry, 'answer', 'run-1');
    await ended.inbox.saveProgress('run-1', { channel: 'C1', ts: '1.5' });
    await ended.ledger.markPosting({ id: 'run-1', worker: null });
    const { overtaking, goneOn, messages, deleted } = setUp();
    await overtaking.check();
    expect([goneOn, messages, deleted]).toEqual([[], [], []]);
    // The process that ends unfinished posts asks its asker.
    expect(await store.requestLog.interrupted()).toMatchObject([
      { state: 'posting', claim: { process: 'ended' } },
    ]);
  });

  it('details that were being made can be made again', async () => {
    await ended.requestLog.record(entry, 'answer', 'earlier');
    await ended.ledger.beginDetails('earlier', 'C1', now);
    await ended.inbox.add([delivery('1', { actions: [{ action_id: 'ask_details', value: 'earlier' }] })]);
    const { overtaking, goneOn, messages } = setUp();
    await overtaking.check();
    expect(goneOn).toHaveLength(1);
    expect(await store.ledger.beginDetails('earlier', 'C1', now)).toBe('begun');
    expect(messages).toEqual([]);
  });

  it('stops before it takes more', async () => {
    await ended.inbox.add([delivery('1', typed)]);
    const { overtaking, goneOn } = setUp();
    overtaking.start();
    await overtaking.stop();
    await overtaking.check();
    expect(goneOn).toEqual([]);
  });
});
