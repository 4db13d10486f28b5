import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordKeyOf } from '../../../src/store/access/event-chain.js';
import { deleteByAge } from '../../../src/store/database/expiry.js';
import { migrate } from '../../../src/store/database/migrate.js';
import type { Tables } from '../../../src/store/database/schema.js';
import { WorkspacePlugin } from '../../../src/store/database/workspace.js';
import { digestsIn } from '../../../src/store/digests/digests.js';
import { digestNotificationsIn } from '../../../src/store/digests/notifications.js';
import { digestOutagesIn } from '../../../src/store/digests/outages.js';
import { ledgerIn } from '../../../src/store/ledger/ledger.js';
import { overviewIn } from '../../../src/store/overview.js';
import { requestLogIn } from '../../../src/store/requests/request-log.js';
import { suggestionsIn } from '../../../src/store/requests/suggestions.js';
import { draftsIn } from '../../../src/store/saved/drafts.js';
import { found, hour, settings } from '../digest-setup.js';

let asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
const key = recordKeyOf('5a'.repeat(32));

let db: Kysely<Tables>;

beforeEach(() => {
  const database = new Sqlite(':memory:');
  migrate(database, () => 1);
  asked = [];
  db = new Kysely<Tables>({
    dialect: new SqliteDialect({ database }),
    plugins: [new WorkspacePlugin(() => 'T1')],
    log({ query }) {
      asked.push(query);
    },
  });
});
afterEach(() => db.destroy());

/** How SQLite goes about everything that was asked so far, by statement. */
async function plans(): Promise<ReadonlyMap<string, readonly string[]>> {
  const plans = new Map<string, readonly string[]>();
  for (const { sql, parameters } of [...asked].filter(({ sql }) => !/^(?:begin|commit|insert)/.test(sql))) {
    const text = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(text);
    plans.set(
      sql,
      rows.map(({ detail }) => detail),
    );
  }
  return plans;
}

function expectIndexes(plans: ReadonlyMap<string, readonly string[]>) {
  for (const [sql, steps] of plans) {
    const tables = steps.filter((step) =>
      /^(?:SEARCH|SCAN) (?:digest|notifications|posts|file|parents|newer|alert_states)/.test(step),
    );
    expect(tables.length, sql).toBeGreaterThan(0);
    for (const step of tables) {
      expect(step, sql).toMatch(/^SEARCH .* USING (?:COVERING )?INDEX /);
      // What is found by being empty is almost everything.
      expect(step, sql).not.toMatch(/(?:deleted_at|ready_at|lease_until|next_due)=\?/);
      // What has a digest is all that digests ever posted.
      expect(step, sql).not.toMatch(/digest>\?/);
      // A database holds one workspace, so that its index alone finds everything.
      expect(step, sql).not.toMatch(/\(workspace=\?\)/);
    }
  }
}

const sorts = (steps: readonly string[]) => steps.some((step) => step.includes('TEMP B-TREE FOR ORDER BY'));

it('reads lists, the Home tab and the history through indexes, in order', async () => {
  const digests = digestsIn(db);
  const ledger = ledgerIn(db, 'one', key);
  await digests.find('a');
  await digests.inChannel('C1', 9);
  await digests.inChannels(['C1', 'C2', 'C3'], 9, { from: 9, excludeOwner: 'U1' });
  await digests.ownedBy('U1', 9);
  await digests.countOwnedBy('U1');
  await ledger.find('a');
  await ledger.newest(['a', 'b', 'c']);
  await ledger.history('a', 9);
  await draftsIn(db, 'digest_drafts').find('a', 'U1');
  const found = await plans();
  expect(found.size).toBe(9);
  expectIndexes(found);
  for (const [sql, steps] of found) expect(sorts(steps), sql).toBe(false);
});

it('reads the values of recent answers list by list, however many others there are', async () => {
  const suggestions = suggestionsIn(db);
  await suggestions.all(['departments'], 1);
  await suggestions.all(['departments', 'teams'], 5);
  for (const [sql, steps] of await plans()) {
    expect(steps[0], sql).toMatch(/^SEARCH suggestions .* \(workspace=\? AND list_name=\?\)/);
  }
});

it('finds work through indexes, and sorts only a few rows', async () => {
  const digests = digestsIn(db);
  const ledger = ledgerIn(db, 'one', key);
  const notices = digestNotificationsIn(db);
  const outages = digestOutagesIn(db);
  const id = await digests.add(settings, 'U1', hour, 1);
  const digest = found(await digests.find(id));
  const run = { dueAt: hour, dedupeKey: 'a', missed: 0, late: false };
  const order = { worker: 'one', now: 2 * hour, leaseMs: 1, limit: 9, busyChannels: ['C2'] };
  await digests.due(hour, 9);
  await digests.active(9, 'a');
  await digests.reschedule([{ id, revision: 1, previousDue: hour, nextDue: hour }]);
  const [entered = ''] = await ledger.enter([{ digest, run, nextDue: 2 * hour }], hour);
  const held = { id: entered, worker: 'one' };
  await ledger.claim(order);
  await ledger.claim({ ...order, skipBusyOwners: true });
  await ledger.renewLeases([entered], 'one', hour);
  await ledger.markPosting(held, { rows: 1, late: false });
  await ledger.leaseHolders();
  await ledger.reclaim({ name: 'one', expired: true }, ['another'], 9 * hour);
  await ledger.markPosted(held, { message: { channel: 'C1', ts: '1.2' }, fileFollows: false }, hour);
  await ledger.waitingOwners();
  await ledger.makeReady(hour);
  await ledger.skipWaiting(id, 'deleted', hour);
  await digests.succeeded(id);
  await digests.quarantine(id, 'unreadable');
  await notices.ready(hour, 9);
  await notices.open('U1', ['unknown', 'file-unknown']);
  await notices.rescheduleWaiting(hour, hour, 2 * hour);
  await outages.open();
  await outages.begin('slack', { code: 'token_revoked' }, hour);
  await outages.end('slack', hour);
  for (const table of ['digests', 'posts', 'notifications', 'digest_outages', 'digest_drafts'] as const) {
    await deleteByAge(db, table, hour, 9);
  }
  const all = await plans();
  expect(all.size).toBeGreaterThan(24);
  expectIndexes(all);
  const sorting = [...all].filter(([, steps]) => sorts(steps)).map(([sql]) => sql);
  // Two hundred waiting runs at most.
  expect(sorting.map((sql) => (sql.includes('row_number') ? 'claim' : sql.slice(0, 60)))).toEqual([
    'claim',
    'claim',
  ]);
});

it('lists any number of digests with their newest runs in two queries', async () => {
  const digests = digestsIn(db);
  const ledger = ledgerIn(db, 'one', key);
  const ids: string[] = [];
  for (let n = 0; n < 30; n += 1) {
    const id = await digests.add(settings, 'U1', hour, n);
    const digest = found(await digests.find(id));
    for (const dueAt of [hour, 3 * hour, 2 * hour]) {
      await ledger.enterNow(digest, 'a', dueAt + n);
      await ledger.skipWaiting(id, 'deleted', hour);
    }
    ids.push(id);
  }
  asked = [];
  const listed = await digests.inChannel(settings.channel, 99);
  const newest = await ledger.newest(listed.map(({ id }) => id));
  expect(asked).toHaveLength(2);
  expect(listed.map(({ id }) => newest.get(id)?.dueAt)).toEqual(ids.map((_, n) => 3 * hour + n));
});

it('finds what was interrupted without reading all posts', async () => {
  await requestLogIn(db, 'one', key).interrupted();
  const found = await plans();
  expect(found.size).toBe(1);
  for (const [sql, steps] of found)
    expect(steps[0], sql).toMatch(/^SEARCH posts USING INDEX posts_by_hand \(workspace=\? AND state=\?\)/);
});

it('counts requests for admins through indexes, without reading older ones', async () => {
  await overviewIn(db).countRequests(hour, 9);
  const [[sql = '', steps = []] = []] = await plans();
  expect(steps.some((step) => step.startsWith('SCAN event'))).toBe(false);
  const chain = steps.filter((step) => step.startsWith('SEARCH event_chain'));
  expect(chain, sql).toEqual([
    expect.stringMatching(/event_chain_by_kind \(workspace=\? AND kind=\? AND seq>\?\)/),
    expect.stringMatching(/event_chain_by_time \(workspace=\? AND at>\?\)/),
  ]);
  expect(sorts(steps), sql).toBe(false);
});

it('finds many claimed runs by their IDs', async () => {
  const digests = digestsIn(db);
  const ledger = ledgerIn(db, 'one', key);
  for (let n = 0; n < 24; n += 1) {
    const digest = found(
      await digests.find(await digests.add({ ...settings, channel: `C${n}` }, 'U1', hour, 1)),
    );
    await ledger.enter(
      [{ digest, run: { dueAt: hour, dedupeKey: 'a', missed: 0, late: false }, nextDue: 2 * hour }],
      hour,
    );
  }
  asked = [];
  const order = { worker: 'one', now: 2 * hour, leaseMs: 1, limit: 24, busyChannels: [] };
  expect(await ledger.claim(order)).toHaveLength(24);
  expectIndexes(await plans());
});
