import { afterEach, beforeEach, expect, it } from 'vitest';
import { plainRequest } from '../../../src/requests/request.js';
import type { ListenerParts } from '../../../src/slack/answers/context.js';
import { views } from '../../../src/slack/forms/forms.js';
import { createRouter, routeTable } from '../../../src/slack/listeners/router.js';
import { allRoutes } from '../../../src/slack/listeners/routes.js';
import { saveReport } from '../../../src/slack/saved/saved-reports.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { accepted } from '../../results.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const direct = 'D1';
const messages: string[] = [];

/** A bot with one member, in their direct messages. */
function parts(): ListenerParts {
  return {
    store,
    clock: { now: () => 1_000 },
    defaultZone: 'UTC',
    access: { isAdmin: async () => false },
    personLevelChannels: [],
    people: { find: async (id: string) => ({ id, standing: 'member' }) },
    channels: { directWith: async () => direct },
    home: { changed: () => {} },
    client: {
      chat: {
        async postMessage({ text }: { text: string }) {
          messages.push(text);
          return { ok: true, channel: direct, ts: '1.1' };
        },
      },
    },
  } as unknown as ListenerParts;
}

/** Submits forms with a name, and returns the acknowledgement. */
function submitting(callback: string) {
  const handle = createRouter(routeTable(allRoutes()), parts());
  return async (view: string, about: string, name: string): Promise<unknown> => {
    const acks: unknown[] = [];
    const body = {
      type: 'view_submission',
      user: { id: 'U1' },
      view: {
        id: view,
        callback_id: callback,
        title: { text: 'Save' },
        blocks: [{ type: 'input', block_id: 'name' }],
        private_metadata: about,
        state: { values: { name: { name: { value: name } } } },
      },
    };
    const ack = async (answer: unknown) => void acks.push(answer);
    await handle({ kind: 'view', body, ack, requestId: 'r1', receivedAtMs: performance.now() });
    expect(acks).toHaveLength(1);
    return acks[0];
  };
}

const nameError = (words: string) => ({
  response_action: 'errors',
  errors: { name: expect.stringContaining(words) },
});

const request = { ...plainRequest('tracks'), range: 'last-week' };

it('a form that is submitted twice at once saves once, and both get the same reply', async () => {
  const requestId = await store.requestLog.record({
    channel: direct,
    asker: 'U1',
    request,
    requestedAt: 1,
  });
  const submit = submitting(views.saveReport);
  const press = (name: string, view = 'V1') => submit(view, `${requestId} ${direct}`, name);

  expect(await Promise.all([press('a:b'), press('a:b')])).toEqual([nameError('colon'), nameError('colon')]);
  expect(await Promise.all([press('Weekly'), press('Weekly')])).toEqual([undefined, undefined]);
  expect(await press('Weekly')).toBeUndefined();
  expect(messages).toHaveLength(1);
  expect(await store.savedReports.namesIn(direct)).toEqual(['Weekly']);
  expect(await store.savedReports.findByName(direct, 'weekly')).toMatchObject({ request });
  expect(await press('weekly', 'V2')).toEqual(nameError('already'));
});

it('a new name is refused if somebody else changed or deleted the report', async () => {
  const made = await store.savedReports.save(
    { channel: direct, name: 'Weekly', request, createdBy: 'U1' },
    1,
  );
  const id = accepted(made);
  const submit = submitting(views.renameSaved);
  expect(await submit('V1', `${id} 1`, 'First')).toBeUndefined();
  expect(await submit('V2', `${id} 1`, 'Second')).toEqual(nameError('changed this report'));
  await store.savedReports.remove(id, 2);
  expect(await submit('V3', `${id} 3`, 'Third')).toEqual(nameError('no longer exists'));
  expect(await store.savedReports.find(id)).toMatchObject({ name: 'First' });
});

it('only people who may change a report can rename it', async () => {
  const made = await store.savedReports.save(
    { channel: direct, name: 'Weekly', request, createdBy: 'U2' },
    1,
  );
  const id = accepted(made);
  const submit = submitting(views.renameSaved);
  expect(await submit('V1', `${id} 1`, 'Mine')).toEqual(nameError('Only its owner and admins'));
});

const isSaved = { text: expect.stringMatching('^Saved. Run it with ') };

it('a person owns 100 saved reports, and the next one is refused with the way on', async () => {
  const save = (name: string, channel: string, user = 'U1') =>
    saveReport({ channel, name, request }, user, parts());
  for (let count = 0; count < 100; count += 1)
    expect(await save(`Report ${count}`, `C${count % 3}`)).toMatchObject(isSaved);
  expect(await save('One more', 'C1')).toBe(
    'Not saved. You own 100 saved reports, which is the limit. Delete one first: your Home tab lists them.',
  );
  expect(await save('Of somebody else', 'C1', 'U2')).toMatchObject(isSaved);
  const [first] = await store.savedReports.ownedBy('U1', 1);
  await store.savedReports.remove(first?.id ?? '', 2);
  expect(await store.savedReports.countOwnedBy('U1')).toBe(99);
  expect(await save('One more', 'C1')).toMatchObject(isSaved);
});

it('a channel holds 200 saved reports, and the next one is refused with the way on', async () => {
  const save = (name: string, user = 'U3') => saveReport({ channel: 'C1', name, request }, user, parts());
  for (let count = 0; count < 200; count += 1)
    expect(await save(`Report ${count}`, count < 100 ? 'U1' : 'U2')).toMatchObject(isSaved);
  expect(await save('One more')).toBe(
    'Not saved: 200 reports are saved there, which is the limit. Delete one first: type /report list there.',
  );
});
