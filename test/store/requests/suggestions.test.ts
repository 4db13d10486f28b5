import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Suggestion } from '../../../src/runner/suggestions.js';
import { deleteExpired, retentionMs } from '../../../src/store/cleanup.js';
import { maxPerList } from '../../../src/store/requests/suggestions.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, onPostgres } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.database('rollcall.db'), Date.now);
});
afterEach(() => store.close());

const now = 1_795_000_000_000;

function departments(...entries: string[]): Suggestion[] {
  return entries.map((entry) => ({ list: 'departments', entry }));
}

async function found(text: string, ...lists: string[]) {
  return (await store.suggestions.find(lists, text, 100, 'everything')).map(({ entry }) => entry);
}

describe('suggestions', () => {
  it('are found by any part in any case, prefixes first', async () => {
    await store.suggestions.add(departments('Field Sales', 'Sales', 'Support', 'ÄRZTE'), now, 'everyone');
    expect(await found('sal', 'departments')).toEqual(['Sales', 'Field Sales']);
    expect(await found('ärz', 'departments')).toEqual(['ÄRZTE']);
    expect(await found('', 'departments')).toEqual(['Field Sales', 'Sales', 'Support', 'ÄRZTE']);
    expect(await found('sal', 'teams')).toEqual([]);
    expect(await found('sal')).toEqual([]);
  });

  it.each(['%', '_', '\\', "'", '"'])('with %s are found by it, and no others', async (mark) => {
    await store.suggestions.add(departments('Sales', `A${mark}B`), now, 'everyone');
    expect(await found(mark, 'departments')).toEqual([`A${mark}B`]);
  });

  it('are all listed for whoever may see them, last seen first', async () => {
    await store.suggestions.add(departments('Sales', 'Support'), now, 'everyone');
    await store.suggestions.add(departments('Lab'), now + 1, 'everything');
    const listed = async (reader: 'everyone' | 'everything') =>
      (await store.suggestions.all(['departments'], reader)).map(({ entry }) => entry);
    expect(await listed('everything')).toEqual(['Lab', 'Sales', 'Support']);
    expect(await listed('everyone')).toEqual(['Sales', 'Support']);
    expect(await store.suggestions.all([], 'everything')).toEqual([]);
  });

  it('are found by title, once even if two lists have them', async () => {
    const title = 'Fire safety';
    await store.suggestions.add(
      [
        { list: 'content_id', entry: 'c1', title },
        { list: 'content.id', entry: 'c1', title },
      ],
      now,
      'everyone',
    );
    expect(await store.suggestions.find(['content_id', 'content.id'], 'fire', 100, 'everything')).toEqual([
      { list: expect.any(String), entry: 'c1', title },
    ]);
    expect(await store.suggestions.titlesOf(['content_id'], ['c1', 'c2'], 'everything')).toEqual(
      new Map([['c1', title]]),
    );
  });

  it('get a new title when they are seen again', async () => {
    const named = (title: string) => [{ list: 'track_id', entry: 't1', title }];
    await store.suggestions.add(named('Old name'), now, 'everyone');
    await store.suggestions.add(named('New name'), now + 1000, 'everyone');
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 'everything')).toEqual(
      new Map([['t1', 'Old name']]),
    );
    await store.suggestions.add(named('New name'), now + 86_400_000, 'everyone');
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 'everything')).toEqual(
      new Map([['t1', 'New name']]),
    );
    expect(await found('old', 'track_id')).toEqual([]);
  });

  it('are limited in number, and the latest stay', async () => {
    const many = (from: number) =>
      departments(...Array.from({ length: maxPerList }, (_, number) => `d${from + number}`));
    await store.suggestions.add(many(0), now, 'everyone');
    await store.suggestions.add(many(300), now + 86_400_000, 'everyone');
    expect(await store.suggestions.find(['departments'], '', 9_999, 'everything')).toHaveLength(maxPerList);
    expect(await found('d299', 'departments')).toEqual([]);
    expect(await found('d2299', 'departments')).toEqual(['d2299']);
  });

  it('are deleted eight weeks after the last answer with them', async () => {
    await store.suggestions.add(departments('Gone'), now - retentionMs.suggestions - 1, 'everyone');
    await store.suggestions.add(departments('Here'), now, 'everyone');
    await deleteExpired(store, now);
    expect(await found('', 'departments')).toEqual(['Here']);
  });

  it('from answers to people with everything are offered to such people alone', async () => {
    await store.suggestions.add(departments('Sales', 'Secret'), now, 'everything');
    await store.suggestions.add(departments('Sales', 'Known'), now, 'everyone');
    expect(await found('', 'departments')).toEqual(['Known', 'Sales', 'Secret']);
    const offered = await store.suggestions.find(['departments'], '', 9, 'everyone');
    expect(offered.map(({ entry }) => entry)).toEqual(['Known', 'Sales']);
    expect(await store.suggestions.find(['departments'], '', 2, 'everything')).toHaveLength(2);
    await store.suggestions.add([{ list: 'track_id', entry: 't1', title: 'One' }], now, 'everything');
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 'everyone')).toEqual(new Map());
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 'everything')).toEqual(
      new Map([['t1', 'One']]),
    );
  });

  it.skipIf(onPostgres)('are looked up through an index', async () => {
    const database = new Sqlite(folder.path('rollcall.db'), { readonly: true });
    const plan = database
      .prepare(
        "EXPLAIN QUERY PLAN SELECT entry FROM known_values WHERE workspace = 'T1' AND list_name IN ('a', 'b') AND searched LIKE ?",
      )
      .all('%x%');
    database.close();
    expect(JSON.stringify(plan)).toMatch(/SEARCH known_values USING (?:COVERING )?INDEX/);
  });
});
