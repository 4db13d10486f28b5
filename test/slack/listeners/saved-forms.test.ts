import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainRequest } from '../../../src/reports/request.js';
import type { ListenerParts } from '../../../src/slack/listeners/parts.js';
import { saveSubmission } from '../../../src/slack/listeners/submissions/saved-forms.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.path('rollcall.db'), Date.now);
});
afterEach(() => store.close());

const direct = 'D1';
const told: string[] = [];

/** A bot whose Slack knows one member, in their direct messages. */
function parts(): ListenerParts {
  return {
    store,
    clock: { now: () => 1_000 },
    defaultZone: 'UTC',
    admins: [],
    personLevelChannels: [],
    people: { find: async (id: string) => ({ id, standing: 'member' }) },
    channels: { directWith: async () => direct },
    home: { changed: () => {} },
    client: {
      chat: { postMessage: async ({ text }: { text: string }) => void told.push(text) },
    },
  } as unknown as ListenerParts;
}

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs;

it('a form that is submitted twice at once saves once, and both are told the same', async () => {
  const request = { ...plainRequest('tracks'), range: 'last-week' };
  const askId = await store.asks.record({ team: 'T1', channel: direct, asker: 'U1', request, askedAt: 1 });
  const submit = saveSubmission(parts());
  const acks: unknown[] = [];
  const press = (name: string, view = 'V1') =>
    submit({
      ack: async (answer: unknown) => void acks.push(answer),
      body: { user: { id: 'U1' } },
      view: {
        id: view,
        private_metadata: `${askId} ${direct}`,
        state: { values: { name: { name: { value: name } } } },
      },
    } as unknown as Submission);

  await Promise.all([press('a:b'), press('a:b')]);
  expect(acks.splice(0)).toEqual([
    { response_action: 'errors', errors: { name: expect.stringContaining('colon') } },
    { response_action: 'errors', errors: { name: expect.stringContaining('colon') } },
  ]);
  await Promise.all([press('Weekly'), press('Weekly')]);
  await press('Weekly');
  expect(acks.splice(0)).toEqual([undefined, undefined, undefined]);
  expect(told).toHaveLength(1);
  expect(await store.savedReports.namesIn(direct)).toEqual(['Weekly']);
  expect(await store.savedReports.findByName(direct, 'weekly')).toMatchObject({ request });

  await press('weekly', 'V2');
  expect(acks).toEqual([{ response_action: 'errors', errors: { name: expect.stringContaining('already') } }]);
});
