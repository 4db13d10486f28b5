import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../../src/errors/failure.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { ReadPlan } from '../../../src/runner/ports.js';
import { notificationMessage } from '../../../src/slack/messages/digest-notifications.js';
import { digestActions } from '../../../src/slack/messages/digests.js';
import { noticeActions } from '../../../src/slack/messages/notices.js';
import { fileActions } from '../../../src/slack/messages/rows.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { addDigest, found } from '../../store/digest-setup.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

/** A bot whose service gives every answer, except one that is written as a workbook. */
function bot() {
  const plans: ReadPlan[] = [];
  const source = {
    async read(_query: unknown, plan: ReadPlan) {
      plans.push(plan);
      if (plan.file?.format === 'xlsx') throw new Failure('too-large-for-excel', { limit: 'rows' });
      throw new Error('Enough was seen');
    },
  };
  const access = {
    accessOf: async () => ({ level: 'everything', address: 'ada@example.com' }),
    isAdmin: async () => false,
    admins: async () => [],
    invalidateGroup() {},
    endGroup() {},
  };
  const changes = { source, access, personLevelChannels: '*', smallestGroup: 1 };
  return { ...listeningBot({ store, changes: changes as never }), plans };
}

/** Where a button was pressed: in a message to one person alone, which has a place and no content. */
const ephemeral = (thread?: string) => ({
  channel: { id: 'C1', name: 'x' },
  container: { type: 'message', channel_id: 'C1', message_ts: '5.5', is_ephemeral: true, thread_ts: thread },
  message: undefined,
  response_url: undefined,
});

const ask = (file: 'csv' | 'xlsx') =>
  store.requestLog.record(
    { channel: 'C1', asker: 'U1', request: { ...plainRequest('engagement'), file }, requestedAt: Date.now() },
    'answer',
  );

describe('an answer that is too large for Excel', () => {
  it('is refused with the CSV as a button, which runs the same request', async () => {
    const { deliver, calls, plans } = bot();
    await deliver(pressOf(noticeActions.again, await ask('xlsx'), ephemeral()) as never);
    const told = JSON.stringify(calls);
    expect(told).toContain('has more than 1,048,575 rows, the limit of Excel. Get it as a CSV instead.');
    const [, id = ''] =
      new RegExp(`"action_id":"${noticeActions.againAsCsv}".*?"value":"([^"]+)"`).exec(told) ?? [];
    expect(plans.map(({ file }) => file?.format)).toEqual(['xlsx']);
    await deliver(pressOf(noticeActions.againAsCsv, id, ephemeral()) as never);
    expect(plans.map(({ file }) => file?.format)).toEqual(['xlsx', 'csv']);
  });
});

describe('a digest whose workbook is too large for Excel', () => {
  /** A digest of U1 whose run failed for that. */
  async function failed() {
    const added = await addDigest(store, 9e12, {
      request: { ...plainRequest('engagement'), file: 'xlsx' },
    });
    const run = found(await store.ledger.enterNow(added, 'key', 1));
    await store.ledger.claim({ worker: 'a worker', now: 1, leaseMs: 9, limit: 1, busyChannels: [] });
    await store.ledger.markFailed(
      { id: run, worker: 'a worker' },
      new Failure('too-large-for-excel', { limit: 'rows' }),
      2,
    );
    const load = async () => ({
      digest: found(await store.digests.find(added.id)),
      run: found(await store.ledger.find(run)),
    });
    return { id: run, load };
  }

  it('offers its owner a CSV in place of another try, which would fail too', async () => {
    const { load } = await failed();
    const { digest, run } = await load();
    const labels = JSON.stringify(notificationMessage({ kind: 'failed', digest, run }, 'U1').blocks);
    expect(labels).toContain('Send as CSV');
    expect(labels).not.toContain('Try again');
  });

  it('comes as a CSV from then on, the failed run first', async () => {
    const { id, load } = await failed();
    const { deliver, calls } = bot();
    await deliver(pressOf(digestActions.asCsv, id) as never);
    const { digest, run } = await load();
    expect(digest.request.file).toBe('csv');
    expect(digest.nextDue).toBe(9e12);
    expect(run.state).toBe('queued');
    expect(JSON.stringify(calls)).toContain('Its file is a CSV from now on. Trying again: Engagement');
  });

  it('runs again if failures had paused it', async () => {
    const { id, load } = await failed();
    const before = (await load()).digest;
    const paused = { state: 'paused', pauseReason: 'too-large-for-excel', nextDue: null } as const;
    await store.digests.change(before.id, before.revision, paused);
    const { deliver, calls } = bot();
    await deliver(pressOf(digestActions.asCsv, id) as never);
    expect((await load()).digest).toMatchObject({ state: 'active', request: { file: 'csv' } });
    expect(JSON.stringify(calls)).toContain('It is no longer paused.');
  });

  it('is changed by its owner and admins alone', async () => {
    const { id, load } = await failed();
    const { deliver } = bot();
    await deliver(
      pressOf(digestActions.asCsv, id, { user: { id: 'U2', team_id: 'T1', name: 'bob' } }) as never,
    );
    expect((await load()).digest.request.file).toBe('xlsx');
  });
});

describe('CSV under an answer', () => {
  it('sends a CSV, also where the answer came with a workbook', async () => {
    const { deliver, plans } = bot();
    const message = { ts: '5.5', thread_ts: '4.4' };
    await deliver(pressOf(fileActions.csv, await ask('xlsx'), { ...ephemeral('4.4'), message }) as never);
    expect(plans.map(({ file }) => file?.format)).toEqual(['csv']);
  });
});

describe('a button that one person alone sees in a thread', () => {
  it('answers in that thread', async () => {
    const { deliver, calls } = bot();
    await deliver(pressOf(noticeActions.again, await ask('csv'), ephemeral('4.4')) as never);
    const [told] = calls.filter(({ method }) => method === 'chat.postEphemeral');
    expect(told?.args).toMatchObject({ channel: 'C1', thread_ts: '4.4' });
  });
});
