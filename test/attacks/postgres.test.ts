import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { ada, noah } from '../digests/test-workspace.js';
import { botSettings, eventsUrl } from '../journeys/bot-process.js';
import { channelId, openSeveralBots, type SeveralBots } from '../journeys/several-bots.js';
import { endEveryProcess, runBuiltRollcall, startProcess } from '../process.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { openNetwork } from '../store/network.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** The promise for everything that a stranger, or a broken connection, may hold up. */
const promised = { timeout: 15_000 };

const leads = /This process leads/;

/** A database whose owner is no superuser, on a server with another role that may connect to it. */
interface SharedDatabase {
  /** As its owner, for Rollcall. */
  readonly location: string;
  /** As the other role. */
  readonly stranger: string;
  /** As the administrator of the server. */
  readonly admin: string;
}

let shared: SharedDatabase;
beforeEach(async (context) => {
  const server = inject('postgresUrl');
  if (server === undefined) return context.skip();
  const id = randomBytes(5).toString('hex');
  const as = (role: string) => {
    const url = new URL(server);
    Object.assign(url, { username: role, password: 'a-password', pathname: `/database_${id}` });
    return url.href;
  };
  for (const role of ['owner', 'stranger'])
    await sqlOn(server, `CREATE ROLE ${role}_${id} LOGIN PASSWORD 'a-password'`);
  await sqlOn(server, `CREATE DATABASE database_${id} OWNER owner_${id}`);
  const admin = new URL(server);
  admin.pathname = `/database_${id}`;
  shared = { location: as(`owner_${id}`), stranger: as(`stranger_${id}`), admin: admin.href };
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await endEveryProcess();
  const server = inject('postgresUrl');
  if (server === undefined) return;
  const { pathname, username } = new URL(shared.location);
  await sqlOn(server, `DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`);
  for (const role of [username, username.replace('owner', 'stranger')])
    await sqlOn(server, `DROP ROLE ${role}`);
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  closers.push(() => client.end().catch(() => {}));
  return client;
}

/** Takes all advisory locks that anybody holds or waits for, and those of names that it guesses, and keeps them. */
function holdEveryLock(client: pg.Client): () => Promise<number> {
  const guesses = ['transaction', 'process', 'leader', 'in use', 'migrations']
    .map((what) => `hashtextextended('rollcall ' || current_setting('search_path') || ' ${what} ', 0)`)
    .join(', ');
  let isOver = false;
  let taken = 0;
  const holding = (async () => {
    while (!isOver) {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*) FILTER (WHERE pg_try_advisory_lock(key))::int AS count FROM (
          SELECT classid::bigint << 32 | objid::bigint AS key FROM pg_locks
            WHERE locktype = 'advisory' AND pid <> pg_backend_pid()
          UNION SELECT unnest(ARRAY[${guesses}])) AS keys`,
      );
      taken += rows[0]?.count ?? 0;
      await sleep(20);
    }
  })();
  const stop = async () => {
    isOver = true;
    await holding;
    return taken;
  };
  closers.push(stop);
  return stop;
}

const answersIn = ({ slack }: SeveralBots) =>
  slack.messages('#shared-work').filter(({ text }) => text.includes('workshop sessions')).length;

let days = 0;
/** Another one each time, because equal queries within some seconds share an answer. */
const newCommand = () => {
  days += 1;
  return `/report workshops last-${days}-days`;
};

/** Asks for a report, which is answered once within the promised time. */
async function isAnswered(bots: SeveralBots): Promise<void> {
  const before = answersIn(bots);
  await bots.slack.as('ada').command(newCommand(), '#shared-work');
  await expect.poll(() => answersIn(bots), promised).toBe(before + 1);
}

/** The processes of Rollcall, and which one leads. */
async function members(location: string): Promise<readonly { name: string; leads: boolean; pid: number }[]> {
  return sqlOn(
    location,
    'SELECT name, leads = 1 AS leads, pid::int AS pid FROM rollcall_members ORDER BY name',
  );
}

async function leaderOf(bots: SeveralBots) {
  const leader = (await members(bots.location)).find((member) => member.leads);
  return { name: leader?.name, pid: leader?.pid, bot: bots.botOf(leader?.name) };
}

describe('another role that may connect', () => {
  it.for(['socket', 'http'] as const)(
    'reads nothing, stops nothing and ends nothing (%s)',
    { timeout: 120_000 },
    async (mode) => {
      const { location, stranger, admin } = shared;
      const bots = await openSeveralBots(location, folder.path('.'));
      const { slack, store } = bots;
      const first = await bots.start({}, mode);
      await first.waitFor(leads);
      const second = await bots.start({}, mode);
      if (mode === 'http') await slack.deliverTo(await eventsUrl(second));
      const attacker = await connect(stranger);
      const stopHolding = holdEveryLock(await connect(stranger));
      await isAnswered(bots);

      // What it may not do.
      const pids = (
        await sqlOn<{ pid: number }>(
          admin,
          "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'rollcall %' AND datname = current_database()",
        )
      ).map(({ pid }) => pid);
      expect(pids.length).toBeGreaterThan(4);
      for (const refused of [
        'SELECT * FROM rollcall_channel',
        'SELECT * FROM rollcall_members',
        'DELETE FROM rollcall_members',
        'DO $$ BEGIN LOCK TABLE rollcall_workspace IN ACCESS SHARE MODE; END $$',
        'DO $$ BEGIN LOCK TABLE rollcall_schema IN ACCESS SHARE MODE; END $$',
        'SELECT * FROM posts',
        'CREATE TABLE public.posts (id TEXT)',
        ...pids.map((pid) => `SELECT pg_terminate_backend(${pid})`),
        ...pids.map((pid) => `SELECT pg_cancel_backend(${pid})`),
      ])
        await expect(attacker.query(refused), refused).rejects.toThrow(/permission denied|must be/);

      // It hears nothing on channels that it guesses, and nothing that means anything on the one that it cannot know.
      const [channel] = await sqlOn<{ name: string }>(location, 'SELECT name FROM rollcall_channel');
      const guesses = ['rollcall', `rollcall_${'0'.repeat(32)}`];
      const payloads: { readonly channel: string; readonly payload: string }[] = [];
      attacker.on('notification', ({ channel, payload = '' }) => payloads.push({ channel, payload }));
      const { rows } = await attacker.query<{ name: string }>(
        "SELECT 'rollcall_' || md5(current_setting('search_path')) AS name",
      );
      const names = [...guesses, ...rows.map(({ name }) => name), channel?.name ?? ''];
      for (const name of names) await attacker.query(`LISTEN "${name}"`);
      slack.as('noah').changeProfile({ kind: 'guest' });
      slack.as('ada').openHome();
      await expect.poll(() => payloads.length, promised).toBeGreaterThan(0);
      expect(new Set(payloads.map((heard) => heard.channel))).toEqual(new Set([channel?.name]));
      for (const { payload } of payloads)
        expect(Buffer.from(payload, 'base64').toString('latin1')).not.toMatch(/U0|C0|home|person|rollcall/);

      // What it sends is ignored, however much.
      const forged = [
        '',
        '{',
        'null',
        '[]',
        '{"from":"x"}',
        '{"from":"x","signals":[null]}',
        '{"signals":"lost"}',
      ];
      for (const name of names) {
        for (const payload of [...forged, ...payloads.map((heard) => heard.payload), 'x'.repeat(7_999)])
          await attacker.query('SELECT pg_notify($1, $2)', [name, payload]);
      }
      await isAnswered(bots);
      await attacker.query(
        `SELECT pg_notify('${channel?.name}', n || repeat('x', 500)) FROM generate_series(1, 50000) AS n`,
      );
      await isAnswered(bots);
      const nameNow = () => sqlOn(location, 'SELECT name FROM rollcall_channel');
      await expect.poll(nameNow, promised).not.toEqual([channel]);

      // The leader is killed, and a new process joins: no lock keeps another one from going on.
      await bots.kill(first);
      await second.waitFor(leads);
      expect(await bots.deliverOne()).toBe(1);
      await bots.start({}, mode);
      await isAnswered(bots);
      expect(await stopHolding()).toBeGreaterThan(0);
      expect(await members(location)).toHaveLength(2);
      expect(await store.events.verify(await store.events.head())).toMatchObject({ problems: [] });
      await bots.close();
    },
  );
});

describe('a broken connection', () => {
  it('ends no process that opens another one in time', { timeout: 120_000 }, async () => {
    const { location, admin } = shared;
    const bots = await openSeveralBots(location, folder.path('.'));
    const first = await bots.start();
    await first.waitFor(leads);
    const second = await bots.start();
    const before = (await members(location)).map(({ name }) => name);
    const break_ = (which: string) =>
      sqlOn(
        admin,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE 'rollcall %' AND ${which}`,
      );
    // The session of the leader, all of the leader, and all of all: as when the server fails over.
    const { name, pid } = await leaderOf(bots);
    const mark = name?.slice(-12) ?? '';
    for (const which of [`pid = ${pid}`, `application_name LIKE '%${mark}'`, 'true']) {
      expect((await break_(which)).length).toBeGreaterThan(0);
      const posts = bots.slack.posts.length;
      await Promise.all([isAnswered(bots), bots.deliverOne()]);
      expect(bots.slack.posts).toHaveLength(posts + 2);
      const isBack = async () => (await leaderOf(bots)).name;
      await expect.poll(isBack, promised).toBe(name);
    }
    // A server that is away for some seconds: work that was begun waits for it.
    const isMissing = 'SELECT name FROM rollcall_members WHERE missing_since IS NOT NULL';
    await expect.poll(() => sqlOn(location, isMissing), promised).toEqual([]);
    expect((await members(location)).map(({ name }) => name)).toEqual(before);
    expect(first.stdout() + second.stdout()).not.toMatch(/out of reach/);
    expect(bots.slack.messages('@ada')).toEqual([]);
    await bots.close();
  });

  it('keeps work waiting while the server is away, and ends who is away for longer', {
    timeout: 120_000,
  }, async () => {
    const { location } = shared;
    const bots = await openSeveralBots(location, folder.path('.'));
    const networks = await Promise.all([1, 2].map(() => openNetwork(Number(new URL(location).port))));
    closers.push(...networks.map(({ close }) => close));
    const start = (index: number) => {
      const url = new URL(location);
      url.port = String(networks[index]?.port);
      return bots.start({ DATABASE_URL: url.href });
    };
    const first = await start(0);
    await first.waitFor(leads);
    const second = await start(1);
    const before = answersIn(bots);
    for (const network of networks) network.down(true);
    const asked = bots.slack.as('ada').command(newCommand(), '#shared-work');
    await sleep(4_000);
    for (const network of networks) network.down(false);
    await asked;
    await expect.poll(() => answersIn(bots), promised).toBe(before + 1);
    await isAnswered(bots);
    expect((await leaderOf(bots)).bot).toBe(first);

    // Data gets lost without a sign, in both directions.
    networks[0]?.hold(true);
    const [cutOff] = await Promise.all([first.ended, second.waitFor(leads)]);
    expect(cutOff).toBe(1);
    await isAnswered(bots);
    expect(await bots.deliverOne()).toBe(1);
    expect(bots.slack.messages('@ada')).toEqual([]);
    await bots.close();
  });

  it('leaves no command without a word, whenever it reaches a process that is cut off', {
    timeout: 120_000,
  }, async () => {
    const { location } = shared;
    const bots = await openSeveralBots(location, folder.path('.'));
    const { slack } = bots;
    const network = await openNetwork(Number(new URL(location).port));
    closers.push(network.close);
    const url = new URL(location);
    url.port = String(network.port);
    const cutOff = await bots.start({ DATABASE_URL: url.href });
    await cutOff.waitFor(leads);
    const other = await bots.start();
    // Nothing listens at the response URL, so the reply has to find another way.
    const command = { command: '/report', team_id: defaultSeed.team.id, trigger_id: '1.2' };
    const rest = { channel_id: channelId('shared-work'), response_url: 'http://127.0.0.1:9/replies' };
    const left = new Set<string>();
    const ask = async (n: number) => {
      const text = `workshops last-2-days tags:mark-${n}`;
      const person = { user_id: n % 2 === 0 ? ada : noah };
      const result = await slack.deliver('slash_commands', { ...command, ...rest, ...person, text });
      // Slack shows a reply in an acknowledgement, or says that a command timed out.
      if (result.ok && result.answer === undefined) left.add(`mark-${n}`);
    };
    network.hold(true);
    const asked: Promise<void>[] = [];
    for (let n = 10; n < 40; n += 1) {
      asked.push(ask(n));
      await sleep(400);
    }
    expect(await cutOff.ended).toBe(1);
    await Promise.all(asked);
    await other.waitFor(leads);
    const withoutWord = () => {
      const told = ['#shared-work', '@ada', '@noah'].flatMap((where) => slack.messages(where));
      const failures = told.filter(({ text }) => text.startsWith('My database cannot be used')).length;
      const missing = [...left].filter((mark) => !told.some(({ text }) => text.includes(mark)));
      return missing.slice(failures);
    };
    await expect.poll(withoutWord, promised).toEqual([]);
    expect(cutOff.stdout()).toMatch(/acknowledged before it was saved/);
    await bots.close();
  });
});

describe('a database that Rollcall cannot use, or that others can', () => {
  const doctor = async (location: string) => {
    const slack = {
      botToken: 'xoxb-1',
      appToken: 'xapp-1',
      signingSecret: 's',
      apiUrl: 'http://127.0.0.1:9/api/',
    };
    const settings = botSettings(slack, { url: 'http://127.0.0.1:9' }, location);
    const { status, stdout } = await runBuiltRollcall(['doctor'], settings, folder.path('.'));
    expect(status).not.toBe(0);
    return stdout;
  };
  const bot = async (location: string) => {
    const slack = {
      botToken: 'xoxb-1',
      appToken: 'xapp-1',
      signingSecret: 's',
      apiUrl: 'http://127.0.0.1:9/api/',
    };
    const settings = botSettings(slack, { url: 'http://127.0.0.1:9' }, location);
    const started = startProcess('dist/bot/main.js', [], settings, folder.path('.'));
    expect(await started.ended).toBe(1);
    expect(started.stdout()).not.toMatch(/Rollcall ready/);
    return started.stderr();
  };

  it('is found by the start and by rollcall doctor', { timeout: 60_000 }, async () => {
    const { location, admin } = shared;
    const database = new URL(location).pathname.slice(1);
    // Tables of another program, with names as Rollcall has.
    await sqlOn(location, 'CREATE SCHEMA theirs');
    await sqlOn(location, 'CREATE TABLE theirs.posts (id TEXT)');
    const foreign = `${location}?search_path=theirs`;
    const notOurs = /cannot be used: it is not a Rollcall database\. Check the path or DATABASE_URL\./;
    expect(await bot(foreign)).toMatch(notOurs);
    expect(await doctor(foreign)).toMatch(/PROBLEM {2}Database: .*it is not a Rollcall database/);
    await sqlOn(location, 'CREATE TABLE theirs.rollcall_schema (version TEXT)');
    expect(await bot(foreign)).toMatch(notOurs);
    expect(await doctor(foreign)).toMatch(/PROBLEM {2}Database: .*it is not a Rollcall database/);

    // Other roles may connect, and others have tables there.
    const open = await doctor(location);
    expect(open).toMatch(new RegExp(`ok {7}Database: ${database} on 127.0.0.1 can be reached`));
    expect(open).toContain(
      `PROBLEM  Database access: Every role of the server may connect to ${database}. Run REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC; and GRANT CONNECT`,
    );
    expect(open).toMatch(/PROBLEM {2}Database access: .* also holds tables of other programs\./);
    await sqlOn(admin, 'GRANT CREATE ON SCHEMA public TO PUBLIC');
    expect(await doctor(location)).toMatch(
      /PROBLEM {2}Database access: .*REVOKE CREATE ON SCHEMA public FROM PUBLIC;/,
    );
    await sqlOn(admin, `REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
    await sqlOn(admin, `REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC; DROP SCHEMA theirs CASCADE`);
    expect(await doctor(location)).toMatch(/ok {7}Database access: .* is Rollcall’s own/);

    // Nobody can write.
    await sqlOn(admin, `ALTER DATABASE ${database} SET default_transaction_read_only = on`);
    const readOnly =
      /cannot be used: PostgreSQL lets nobody write to it\. Name the primary server in DATABASE_URL/;
    expect(await bot(location)).toMatch(readOnly);
    expect(await doctor(location)).toMatch(/PROBLEM {2}Database: .*PostgreSQL lets nobody write to it\./);
    await sqlOn(admin, `BEGIN READ WRITE; ALTER DATABASE ${database} RESET ALL; COMMIT`);
  });
});
