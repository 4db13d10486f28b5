import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RowNames } from '../../../src/store/access/person-numbers.js';
import type { RecordOwner } from '../../../src/store/erasure/own-record.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let now = 0;
let store: Store;
beforeEach(async () => {
  now = 1_000;
  store = await openStore(folder.databaseWithTables('rollcall.db'), () => now, { recordKey });
  await store.useRecordKey(async () => true);
});
afterEach(() => store.close());

const boss = 'U00BOSS001';
const ada = 'U00ADA0001';
const ben = 'U00BEN0001';
const [first, second] = ['ada@example.com', 'ada.new@example.com'];

/** The boss asks for an address, and gets a file with these rows. Returns when. */
async function asks(email: string, ...rows: readonly RowNames[]): Promise<number> {
  now += 10;
  const request = { at: now, person: boss, place: 'D1', report: 'tracks' } as const;
  await store.events.append({ kind: 'asked', ...request, subjects: [email] });
  const file = { at: now, recipient: boss, report: 'tracks', what: 'file', place: 'direct' } as const;
  await store.sentRows.saveOf(file, rows);
  return now;
}

/** Slack says from now on that the account has that address. */
async function has(account: string, email: string): Promise<void> {
  now += 10;
  await store.personNumbers.noteAccounts([{ id: account, email }]);
}

/** When somebody was named, and when a file held them, the newest first. */
async function timesOf(owner: RecordOwner) {
  const { entries } = await store.ownRecord.entries(owner, 99);
  const of = (what: string) => entries.filter((entry) => entry.what === what).map(({ at }) => at);
  return { named: of('asked'), files: of('file') };
}

const nothing = { named: [], files: [] };

describe('the own record of a person', () => {
  it('has both addresses, each for the time in which it was theirs', async () => {
    await has(ada, first);
    const old = await asks(first, { userid: '1', email: first });
    await has(ada, second);
    // The address is nobody's any more. The ID is still hers.
    const later = await asks(first, { userid: '1', email: first });
    const current = await asks(second, { email: second });
    const all = { named: [current, old], files: [current, later, old] };
    expect(await timesOf(await store.ownRecord.ownerOf(ada, second))).toEqual(all);
    expect(await timesOf(await store.ownRecord.ownerNamed(second))).toEqual({
      named: [current],
      files: [current],
    });
    // The record knows her account once she asks something.
    await store.events.append({ kind: 'record-read', at: now, person: ada });
    for (const name of [ada, first, second])
      expect(await timesOf(await store.ownRecord.ownerNamed(name)), name).toEqual(all);
  });

  it('keeps its earlier address where Slack does not confirm one any more', async () => {
    await has(ada, first);
    const old = await asks(first, { email: first });
    expect(await timesOf(await store.ownRecord.ownerOf(ada, undefined))).toEqual({
      named: [old],
      files: [old],
    });
  });

  it('shows nobody what was about the one who had the address before, or after', async () => {
    await has(ada, first);
    const old = await asks(first, { userid: '1', email: first });
    await has(ben, first);
    const later = await asks(first, { userid: '2', email: first });
    expect(await timesOf(await store.ownRecord.ownerOf(ben, first))).toEqual({
      named: [later],
      files: [later],
    });
    await has(ada, second);
    expect(await timesOf(await store.ownRecord.ownerOf(ada, second))).toEqual({ named: [old], files: [old] });
  });

  it('is empty for somebody who was erased, and begins again', async () => {
    await has(ada, first);
    await asks(first, { userid: '1', email: first });
    await store.erasePerson(ada);
    await store.erasePerson(first);
    expect(await timesOf(await store.ownRecord.ownerOf(ada, first))).toEqual(nothing);
    for (const name of [ada, first])
      expect(await timesOf(await store.ownRecord.ownerNamed(name)), name).toEqual(nothing);
    const again = await asks(first, { userid: '1', email: first });
    expect(await timesOf(await store.ownRecord.ownerOf(ada, first))).toEqual({
      named: [again],
      files: [again],
    });
  });

  it('can be made by an operator for somebody who has left, by any name', async () => {
    const before = await asks(first, { userid: '1', email: first });
    const everything = { named: [before], files: [before] };
    expect(await timesOf(await store.ownRecord.ownerNamed(first))).toEqual(everything);
    expect(await timesOf(await store.ownRecord.ownerNamed(' ADA@Example.com '))).toEqual(everything);
    expect(await timesOf(await store.ownRecord.ownerNamed('1'))).toEqual({ named: [], files: [before] });
    expect(await timesOf(await store.ownRecord.ownerNamed('nobody@example.com'))).toEqual(nothing);
  });

  it('has nothing from before the key was lost, and begins again', async () => {
    await has(ada, first);
    await asks(first, { userid: '1', email: first });
    await store.close();
    store = await openStore(folder.database(), () => now, { recordKey: 'b7'.repeat(32) });
    await store.useRecordKey(async () => true);
    now += 10;
    expect(await timesOf(await store.ownRecord.ownerOf(ada, first))).toEqual(nothing);
    const again = await asks(first, { userid: '1', email: first });
    expect(await timesOf(await store.ownRecord.ownerOf(ada, first))).toEqual({
      named: [again],
      files: [again],
    });
  });

  it('has no more than a page at a time, and all of it in the end, in order', async () => {
    await has(ada, first);
    const times: number[] = [];
    for (let n = 0; n < 9; n += 1) times.unshift(await asks(first, { email: first }));
    const owner = await store.ownRecord.ownerOf(ada, first);
    const found: number[] = [];
    for (let next: Parameters<typeof store.ownRecord.entries>[2] | undefined = {}; next; ) {
      const page: Awaited<ReturnType<typeof store.ownRecord.entries>> = await store.ownRecord.entries(
        owner,
        4,
        next,
      );
      expect(page.entries.length).toBeLessThanOrEqual(4);
      found.push(...page.entries.map(({ at }) => at));
      next = page.next;
    }
    expect(found).toEqual(times.flatMap((at) => [at, at]));
  });
});
