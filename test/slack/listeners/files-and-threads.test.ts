import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileTooLargeForExcel } from '../../../src/reporting-api/errors.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { ReadPlan } from '../../../src/runner/ports.js';
import { actions } from '../../../src/slack/ids.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';
import { listeningBot, pressOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.path('rollcall.db'), Date.now);
});
afterEach(() => store.close());

/** A bot whose service gives every answer, except one that is written as a workbook. */
function bot() {
  const plans: ReadPlan[] = [];
  const source = {
    async read(_query: unknown, plan: ReadPlan) {
      plans.push(plan);
      if (plan.file?.format === 'xlsx') throw new FileTooLargeForExcel('rows');
      throw new Error('Enough was seen');
    },
  };
  const access = {
    accessOf: async () => ({ level: 'everything', address: 'ada@example.com' }),
    isAdmin: async () => false,
    admins: async () => [],
    forgetGroup() {},
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
    await deliver(pressOf(actions.again, await ask('xlsx'), ephemeral()) as never);
    const told = JSON.stringify(calls);
    expect(told).toContain('has more than 1,048,575 rows, the limit of Excel. Get it as a CSV instead.');
    const [, id = ''] =
      new RegExp(`"action_id":"${actions.againAsCsv}".*?"value":"([^"]+)"`).exec(told) ?? [];
    expect(plans.map(({ file }) => file?.format)).toEqual(['xlsx']);
    await deliver(pressOf(actions.againAsCsv, id, ephemeral()) as never);
    expect(plans.map(({ file }) => file?.format)).toEqual(['xlsx', 'csv']);
  });
});

describe('CSV under an answer', () => {
  it('sends a CSV, also where the answer came with a workbook', async () => {
    const { deliver, plans } = bot();
    const message = { ts: '5.5', thread_ts: '4.4' };
    await deliver(pressOf(actions.csv, await ask('xlsx'), { ...ephemeral('4.4'), message }) as never);
    expect(plans.map(({ file }) => file?.format)).toEqual(['csv']);
  });
});

describe('a button that one person alone sees in a thread', () => {
  it('answers in that thread', async () => {
    const { deliver, calls } = bot();
    await deliver(pressOf(actions.again, await ask('csv'), ephemeral('4.4')) as never);
    const [told] = calls.filter(({ method }) => method === 'chat.postEphemeral');
    expect(told?.args).toMatchObject({ channel: 'C1', thread_ts: '4.4' });
  });
});
