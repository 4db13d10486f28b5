import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../../../src/errors/failure.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { recordKeyOf } from '../../../src/store/access/event-chain.js';
import { deleteExpired } from '../../../src/store/cleanup.js';
import { deleteByAge, retentionMs } from '../../../src/store/database/expiry.js';
import { migrate } from '../../../src/store/database/migrate.js';
import type { Tables } from '../../../src/store/database/schema.js';
import { WorkspacePlugin } from '../../../src/store/database/workspace.js';
import { requestLogIn } from '../../../src/store/requests/request-log.js';
import { type SavedReport, savedReportsIn } from '../../../src/store/saved/saved-reports.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { accepted, refusalOf } from '../../results.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

const folder = freshFolder();
let store: Store;
let saved: Store['savedReports'];
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
  saved = store.savedReports;
});
afterEach(() => store.close());

const request: ReportRequest = {
  ...plainRequest('engagement'),
  range: 'last-week',
  filters: [{ object: 'user_filter', member: 'departments', entries: ['Sales', 'Field "Ops"'] }],
};

async function kept(name: string, changes: Partial<SavedReport> = {}): Promise<string> {
  const { channel = 'C1', createdBy = 'U1' } = changes;
  const made = await saved.save({ channel, name, request, createdBy }, 10);
  return accepted(made);
}

describe('saved reports', () => {
  it('are found by ID and by name, ignoring case and spaces', async () => {
    const id = await kept('Weekly Überblick');
    const whole = {
      id,
      channel: 'C1',
      name: 'Weekly Überblick',
      request,
      owner: 'U1',
      createdBy: 'U1',
      revision: 1,
      createdAt: 10,
      changedAt: 10,
    };
    expect(await saved.find(id)).toEqual(whole);
    expect(await saved.findByName('C1', '  weekly   ÜBERBLICK')).toEqual(whole);
    expect(await saved.findByName('C2', 'Weekly Überblick')).toBeUndefined();
    expect(await saved.namesIn('C1')).toEqual(['Weekly Überblick']);
    expect(await saved.namesIn('C2')).toEqual([]);
  });

  it('have a unique name in their channel', async () => {
    const id = await kept('Weekly');
    expect(refusalOf(await saved.save({ channel: 'C1', name: 'WEEKLY', request, createdBy: 'U2' }, 20))).toBe(
      'taken',
    );
    expect(await saved.find(id)).toMatchObject({ name: 'Weekly', createdBy: 'U1' });
    await kept('Weekly', { channel: 'C2' });
    const many = await Promise.all(
      Array.from({ length: 9 }, () =>
        saved.save({ channel: 'C3', name: 'Once', request, createdBy: 'U1' }, 1),
      ),
    );
    expect(many.filter((made) => made.ok)).toHaveLength(1);
  });

  it('are found by name in other conversations, the longest name first', async () => {
    await kept('Weekly');
    await kept('Weekly', { channel: 'C2' });
    await kept('WEEKLY views', { channel: 'C3' });
    await saved.remove(await kept('Weekly', { channel: 'C4' }), 20);
    const found = await saved.namedElsewhere('C1', ['weekly', 'weekly views', 'weekly views csv'], 9);
    expect(found.map(({ channel, name }) => [channel, name])).toEqual([
      ['C3', 'WEEKLY views'],
      ['C2', 'Weekly'],
    ]);
    expect(await saved.namedElsewhere('C1', [], 9)).toEqual([]);
  });

  it('are listed by name in pages, and by owner across channels', async () => {
    for (const name of ['banana', 'Apple', 'cherry', 'Date']) await kept(name);
    await kept('apricot', { channel: 'C2', createdBy: 'U2' });
    const names = async (...asked: Parameters<Store['savedReports']['inChannels']>) =>
      (await saved.inChannels(...asked)).map(({ name }) => name);
    expect(await names(['C1'], 3)).toEqual(['Apple', 'banana', 'cherry']);
    expect(await names(['C1'], 3, 3)).toEqual(['Date']);
    expect(await names(['C1', 'C2'], 2)).toEqual(['Apple', 'apricot']);
    expect(await names([], 9)).toEqual([]);
    expect((await saved.ownedBy('U2', 9)).map(({ name }) => name)).toEqual(['apricot']);
    expect(await saved.ownedBy('U1', 2)).toHaveLength(2);
  });

  it('are never more in a channel than fit, however many are saved at once', async () => {
    const saving = ['a', 'b', 'c'].map((name) =>
      saved.save({ channel: 'C9', name, request, createdBy: 'U1' }, 1, { inChannel: 2 }),
    );
    const outcomes = (await Promise.all(saving)).map((made) => (made.ok ? 'saved' : made.refusal));
    expect(outcomes.sort()).toEqual(['full', 'saved', 'saved']);
    expect(await saved.namesIn('C9')).toHaveLength(2);
  });

  it('change only at the latest revision', async () => {
    const id = await kept('Weekly');
    const other = { ...request, range: 'last-month' };
    expect(await saved.change(id, 1, { request: other }, 30)).toEqual(ok(undefined));
    expect(refusalOf(await saved.change(id, 1, { request }, 40))).toBe('stale');
    expect(await saved.find(id)).toMatchObject({ request: other, revision: 2, changedAt: 30, createdAt: 10 });
    const both = await Promise.all(['Early', 'Late'].map((name) => saved.change(id, 2, { name }, 50)));
    expect(both.map((made) => (made.ok ? 'changed' : made.refusal)).sort()).toEqual(['changed', 'stale']);
  });

  it('take a new name if it is free', async () => {
    const id = await kept('Weekly');
    await kept('Monthly');
    await kept('Daily', { channel: 'C2' });
    expect(refusalOf(await saved.change(id, 1, { name: 'MONTHLY' }, 30))).toBe('taken');
    expect(await saved.change(id, 1, { name: 'weekly' }, 30)).toEqual(ok(undefined));
    expect(await saved.change(id, 2, { name: 'Daily' }, 30)).toEqual(ok(undefined));
    expect(await saved.findByName('C1', 'daily')).toMatchObject({ id, name: 'Daily' });
    expect(await saved.findByName('C1', 'weekly')).toBeUndefined();
  });

  it('can be deleted and restored, unless the name is taken or it is too late', async () => {
    const id = await kept('Weekly');
    expect(await saved.remove(id, 100)).toBe(true);
    expect(await saved.remove(id, 101)).toBe(false);
    expect(await saved.namesIn('C1')).toEqual([]);
    expect(await saved.inChannels(['C1'], 9)).toEqual([]);
    expect(await saved.ownedBy('U1', 9)).toEqual([]);
    expect(await saved.findByName('C1', 'Weekly')).toBeUndefined();
    expect(await saved.find(id)).toMatchObject({ deletedAt: 100 });
    expect(refusalOf(await saved.change(id, 2, { name: 'x' }, 102))).toBe('gone');
    expect(refusalOf(await saved.restore(id, 101))).toBe('gone');

    const another = await kept('weekly');
    expect(refusalOf(await saved.restore(id, 100))).toBe('taken');
    await saved.remove(another, 103);
    const elsewhere = await kept('Daily', { channel: 'C2' });
    expect(refusalOf(await saved.restore(id, 100, { inChannel: 0, owned: 9 }))).toBe('full');
    expect(refusalOf(await saved.restore(id, 100, { inChannel: 1, owned: 1 }))).toBe('too-many');
    await saved.remove(elsewhere, 104);
    const undoing = [id, another].map((deleted) => saved.restore(deleted, 100, { inChannel: 2, owned: 1 }));
    const undone = (await Promise.all(undoing)).map((made) => (made.ok ? 'restored' : made.refusal));
    expect(undone).toEqual(['restored', 'taken']);
    await saved.remove(id, 105);
    expect(await saved.restore(id, 100, { inChannel: 1, owned: 1 })).toEqual(ok(undefined));
    expect(refusalOf(await saved.restore(id, 100))).toBe('gone');
    expect(refusalOf(await saved.restore('nothing', 0))).toBe('gone');
    expect(await saved.findByName('C1', 'weekly')).toMatchObject({ id });
  });

  it('record their last run without other changes', async () => {
    const id = await kept('Weekly');
    await saved.recordRun(id, 'U7', 77);
    expect(await saved.find(id)).toMatchObject({ lastRun: { at: 77, by: 'U7' }, revision: 1, changedAt: 10 });
  });

  it('are removed some time after their deletion', async () => {
    const now = 1_795_000_000_000;
    const [old, young, alive] = [await kept('old'), await kept('young'), await kept('alive')];
    await saved.remove(old, now - retentionMs('saved_reports', 400) - 1);
    await saved.remove(young, now - 10 * 60_000);
    await deleteExpired(store, now, 400);
    expect(await saved.find(old)).toBeUndefined();
    expect(await saved.find(young)).toBeDefined();
    expect(await saved.find(alive)).toBeDefined();
  });

  it('stay in the channel when their creator is erased', async () => {
    const here = await kept('Weekly');
    const direct = await kept('Mine', { channel: 'D1' });
    await saved.recordRun(here, 'U1', 5);
    expect(await store.erasePerson('U1')).toMatchObject({ savedReports: 2 });
    expect(await saved.find(direct)).toBeUndefined();
    expect(await saved.find(here)).toMatchObject({
      owner: 'forgotten',
      createdBy: 'forgotten',
      lastRun: { by: 'forgotten', at: 5 },
    });
  });
});

it('are listed through indexes', async () => {
  const database = new Sqlite(':memory:');
  migrate(database, () => 1);
  const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    plugins: [new WorkspacePlugin(() => 'T1')],
    log({ query }) {
      asked.push(query);
    },
  });
  const all = savedReportsIn(db);
  const saved = await all.save({ channel: 'C1', name: 'c', request, createdBy: 'U1' }, 1);
  const id = saved.ok ? saved.value : '';
  asked.length = 0;
  await all.find('a');
  await all.findByName('C1', 'a');
  await all.namesIn('C1');
  await all.inChannels(['C1', 'C2'], 5);
  await all.ownedBy('U1', 5);
  await all.change('a', 1, { name: 'b' }, 5);
  await all.remove('a', 5);
  await all.remove(id, 5);
  await all.restore(id, 5, { inChannel: 5, owned: 5 });
  await all.recordRun('a', 'U1', 5);
  await deleteByAge(db, 'saved_reports', 5, 5);
  await requestLogIn(db, 'one', recordKeyOf(recordKey)).recentOf('U1', 5);
  expect(asked.length).toBeGreaterThan(9);
  for (const { sql, parameters } of asked.filter((one) => !/^(?:begin|commit)$/.test(one.sql))) {
    const plan = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]),
    );
    const steps = plan.rows
      .map(({ detail }) => detail)
      .filter((detail) => /saved_reports|requests/.test(detail));
    expect(steps.length, sql).toBeGreaterThan(0);
    for (const step of steps)
      expect(step, sql).toMatch(/^SEARCH .* USING (?:COVERING )?INDEX .*workspace=\? AND /);
  }
  await db.destroy();
});
