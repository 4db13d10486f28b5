import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateOptionsAnswer } from '../../../playground/slack/server/validator/validate.js';
import type { Level } from '../../../src/access/levels.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { BuilderDraft } from '../../../src/slack/forms/draft.js';
import { builderActions } from '../../../src/slack/forms/draft.js';
import { requestIn, valuesOf, withFormValues } from '../../../src/slack/forms/read-draft.js';
import { createRouter, routeTable } from '../../../src/slack/listeners/router.js';
import { allRoutes } from '../../../src/slack/listeners/routes.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
let store: Store<BuilderDraft>;
let draft: string;
beforeEach(async () => {
  store = await openStore<BuilderDraft>(folder.path('rollcall.db'), Date.now);
  draft = await store.builderDrafts.open('U1', { values: valuesOf(plainRequest('tracks')) }, 1);
});
afterEach(() => store.close());

interface Offered {
  readonly text: { readonly text: string };
  readonly value: string;
  readonly description?: { readonly text: string };
}

/** The suggestions for text in a filter. */
async function offered(
  filter: string,
  typed: string,
  user = 'U1',
  level: Level = 'team',
): Promise<readonly Offered[]> {
  let answer: { options: readonly Offered[] } = { options: [] };
  const handle = createRouter(routeTable(allRoutes()), {
    store,
    clock: { now: () => 2 },
    access: { accessOf: async () => ({ level }) },
    smallestGroup: 5,
    people: { find: async (id: string) => ({ id, standing: 'member' }) },
  } as never);
  await handle({
    kind: 'options',
    body: {
      type: 'block_suggestion',
      action_id: builderActions.entries,
      block_id: `entries:${filter}`,
      value: typed,
      view: { private_metadata: draft },
      user: { id: user },
    },
    ack: async (given: typeof answer) => {
      answer = given;
    },
    requestId: 'r1',
    receivedAtMs: performance.now(),
  });
  expect(validateOptionsAnswer(answer)).toEqual([]);
  return answer.options;
}

describe('the suggestions of a filter', () => {
  it('are the typed text and at most a hundred options in all', async () => {
    const many = Array.from({ length: 300 }, (_, number) => ({
      list: 'departments',
      entry: `Sales ${number}`,
      people: 9,
    }));
    await store.suggestions.add(many, 1);
    const options = await offered('user.departments', 'sales');
    expect(options).toHaveLength(100);
    expect(options[0]?.value).toBe('sales');
  });

  it('that few people have are offered only to whoever may see all', async () => {
    await store.suggestions.add([{ list: 'departments', entry: 'Sales of all', people: 5 }], 1);
    await store.suggestions.add([{ list: 'departments', entry: 'Sales of two', people: 4 }], 1);
    const valuesAt = async (level: Level) =>
      (await offered('user.departments', 'sales', 'U1', level)).map(({ value }) => value).slice(1);
    expect(await valuesAt('everything')).toEqual(['Sales of all', 'Sales of two']);
    expect(await valuesAt('team')).toEqual(['Sales of all']);
    expect(await valuesAt('totals')).toEqual(['Sales of all']);
    expect(await valuesAt('nothing')).toEqual([]);
  });

  it('contain each value once, the typed one as it was typed', async () => {
    await store.suggestions.add([{ list: 'departments', entry: 'Sales', people: 5 }], 1);
    expect((await offered('user.departments', 'Sales')).map(({ value }) => value)).toEqual(['Sales']);
    expect((await offered('track.departments', 'sal')).map(({ value }) => value)).toEqual(['sal', 'Sales']);
  });

  it('show titles with their identifiers, however long', async () => {
    const title = 'A very long title '.repeat(8).trim();
    await store.suggestions.add(
      [{ list: 'track_id', entry: '0123456789abcdef01234567', title, people: 9 }],
      1,
    );
    const [, found] = await offered('track.content_id', 'very long');
    expect(found).toMatchObject({
      text: { text: expect.stringMatching(/^A very long title .*…$/) },
      value: '0123456789abcdef01234567',
      description: { text: '0123456789abcdef01234567' },
    });
  });

  it.each([['x'.repeat(76)], ['tab\there'], ['zero\u200bwidth'], ['half \ud83d'], ['mark:1-2']])(
    'keep any text as it is: %j',
    async (typed) => {
      const [first] = await offered('user.departments', `  ${typed} `);
      const kept = await store.builderDrafts.find(draft, 'U1');
      if (!kept || kept === 'used') throw new Error('The draft is gone');
      const filled = withFormValues(kept, { 'entries:user.departments': [first?.value ?? ''] });
      expect(requestIn(filled)).toMatchObject({ value: { filters: [{ entries: [typed] }] } });
    },
  );

  it('are empty for another person, a used form, and other inputs', async () => {
    expect(await offered('user.departments', 'x', 'U2')).toEqual([]);
    expect(await offered('user.shoe_size', 'x')).toEqual([]);
    await store.builderDrafts.use(draft, 'U1', 3);
    expect(await offered('user.departments', 'x')).toEqual([]);
  });

  it('never include values about people', async () => {
    await store.suggestions.add([{ list: 'email', entry: 'ada@example.com', people: 5 }], 1);
    await store.suggestions.add([{ list: 'first_name', entry: 'Ada', people: 5 }], 1);
    expect(await offered('user.email', 'ada')).toHaveLength(1);
    expect(await offered('user.first_name', '')).toEqual([]);
    expect((await offered('user.manager_email', 'm')).map(({ value }) => value)).toEqual(['m', 'me']);
  });
});
