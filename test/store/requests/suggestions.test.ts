import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Suggestion } from '../../../src/runner/suggestions.js';
import { deleteExpired } from '../../../src/store/cleanup.js';
import { retentionMs } from '../../../src/store/database/expiry.js';
import { maxPerList } from '../../../src/store/requests/suggestions.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, onPostgres, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, { recordKey });
});
afterEach(() => store.close());

const now = 1_795_000_000_000;

function departments(...entries: string[]): Suggestion[] {
  return entries.map((entry) => ({ list: 'departments', entry, people: 5 }));
}

async function found(text: string, ...lists: string[]) {
  return (await store.suggestions.find(lists, text, 100, 1)).map(({ entry }) => entry);
}

describe('suggestions', () => {
  it('are found by any part, whatever its case and accents, prefixes first', async () => {
    await store.suggestions.add(departments('Field Sales', 'Sales', 'Support', 'ÄRZTE'), now);
    expect(await found('sal', 'departments')).toEqual(['Sales', 'Field Sales']);
    expect(await found('ärz', 'departments')).toEqual(['ÄRZTE']);
    expect(await found('arz', 'departments')).toEqual(['ÄRZTE']);
    expect(await found('', 'departments')).toEqual(['ÄRZTE', 'Field Sales', 'Sales', 'Support']);
    expect(await found('sal', 'teams')).toEqual([]);
    expect(await found('sal')).toEqual([]);
  });

  it.each(['%', '_', '\\', "'", '"'])('with %s are found by it, and no others', async (mark) => {
    await store.suggestions.add(departments('Sales', `A${mark}B`), now);
    expect(await found(mark, 'departments')).toEqual([`A${mark}B`]);
  });

  it('are all listed for whoever may see them, last seen first', async () => {
    await store.suggestions.add(departments('Sales', 'Support'), now);
    await store.suggestions.add([{ list: 'departments', entry: 'Lab', people: 4 }], now + 1);
    const listed = async (minPeople: number) =>
      (await store.suggestions.all(['departments'], minPeople)).map(({ entry }) => entry);
    expect(await listed(4)).toEqual(['Lab', 'Sales', 'Support']);
    expect(await listed(5)).toEqual(['Sales', 'Support']);
    expect(await store.suggestions.all([], 1)).toEqual([]);
  });

  it('are found by their entries, just as they were seen', async () => {
    await store.suggestions.add(
      [{ list: 'departments', entry: 'Lab', people: 4 }, ...departments('Sales')],
      now,
    );
    const known = async (entries: readonly string[], minPeople: number) =>
      (await store.suggestions.ofEntries(['departments'], entries, minPeople)).map(({ entry }) => entry);
    expect((await known(['Lab', 'sales', 'Sales', 'Support'], 1)).sort()).toEqual(['Lab', 'Sales']);
    expect(await known(['Lab', 'Sales'], 5)).toEqual(['Sales']);
    expect(await known([], 1)).toEqual([]);
  });

  it('are found by title, once even if two lists have them', async () => {
    const title = 'Fire safety';
    await store.suggestions.add(
      [
        { list: 'content_id', entry: 'c1', title, people: 5 },
        { list: 'content.id', entry: 'c1', title, people: 5 },
      ],
      now,
    );
    expect(await store.suggestions.find(['content_id', 'content.id'], 'fire', 100, 1)).toEqual([
      { list: expect.any(String), entry: 'c1', title, people: 5 },
    ]);
    expect(await store.suggestions.titlesOf(['content_id'], ['c1', 'c2'], 1)).toEqual(
      new Map([['c1', title]]),
    );
  });

  it('get a new title when they are seen again', async () => {
    const named = (title: string) => [{ list: 'track_id', entry: 't1', title, people: 5 }];
    await store.suggestions.add(named('Old name'), now);
    await store.suggestions.add(named('New name'), now + 1000);
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 1)).toEqual(new Map([['t1', 'Old name']]));
    await store.suggestions.add(named('New name'), now + 86_400_000);
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 1)).toEqual(new Map([['t1', 'New name']]));
    expect(await found('old', 'track_id')).toEqual([]);
  });

  it('are limited in number, and the latest stay', async () => {
    const many = (from: number) =>
      departments(...Array.from({ length: maxPerList }, (_, number) => `d${from + number}.`));
    await store.suggestions.add(many(0), now);
    await store.suggestions.add(many(300), now + 86_400_000);
    expect(await store.suggestions.find(['departments'], '', 9_999, 1)).toHaveLength(maxPerList);
    expect(await found('d299.', 'departments')).toEqual([]);
    expect(await found('d2299.', 'departments')).toEqual(['d2299.']);
  });

  it('are deleted eight weeks after the last answer with them', async () => {
    await store.suggestions.add(departments('Gone'), now - retentionMs('suggestions', 400) - 1);
    await store.suggestions.add(departments('Here'), now);
    await deleteExpired(store, now, 400);
    expect(await found('', 'departments')).toEqual(['Here']);
  });

  it('that few people have exist only for whoever may see all', async () => {
    const secret = { list: 'departments', entry: 'Secret', people: 4 };
    const one = { list: 'track_id', entry: 't1', title: 'One', people: 1 };
    await store.suggestions.add([secret, one, ...departments('Sales', 'Known')], now);
    expect(await found('', 'departments')).toEqual(['Known', 'Sales', 'Secret']);
    const offered = await store.suggestions.find(['departments'], '', 9, 5);
    expect(offered.map(({ entry }) => entry)).toEqual(['Known', 'Sales']);
    expect(await store.suggestions.find(['departments'], 'secret', 9, 5)).toEqual([]);
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 2)).toEqual(new Map());
    expect(await store.suggestions.titlesOf(['track_id'], ['t1'], 1)).toEqual(new Map([['t1', 'One']]));
  });

  it('get more people from any answer at once, and fewer from a later look alone', async () => {
    const sales = (people: number) => [{ list: 'departments', entry: 'Sales', people }];
    const people = async () => (await store.suggestions.all(['departments'], 0)).map((name) => name.people);
    const day = 86_400_000;
    await store.suggestions.add(sales(2), now);
    await store.suggestions.add(sales(7), now + 1);
    expect(await people()).toEqual([7]);
    await store.suggestions.add(sales(3), now + day);
    expect(await people()).toEqual([7]);
    // Other reports of the same look have more or fewer of them.
    await store.suggestions.add(sales(4), now + 2 * day, true);
    await store.suggestions.add(sales(6), now + 2 * day + 1, true);
    await store.suggestions.add(sales(1), now + 2 * day + 2, true);
    expect(await people()).toEqual([6]);
    await store.suggestions.add(sales(3), now + 3 * day, true);
    expect(await people()).toEqual([3]);
  });

  it('keep a title that a later answer does not have', async () => {
    await store.suggestions.add([{ list: 'track_id', entry: 't1', title: 'Onboarding', people: 1 }], now);
    await store.suggestions.add([{ list: 'track_id', entry: 't1', people: 9 }], now + 1);
    expect(await store.suggestions.find(['track_id'], 'onb', 9, 5)).toEqual([
      { list: 'track_id', entry: 't1', title: 'Onboarding', people: 9 },
    ]);
  });

  it.skipIf(onPostgres)('are looked up through an index', async () => {
    const database = new Sqlite(folder.path('rollcall.db'), { readonly: true });
    const plan = database
      .prepare(
        "EXPLAIN QUERY PLAN SELECT entry FROM suggestions WHERE workspace = 'T1' AND list_name IN ('a', 'b') AND searched LIKE ?",
      )
      .all('%x%');
    database.close();
    expect(JSON.stringify(plan)).toMatch(/SEARCH suggestions USING (?:COVERING )?INDEX/);
  });
});
