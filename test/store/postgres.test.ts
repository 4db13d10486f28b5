import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { plainRequest } from '../../src/requests/request.js';
import { migrate, schemaVersion } from '../../src/store/database/migrate.js';
import { inspectDatabase } from '../../src/store/inspect.js';
import { joinProcesses, type Membership } from '../../src/store/membership.js';
import { poolConfig } from '../../src/store/postgres/open-postgres.js';
import { openStore } from '../../src/store/store.js';
import { startScript } from '../process.js';
import { addDigest, found, hour } from './digest-setup.js';
import { freshFolder, openingFails, recordKey, sqlOn } from './fresh-folder.js';

const folder = freshFolder();
const now = () => 5;
const request = { channel: 'C1', asker: 'U1', request: plainRequest('tracks'), requestedAt: 1 };

describe('the schema', () => {
  it('is the same as that of an SQLite file, and texts compare by bytes', async () => {
    const location = folder.database();
    await (await openStore(location, now, { recordKey })).close();
    const file = new Sqlite(':memory:');
    migrate(file, now);
    const rowsOf = (statement: string) => file.prepare(statement).all();

    const columns = `SELECT table_name AS "table", column_name AS name, data_type AS type,
        is_nullable = 'NO' AS required, column_default AS fallback, collation_name AS "order"
      FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> 'rollcall_schema'
      ORDER BY table_name COLLATE "C", column_name COLLATE "C"`;
    const found = (await sqlOn<Record<string, unknown>>(location, columns)).map(
      ({ fallback, order, ...column }) => ({
        ...column,
        isByBytes: order === 'C',
        fallback: fallback === null ? null : String(fallback).replace(/::.*$/, ''),
      }),
    );
    expect(found).toEqual(
      rowsOf(`SELECT m.name AS "table", c.name AS name, lower(c.type) AS type,
          (c."notnull" OR c.pk > 0) AS required, c.dflt_value AS fallback
        FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c
        WHERE m.type = 'table' AND m.name <> 'rollcall_schema' ORDER BY m.name, c.name`).map((row) => {
        const { required, ...column } = row as Record<string, unknown>;
        return { ...column, required: required === 1, isByBytes: column.type === 'text' };
      }),
    );

    const indexes = `SELECT t.relname AS "table", i.indisunique AS is_unique,
        (SELECT string_agg(a.attname, ',' ORDER BY k.place) FROM unnest(i.indkey) WITH ORDINALITY AS k(number, place)
          JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number) AS columns,
        i.indpred IS NOT NULL AS is_partial
      FROM pg_index AS i JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_namespace AS n ON n.oid = t.relnamespace
      WHERE n.nspname = current_schema() AND t.relname <> 'rollcall_schema'`;
    const made = (await sqlOn<Record<string, unknown>>(location, indexes)).map((row) => JSON.stringify(row));
    const wanted = rowsOf(`SELECT m.name AS "table", l."unique" AS is_unique, l.partial AS is_partial,
        (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(l.name) ORDER BY seqno)) AS columns
      FROM sqlite_master AS m JOIN pragma_index_list(m.name) AS l
      WHERE m.type = 'table' AND m.name <> 'rollcall_schema'`).map((row) => {
      const { table, is_unique, columns, is_partial } = row as Record<string, unknown>;
      return JSON.stringify({ table, is_unique: is_unique === 1, columns, is_partial: is_partial === 1 });
    });
    expect(made.sort()).toEqual(wanted.sort());
    file.close();
  });

  it('is made once by processes that start at once', async () => {
    const location = folder.database();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore(location, now, { recordKey })),
    );
    await Promise.all(stores.map((store) => store.close()));
    const applied = await sqlOn<{ version: number }>(location, 'SELECT version FROM rollcall_schema');
    const versions = applied.map(({ version }) => version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(Math.max(...versions)).toBe(schemaVersion);
    expect(await inspectDatabase(location)).toEqual({
      rules: 0,
      admins: 0,
      digests: 0,
      failing: [],
      ownerless: [],
    });
  });

  it('of a newer version, and of another program, is refused and stays as it is', async () => {
    const newer = folder.database('newer');
    await (await openStore(newer, now, { recordKey })).close();
    await sqlOn(newer, `INSERT INTO rollcall_schema VALUES (${schemaVersion + 1}, 'later', 1)`);
    expect(await openingFails(newer)).toMatch(/was written by a newer version of Rollcall/);
    await expect(inspectDatabase(newer)).rejects.toMatchObject({ code: 'database-too-new' });

    const foreign = folder.database('foreign');
    await (await openStore(foreign, now, { recordKey })).close();
    await sqlOn(foreign, 'ALTER TABLE rollcall_schema RENAME TO recipes');
    expect(await openingFails(foreign)).toMatch(/it is not a Rollcall database/);

    const early = folder.database('early');
    await (await openStore(early, now, { recordKey })).close();
    await sqlOn(early, 'ALTER TABLE rollcall_schema RENAME TO rollcall_migrations');
    expect(await openingFails(early)).toMatch(/a development version of Rollcall wrote it/);
    await expect(inspectDatabase(early)).rejects.toMatchObject({ details: { reason: 'before-release' } });
  });
});

describe('values', () => {
  it('keep every character but NUL, and numbers beyond 32 bits', async () => {
    const store = await openStore(folder.database(), now, { recordKey });
    const name = 'a\0b — "ß" 🙂';
    const entry = { list: 'departments', entry: name, people: 5 };
    await store.suggestions.add([entry], 1_795_000_000_000);
    expect(await store.suggestions.find(['departments'], 'b', 9, 5)).toEqual([
      { list: 'departments', entry: 'a\ufffdb — "ß" 🙂', people: 5 },
    ]);
    expect(await sqlOn(folder.database(), 'SELECT seen_at FROM suggestions')).toEqual([
      { seen_at: '1795000000000' },
    ]);
    await store.close();
  });

  it('sort by bytes, whatever the locale of the server', async () => {
    const store = await openStore(folder.database(), now, { recordKey });
    for (const person of ['b', 'A', 'a', 'B', 'Ä']) await store.admins.add(person, 'U1', 1);
    expect((await store.admins.all()).map(({ person }) => person)).toEqual(['A', 'B', 'a', 'b', 'Ä']);
    await store.close();
  });
});

describe('several processes', () => {
  it('append to one chain of events', async () => {
    const location = folder.database();
    const stores = await Promise.all([1, 2, 3].map(() => openStore(location, now, { recordKey })));
    await Promise.all(
      stores.flatMap(({ events }, process) =>
        Array.from({ length: 20 }, (_, n) =>
          events.append({ kind: 'asked', at: n, person: `U${n % 3}`, subjects: [`p${process}@example.com`] }),
        ),
      ),
    );
    const [first] = stores;
    const head = await found(first).events.head();
    expect(head.seq).toBe(60);
    expect(await found(first).events.verify(head)).toMatchObject({ checked: 60, problems: [] });
    await Promise.all(stores.map((store) => store.close()));
  });

  it('claim each due run once', async () => {
    const location = folder.database();
    const stores = await Promise.all([1, 2, 3].map(() => openStore(location, now, { recordKey })));
    const [first] = stores;
    for (let n = 0; n < 20; n += 1) {
      const digest = await addDigest(found(first), hour, { channel: `C${n}` });
      await found(first).ledger.enterNow(digest, 'key', hour);
    }
    const claims = await Promise.all(
      stores.flatMap(({ ledger }, process) =>
        Array.from({ length: 8 }, () =>
          ledger.claim({ worker: `w${process}`, now: 2 * hour, leaseMs: 1000, limit: 3, busyChannels: [] }),
        ),
      ),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('leave whole events behind when they are killed', async () => {
    const location = folder.database();
    await (await openStore(location, now, { recordKey })).close();
    const script = `
      import { openStore } from './dist/src/store/store.js';
      const store = await openStore(process.argv[1], Date.now, { recordKey: '${recordKey}' });
      for (let n = 0; ; n += 1) {
        if (n === 2) process.stdout.write('some are there');
        await store.events.append({ kind: 'asked', at: n, person: 'U' + n, subjects: ['p' + n + '@example.com'] });
      }
    `;
    for (const afterMs of [5, 12]) {
      const { child, spoke, ended } = startScript(script, '--input-type=module', location);
      await spoke;
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      child.kill('SIGKILL');
      await ended;
    }
    const store = await openStore(location, now, { recordKey });
    const head = await store.events.head();
    expect(head.seq).toBeGreaterThan(0);
    expect(await store.events.verify(head)).toMatchObject({ problems: [] });
    await store.close();
  });
});

describe('a process that led', () => {
  it('writes nothing more once another one leads, but what Slack has answered', async () => {
    const location = folder.database();
    const join = async () =>
      found(
        await joinProcesses(location, { onWait: () => {}, onLost: () => {} }, new AbortController().signal),
      );
    const lead = (membership: Membership) => new Promise<void>((resolve) => membership.onLead(resolve));
    const former = await join();
    const store = await openStore(location, now, { process: former.process, recordKey });
    const { leading } = store;
    // It has joined, and does not lead yet.
    const outage = () => leading.digestOutages.begin('slack', { code: 'no_connection' }, hour);
    await expect(outage()).rejects.toMatchObject({ code: 'not-leading' });
    await lead(former);
    const digest = await addDigest(store, hour);
    await leading.ledger.enterNow(digest, 'key', hour);
    await leading.ledger.enterNow(await addDigest(store, hour, { channel: 'C2' }), 'key', hour);
    const claims = { worker: 'w1', now: 2 * hour, leaseMs: 1000, limit: 1, busyChannels: [] };
    const [run] = await leading.ledger.claim(claims);
    const claim = { id: found(run).id, worker: 'w1' };
    expect(await leading.ledger.markPosting(claim)).toBe(true);

    // PostgreSQL ends the session of a process that is frozen or cut off. The rest of the process wakes up later.
    await former.leave();
    const next = await join();
    await lead(next);
    const tables = ['posts', 'digests', 'notifications', 'digest_outages', 'seen_deliveries', 'posted_items'];
    const content = () =>
      Promise.all(tables.map((table) => sqlOn(location, `SELECT * FROM ${table} ORDER BY 1, 2, 3`)));
    await store.seenDeliveries.add([{ envelope: 'e', seenAt: 1 }]);
    const before = await content();
    const item = { kind: 'message', channel: 'C1', item: '1.1' } as const;
    for (const write of [
      outage,
      () => leading.ledger.claim(claims),
      () => leading.ledger.enterNow(digest, 'other', 2 * hour),
      () => leading.ledger.renewLeases([claim.id], 'w1', 9 * hour),
      () => leading.ledger.reclaim({ name: 'w1', expired: false }, [], hour),
      () => leading.ledger.makeReady(hour),
      () => leading.digestNotifications.add(['U1'], { kind: 'failed', subject: claim.id }, hour),
      () => leading.digestNotifications.ready(hour, 9),
      () => leading.postedItems.due(hour, 9),
      () => leading.postedItems.end(item, hour),
      () => leading.deleteBefore('seen_deliveries', 9, 9),
      () => leading.digests.succeeded(digest.id),
    ]) {
      await expect(write(), String(write)).rejects.toMatchObject({ code: 'not-leading' });
    }
    expect(await content()).toEqual(before);
    const message = { channel: 'C1', ts: '1.1' };
    expect(await leading.ledger.markPosted(claim, { message, fileFollows: false }, hour)).toBe(true);
    // What every process may do goes on.
    await store.deleteBefore('seen_deliveries', 9, 9);
    await next.leave();
    await store.close();
  });
});

describe('a transaction that waits too long for its turn', () => {
  // PostgreSQL's time limits do not end where libfaketime sets its time ahead: see `vitest.config.ts`.
  it.skipIf(process.env.FAKETIME?.startsWith('+'))('fails, and leaves its connection as it was', async () => {
    const location = `${folder.database()}&options=${encodeURIComponent('-c lock_timeout=100')}`;
    const store = await openStore(location, now, { recordKey });
    const other = new pg.Client(poolConfig(location));
    await other.connect();
    await other.query('BEGIN; LOCK TABLE rollcall_workspace IN EXCLUSIVE MODE');
    await expect(store.requestLog.record(request)).rejects.toMatchObject({ details: { trouble: 'locked' } });
    await other.end();
    for (let n = 0; n < 3; n += 1) await store.requestLog.record(request);
    expect(await store.requestLog.recent(0, 9)).toHaveLength(3);
    await store.close();
  });
});

describe('transactions that wait for their turn', () => {
  it('leave connections for single statements, and all of them run', async () => {
    const location = folder.database();
    const store = await openStore(location, now, { recordKey });
    const other = new pg.Client(poolConfig(location));
    await other.connect();
    await other.query('BEGIN; LOCK TABLE rollcall_workspace IN EXCLUSIVE MODE');
    const recording = Array.from({ length: 30 }, () => store.requestLog.record(request));
    await store.seenDeliveries.add([{ envelope: 'e', seenAt: 1 }]);
    expect(await store.seenDeliveries.has('e')).toBe(true);
    expect(await store.requestLog.recent(0, 99)).toHaveLength(0);
    await other.end();
    await Promise.all(recording);
    expect(await store.requestLog.recent(0, 99)).toHaveLength(30);
    await store.close();
  });
});

describe('a transaction that PostgreSQL ends in favour of another', () => {
  it('is repeated, and its work counts once', async () => {
    const location = folder.database();
    const store = await openStore(location, now, { recordKey });
    const digest = await addDigest(store, hour);
    // The first two tries fail as they would in a deadlock.
    await sqlOn(location, 'CREATE SEQUENCE tries');
    await sqlOn(
      location,
      `CREATE FUNCTION fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'try again' USING ERRCODE = '40P01'; END IF; RETURN NEW; END $$`,
    );
    await sqlOn(location, 'CREATE TRIGGER failing BEFORE INSERT ON posts EXECUTE FUNCTION fail_twice()');
    expect(await store.ledger.enterNow(digest, 'key', hour)).toEqual(expect.any(String));
    expect(await store.ledger.history(digest.id, 9)).toHaveLength(1);
    await store.close();
  });
});
