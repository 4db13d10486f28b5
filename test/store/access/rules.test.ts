import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const ada = { kind: 'person', id: 'U1' } as const;
const sales = { kind: 'group', id: 'S1' } as const;
const everyone = { kind: 'everyone' } as const;
const actor = { by: 'U9', at: 7 };

it('keeps one level for each subject and report', async () => {
  const { accessRules } = store;
  await accessRules.set({ subject: ada, level: 'team' }, actor);
  await accessRules.set({ subject: ada, report: 'tracks', level: 'nothing' }, actor);
  await accessRules.set({ subject: sales, level: 'totals' }, actor);
  await accessRules.set({ subject: everyone, level: 'totals' }, actor);
  await accessRules.set({ subject: ada, level: 'everything' }, { by: 'U8', at: 8 });
  expect(await accessRules.all()).toEqual([
    { subject: everyone, level: 'totals', by: 'U9', at: 7 },
    { subject: sales, level: 'totals', by: 'U9', at: 7 },
    { subject: ada, level: 'everything', by: 'U8', at: 8 },
    { subject: ada, report: 'tracks', level: 'nothing', by: 'U9', at: 7 },
  ]);
  expect(await accessRules.remove(ada, undefined, actor)).toBe(true);
  expect(await accessRules.remove(ada, undefined, actor)).toBe(false);
  expect(await accessRules.remove(everyone, 'tracks', actor)).toBe(false);
  expect(await accessRules.removeSubject(ada, actor)).toBe(1);
  expect(await accessRules.removeSubject(ada, actor)).toBe(0);
  expect(await accessRules.removeSubject(sales, actor)).toBe(1);
  expect(await accessRules.all()).toMatchObject([{ subject: everyone }]);
});

it('records each change of a rule, with the person as a token', async () => {
  await store.accessRules.set({ subject: ada, report: 'tracks', level: 'team' }, actor);
  await store.accessRules.set({ subject: sales, level: 'totals' }, actor);
  await store.accessRules.removeSubject(sales, { at: 8 });
  await store.accessRules.removeSubject(sales, { at: 9 });
  const found = await store.events.oldest({}, 9);
  expect(found).toEqual([
    {
      seq: 1,
      at: 7,
      kind: 'rule-changed',
      person: 'U9',
      report: 'tracks',
      subjects: ['U1'],
      details: { report: 'tracks', before: [], after: 'team', subject: { kind: 'person' } },
    },
    {
      seq: 2,
      at: 7,
      kind: 'rule-changed',
      person: 'U9',
      subjects: [],
      details: { before: [], after: 'totals', subject: sales },
    },
    {
      seq: 3,
      at: 8,
      kind: 'rule-changed',
      subjects: [],
      details: { before: [{ level: 'totals' }], subject: sales },
    },
  ]);
});

it('keeps admins, and records who added and removed them', async () => {
  const { admins, events } = store;
  expect(await admins.add('U1', 'U9', 1)).toBe(true);
  expect(await admins.add('U1', 'U8', 2)).toBe(false);
  expect(await admins.all()).toEqual([{ person: 'U1', by: 'U9', at: 1 }]);
  expect(await admins.remove('U1', { by: 'U9', at: 3 }, () => true)).toBe('removed');
  expect(await admins.remove('U1', { by: 'U9', at: 4 }, () => true)).toBe('absent');
  expect(await admins.all()).toEqual([]);
  expect(await events.oldest({ people: ['U1'] }, 9)).toMatchObject([
    { at: 1, person: 'U9', subjects: ['U1'], details: { admin: true } },
    { at: 3, person: 'U9', subjects: ['U1'], details: { admin: false } },
  ]);
});

it('records each change of a setting, and none of the first start', async () => {
  const { recordSettings, channelAges, events } = store;
  await recordSettings.noteOperatorSettings({ SMALLEST_GROUP: '5', MCP: 'no' }, 1);
  await recordSettings.noteOperatorSettings({ SMALLEST_GROUP: '5', MCP: 'no' }, 2);
  expect(await events.oldest({}, 9)).toEqual([]);
  // A setting of a later version is no change when it comes.
  await recordSettings.noteOperatorSettings({ SMALLEST_GROUP: '1', MCP: 'no', NEW: 'yes' }, 3);
  await channelAges.set('C1', 7, 'U9', 4);
  await channelAges.set('C1', 7, 'U9', 5);
  await channelAges.set('D', 30, 'U9', 6);
  await channelAges.set('D', undefined, 'U9', 7);
  const kind = 'setting-changed';
  expect(await events.oldest({}, 9)).toMatchObject([
    { kind, at: 3, person: undefined, details: { setting: 'SMALLEST_GROUP', before: '5', after: '1' } },
    { kind, at: 4, person: 'U9', place: 'C1', details: { setting: 'file-age', after: 7 } },
    { kind, at: 6, person: 'U9', place: undefined, details: { setting: 'file-age', after: 30 } },
    { kind, at: 7, person: 'U9', details: { setting: 'file-age', before: 30 } },
  ]);
});
