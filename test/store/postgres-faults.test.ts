import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type StartedPostgres, startPostgres } from '../../playground/processes/postgres.js';
import { describeForOperator } from '../../src/cli/operator-messages.js';
import { plainRequest } from '../../src/requests/request.js';
import { migrations, schemaVersion } from '../../src/store/database/migrate.js';
import { joinProcesses } from '../../src/store/membership.js';
import { prepareSchema, withPostgres } from '../../src/store/postgres/open-postgres.js';
import { openStore } from '../../src/store/store.js';
import { smallDisk } from '../small-disk.js';
import { found } from './digest-setup.js';
import { connected, openingFails, recordKey, sqlOn } from './fresh-folder.js';
import { openNetwork } from './network.js';

const now = () => 5;
const request = { channel: 'C1', asker: 'U1', request: plainRequest('tracks'), requestedAt: 1 };
const noEvents = { onWait: () => {}, onLost: () => {} };

describe('a server', () => {
  let server: StartedPostgres | undefined;
  beforeAll(async () => {
    server = process.env.TEST_POSTGRES_URL ? undefined : await startPostgres().catch(() => undefined);
  });
  afterAll(() => server?.stop());

  it('that refuses the account, lacks the database or is not there is named with the fix', async ({
    skip,
  }) => {
    if (!server) return skip();
    const changed = (change: (url: URL) => void) => {
      const url = new URL(found(server).url);
      change(url);
      return url.href;
    };
    const refused = await openingFails(changed((url) => (url.password = 'wrong-secret')));
    expect(refused).toBe(
      'postgres on 127.0.0.1 cannot be used: PostgreSQL refuses the account, or has no such database or schema. Check DATABASE_URL and the rights of its user.',
    );
    expect(await openingFails(changed((url) => (url.pathname = '/nowhere')))).toMatch(/has no such database/);
    expect(await openingFails(changed((url) => (url.port = '9')))).toMatch(/its server cannot be reached/);
  });

  it('behind a pooler is refused', async ({ skip }) => {
    if (!server) return skip();
    const url = new URL(server.url);
    // Poolers name a process of their own in BackendKeyData.
    const pooler = await openNetwork(Number(url.port), (bytes) => {
      for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
        if (bytes[at] === 'K'.charCodeAt(0)) bytes.writeInt32BE(7, at + 5);
      }
    });
    url.port = String(pooler.port);
    const refused = joinProcesses(url.href, noEvents, AbortSignal.timeout(9_000));
    await expect(refused.catch(describeForOperator)).resolves.toBe(
      'postgres on 127.0.0.1 cannot be used: a connection pooler stands before PostgreSQL, and Rollcall needs the server itself. Check the path or DATABASE_URL.',
    );
    pooler.close();
  });

  it('whose disk is full fails what is asked, and works again once there is room', async ({ skip }) => {
    const disk = server && smallDisk(40 * 1024 * 1024);
    if (!server || !disk) return skip();
    const [data] = await sqlOn<{ folder: string }>(
      server.url,
      "SELECT current_setting('data_directory') AS folder",
    );
    const tablespace = disk.path('tablespace');
    mkdirSync(tablespace);
    const { uid, gid } = statSync(found(data).folder);
    for (const path of [disk.path('.'), tablespace]) chownSync(path, uid, gid);
    await sqlOn(server.url, `CREATE TABLESPACE small LOCATION '${tablespace}'`);
    await sqlOn(server.url, 'CREATE DATABASE small TABLESPACE small');
    const url = new URL(server.url);
    url.pathname = '/small';
    const store = await openStore(url.href, now, { recordKey });
    // Random letters take all the room that they seem to take.
    const remember = (n: number) =>
      store.suggestions
        .add([{ list: 'departments', entry: `${n} ${randomBytes(1000).toString('base64')}`, people: 5 }], n)
        .then(
          () => 'saved',
          (error) => error.details.trouble,
        );
    expect(await remember(0)).toBe('saved');
    disk.fill();
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'full' && outcomes.length < 200)
      outcomes.push(await remember(outcomes.length + 1));
    expect(outcomes.at(-1)).toBe('full');
    expect(new Set(outcomes.slice(0, -1))).toEqual(new Set(outcomes.length > 1 ? ['saved'] : []));
    disk.free();
    expect(await remember(1000)).toBe('saved');
    expect(await sqlOn(url.href, 'SELECT count(*)::int AS kept FROM suggestions')).toEqual([
      { kept: outcomes.length + 1 },
    ]);
    await store.close();
    await sqlOn(server.url, 'DROP DATABASE small');
    disk.remove();
  });

  it('whose connection breaks is asked again, for what it may have done only where that shows', async ({
    skip,
  }) => {
    if (!server) return skip();
    const url = new URL(server.url);
    const network = await openNetwork(Number(url.port));
    url.searchParams.set('search_path', 'broken');
    const location = url.href;
    url.port = String(network.port);
    const store = await openStore(url.href, now, { recordKey });
    await sqlOn(location, 'CREATE TABLE broken.slow (what TEXT)');
    await sqlOn(
      location,
      `CREATE FUNCTION broken.wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF EXISTS (SELECT FROM slow WHERE what = TG_ARGV[0]) THEN PERFORM pg_sleep(1); END IF; RETURN NULL; END $$`,
    );
    const wait = (what: string, of: string) =>
      `CREATE CONSTRAINT TRIGGER ${what} AFTER ${of} DEFERRABLE INITIALLY ${what} FOR EACH ROW EXECUTE FUNCTION wait('${what}')`;
    for (const what of ['immediate', 'deferred'])
      for (const of of ['INSERT ON requests', 'INSERT OR UPDATE ON inbox'])
        await sqlOn(location, wait(what, of));
    const breakDuring = async <Done>(
      what: 'immediate' | 'deferred',
      how: 'cut' | 'hold',
      work: () => Promise<Done>,
    ) => {
      await sqlOn(location, `DELETE FROM slow; INSERT INTO slow VALUES ('${what}')`);
      const working = work().catch((error) => error.details.trouble);
      const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      await expect.poll(() => sqlOn(location, waiting)).toHaveLength(1);
      await sqlOn(location, 'DELETE FROM slow');
      if (how === 'cut') network.cut();
      else {
        network.hold(true);
        setTimeout(() => network.hold(false), 300);
      }
      const outcome: Done | string = await working;
      await expect.poll(() => sqlOn(location, waiting)).toEqual([]);
      const [counts] = await sqlOn<{ posts: number; asks: number }>(
        location,
        'SELECT (SELECT count(*)::int FROM posts) AS posts, count(*)::int AS asks FROM requests',
      );
      return { outcome, ...counts };
    };
    // In the middle of a transaction, PostgreSQL keeps nothing of it. In its commit, it may have kept all of it. A
    // request is recorded once in any case.
    let posts = 0;
    for (const what of ['immediate', 'deferred'] as const)
      for (const how of ['cut', 'hold'] as const) {
        posts += 1;
        const record = () => store.requestLog.record(request, 'answer', `a-request-${posts}`);
        const outcome = `a-request-${posts}`;
        expect(await breakDuring(what, how, record)).toEqual({ outcome, posts, asks: posts });
      }
    // A delivery is added once, and the process that added it knows that.
    const delivery = (key: string) => ({ key, person: 'U1', payload: '{}', request: key, arrivedAt: 1 });
    for (const how of ['cut', 'hold'] as const) {
      const add = () => store.inbox.add([delivery(how), { ...delivery('second'), request: how }]);
      const added = how === 'cut' ? [how, 'second'] : [how];
      expect((await breakDuring('deferred', how, add)).outcome).toEqual(new Set(added));
    }
    // Deliveries of a process that has ended reach the one that took them.
    const other = await openStore(location, now, { recordKey, process: 'ended' });
    for (const [what, goesOn] of [
      ['immediate', true],
      ['deferred', true],
      ['deferred', false],
    ] as const) {
      const key = `${what} ${goesOn}`;
      await other.inbox.add([delivery(key)]);
      const take = () => store.inbox.take('ended', 9, { arrivedAfter: 0, maxAttempts: goesOn ? 2 : 1 });
      expect((await breakDuring(what, 'cut', take)).outcome).toMatchObject([{ key, goesOn }]);
    }
    await other.close();
    // Of other writes, nobody can know.
    for (const how of ['cut', 'hold'] as const) {
      const { outcome, asks } = await breakDuring('deferred', how, () =>
        store.requestLog.recordForPost('a-request-1', request),
      );
      expect(outcome).toBe('unreachable');
      expect([posts, posts + 1, posts + 2]).toContain(asks);
    }
    // A read is repeated, also on a connection that is broken without a sign.
    network.cut();
    expect((await store.requestLog.recent(0, 9)).length).toBeGreaterThanOrEqual(2);
    await store.close();
    network.close();
  });

  it('with the tables of an earlier version is changed once no process of that version uses it', async ({
    skip,
  }) => {
    if (!server) return skip();
    const location = `${server.url}?search_path=earlier`;
    const older = found(await joinProcesses(location, noEvents, new AbortController().signal));
    const step = { name: 'later', statements: ['CREATE TABLE later (id BIGINT)'] };
    const update = () =>
      withPostgres(location, (client) => prepareSchema(client, 'rollcall', 1, [...migrations, step]));
    await expect(update()).rejects.toMatchObject({ details: { reason: 'in-use-by-older' } });
    const withVersion = (version: number) => `UPDATE rollcall_schema SET version = ${version}`;
    await sqlOn(location, withVersion(schemaVersion - 1));
    const onWait = vi.fn();
    const newer = joinProcesses(location, { ...noEvents, onWait }, AbortSignal.timeout(15_000)).then(
      async (membership) => {
        await membership?.leave();
        return membership ? 'joined' : 'waited in vain';
      },
    );
    await expect.poll(() => onWait.mock.calls.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 700));
    // The tables have all changes already, so nobody may look in between.
    await connected(location, async (run) => {
      await run('BEGIN; LOCK TABLE rollcall_schema IN EXCLUSIVE MODE');
      await older.leave();
      await run(`${withVersion(schemaVersion)}; COMMIT`);
    });
    expect(await newer).toBe('joined');
    expect(onWait).toHaveBeenCalledOnce();
    await update();
    expect(await sqlOn(location, 'SELECT name FROM rollcall_schema ORDER BY version')).toEqual([
      { name: 'created' },
      { name: 'later' },
    ]);
    await expect(update()).resolves.toBeUndefined();
  });

  it('tells the time from the start, also if its first answer is slow', async ({ skip }) => {
    if (!server) return skip();
    let slowAnswers = 0;
    // Nothing runs meanwhile, as on a busy machine.
    const network = await openNetwork(Number(new URL(server.url).port), (bytes) => {
      if (slowAnswers > 0 || !bytes.includes('isToUpdate')) return;
      slowAnswers += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    });
    const url = new URL(server.url);
    url.port = String(network.port);
    const ahead = 300_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead });
    const joined = found(await joinProcesses(url.href, noEvents, new AbortController().signal));
    const told = joined.clockAheadMs();
    vi.useRealTimers();
    expect(slowAnswers).toBe(1);
    expect(Math.abs(told - ahead)).toBeLessThan(5_000);
    await joined.leave();
    network.close();
  });

  it('tells the time, whatever the clocks of the machines say', async ({ skip }) => {
    if (!server) return skip();
    const join = async (aheadMs: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aheadMs });
      try {
        return found(await joinProcesses(found(server).url, noEvents, new AbortController().signal));
      } finally {
        vi.useRealTimers();
      }
    };
    const minutes = 60_000;
    for (const ahead of [5 * minutes, -5 * minutes]) {
      const joined = await join(ahead);
      expect(Math.abs(joined.clockAheadMs() - ahead)).toBeLessThan(2_000);
      // Somebody sets the clock.
      await expect.poll(joined.clockAheadMs).toBe(0);
      await joined.leave();
    }
  });

  it('that becomes read-only, and vanishes, fails what is asked and works again afterwards', async ({
    skip,
  }) => {
    if (!server) return skip();
    const location = server.url;
    const store = await openStore(location, now, { recordKey });
    await store.requestLog.record(request);
    await sqlOn(location, 'ALTER DATABASE postgres SET default_transaction_read_only = on');
    await sqlOn(
      location,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'rollcall %'",
    );
    // A connection that the server ended may be noticed by a query only.
    const outcome = () =>
      store.requestLog.record(request).then(
        () => 'saved',
        (error) => error.details.trouble,
      );
    await expect.poll(outcome).toBe('read-only');
    await sqlOn(location, 'BEGIN READ WRITE; ALTER DATABASE postgres RESET ALL; COMMIT');
    await sqlOn(
      location,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'rollcall %'",
    );
    await expect.poll(outcome).toBe('saved');

    await server.stop();
    await expect(store.requestLog.record(request)).rejects.toMatchObject({
      details: { trouble: 'unreachable' },
    });
    await store.close();
    server = undefined;
  });
});
