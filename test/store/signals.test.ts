import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';
import type { PubSubEvents } from '../../src/store/postgres/pub-sub.js';
import { openSignals, type Signals, signalsOver } from '../../src/store/signals.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder, onPostgres, recordKey, sqlOn } from './fresh-folder.js';

const folder = freshFolder();
const log = createLogger({ level: 'error', forPeople: false, destination: { write() {} } });

const opened: Signals[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((signals) => signals.close()));
});

/** What a process hears. */
function heardBy(signals: Signals): string[] {
  const heard: string[] = [];
  signals.on('person-changed', ({ user }) => heard.push(user));
  signals.on('channel-changed', ({ channel, user }) => heard.push(`${channel} ${user ?? ''}`.trim()));
  signals.onLoss(() => heard.push('lost'));
  return heard;
}

async function join(process: string, location: string): Promise<{ signals: Signals; heard: string[] }> {
  const signals = await openSignals(location, process, log);
  opened.push(signals);
  return { signals, heard: heardBy(signals) };
}

describe('signals', () => {
  it('reach the listeners of their own process at once', async () => {
    const location = folder.database();
    await (await openStore(location, () => 1, { recordKey })).close();
    const { signals, heard } = await join('one', location);
    signals.send({ kind: 'person-changed', user: 'U1' });
    expect(heard).toEqual(['U1']);
  });

  it('reach each other process once, and none on another database', async ({ skip }) => {
    if (!onPostgres) return skip();
    const location = folder.database();
    const elsewhere = folder.database('elsewhere');
    for (const database of [location, elsewhere])
      await (await openStore(database, () => 1, { recordKey })).close();
    const one = await join('one', location);
    const two = await join('two', location);
    const other = await join('other', elsewhere);
    await reachable(one, two);
    await reachable(two, one);
    one.heard.length = 0;
    two.heard.length = 0;

    one.signals.send({ kind: 'channel-changed', channel: 'C1', user: 'U1' });
    one.signals.send({ kind: 'person-changed', user: 'U2' });
    two.signals.send({ kind: 'person-changed', user: 'U3' });
    await expect.poll(() => two.heard).toEqual(['U3', 'C1 U1', 'U2']);
    await expect.poll(() => one.heard).toEqual(['C1 U1', 'U2', 'U3']);
    expect(other.heard).toEqual([]);
  });

  it('may have got lost while a connection was broken, and arrive afterwards', async ({ skip }) => {
    if (!onPostgres) return skip();
    const location = folder.database();
    await (await openStore(location, () => 1, { recordKey })).close();
    const one = await join('broken one', location);
    const two = await join('broken two', location);
    await reachable(one, two);
    // Not those of other tests on the same server.
    await sqlOn(
      location,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'rollcall signals broken %'",
    );
    one.signals.send({ kind: 'person-changed', user: 'U9' });
    await expect.poll(() => two.heard).toContain('lost');
    await reachable(one, two);
  });
});

describe('a stranger', () => {
  it('hears nothing of what is sent, and what it sends changes nothing but the name of the channel', async ({
    skip,
  }) => {
    if (!onPostgres) return skip();
    const location = folder.database();
    await (await openStore(location, () => 1, { recordKey })).close();
    const one = await join('one', location);
    const two = await join('two', location);
    await reachable(one, two);
    const channel = async () =>
      (await sqlOn<{ name: string }>(location, 'SELECT name FROM rollcall_channel'))[0]?.name ?? '';
    const name = await channel();
    expect(name).toMatch(/^r[0-9a-f]{32}$/);

    // It has found out the name.
    const listening = new pg.Client(location.split('?')[0]);
    await listening.connect();
    const payloads: string[] = [];
    listening.on('notification', ({ payload = '' }) => payloads.push(payload));
    await listening.query(`LISTEN ${name}`);
    one.signals.send({ kind: 'channel-changed', channel: 'C0SECRET', user: 'U0SECRET' });
    await expect.poll(() => two.heard).toContain('C0SECRET U0SECRET');
    await expect.poll(() => payloads.length).toBeGreaterThan(0);
    expect(payloads.map((payload) => Buffer.from(payload, 'base64').toString('latin1')).join()).not.toMatch(
      /SECRET|channel|one/,
    );

    // A replay, and texts that are no JSON, of another key, cut off or empty.
    two.heard.length = 0;
    const [own = ''] = payloads;
    const forged = [
      own,
      own.slice(0, 40),
      own.slice(4),
      '',
      '{',
      'null',
      '{"from":"x","signals":"lost"}',
      'é'.repeat(900),
    ];
    for (const payload of forged) await listening.query('SELECT pg_notify($1, $2)', [name, payload]);
    await reachable(one, two);
    expect(new Set(two.heard)).toEqual(new Set(['hello']));

    await listening.query(`SELECT pg_notify('${name}', n::text) FROM generate_series(1, 20000) AS n`);
    await expect.poll(channel).not.toBe(name);
    await expect.poll(() => two.heard).toContain('lost');
    await reachable(one, two);
    await listening.end();
  });
});

/** Resolves once a process hears another. */
async function reachable(from: { readonly signals: Signals }, to: { readonly heard: string[] }) {
  await expect
    .poll(
      () => {
        from.signals.send({ kind: 'person-changed', user: 'hello' });
        return to.heard.at(-1);
      },
      { timeout: 10_000, interval: 100 },
    )
    .toBe('hello');
  // What is still on its way.
  await sleep(200);
}

describe('signals on their way', () => {
  function carried(failures = 0) {
    const texts: string[] = [];
    let left = failures;
    let events: PubSubEvents | undefined;
    const signals = signalsOver(
      (given) => {
        events = given;
        return {
          async send(text) {
            left -= 1;
            if (left >= 0) throw new Error('No connection');
            texts.push(text);
          },
          async close() {},
        };
      },
      'one',
      5,
    );
    opened.push(signals);
    return { signals, texts, receive: (text: string) => events?.received(text) };
  }

  it('share a text, and equal ones are sent once', async () => {
    const { signals, texts } = carried();
    for (const user of ['U1', 'U2', 'U1']) signals.send({ kind: 'person-changed', user });
    await expect.poll(() => texts).toHaveLength(1);
    expect(JSON.parse(texts[0] ?? '')).toEqual({
      from: 'one',
      number: 1,
      signals: [
        { kind: 'person-changed', user: 'U1' },
        { kind: 'person-changed', user: 'U2' },
      ],
    });
  });

  it('fit into what PostgreSQL takes at once', async () => {
    const { signals, texts } = carried();
    for (let n = 0; n < 500; n += 1) signals.send({ kind: 'person-changed', user: `U${n}` });
    await expect.poll(() => texts.flatMap((text) => JSON.parse(text).signals)).toHaveLength(500);
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text.length).toBeLessThan(8000);
  });

  it('are sent again after a failure, in order', async () => {
    const { signals, texts } = carried(2);
    signals.send({ kind: 'person-changed', user: 'U1' });
    await sleep(8);
    signals.send({ kind: 'person-changed', user: 'U2' });
    await expect.poll(() => texts.flatMap((text) => JSON.parse(text).signals)).toHaveLength(2);
    expect(texts.join()).toMatch(/U1.*U2/);
  });

  it('become one that says that some are lost, where there are too many', async () => {
    const { signals, texts } = carried();
    for (let n = 0; n < 2000; n += 1) signals.send({ kind: 'person-changed', user: `U${n}` });
    await expect.poll(() => texts.length).toBeGreaterThan(0);
    expect(texts[0]).toBe('{"from":"one","number":1,"signals":"lost"}');

    const { signals: others, receive } = carried();
    const heard = heardBy(others);
    receive('{"from":"one","number":1,"signals":"lost"}');
    expect(heard).toEqual([]);
    receive('{"from":"two","number":1,"signals":"lost"}');
    expect(heard).toEqual(['lost']);
  });

  it('count once, even if somebody sends them again', () => {
    const { signals, receive } = carried();
    const heard = heardBy(signals);
    const text = (number: number, user: string) =>
      `{"from":"two","number":${number},"signals":[{"kind":"person-changed","user":"${user}"}]}`;
    for (const [number, user] of [
      [1, 'U1'],
      [3, 'U3'],
      [1, 'U1'],
      [3, 'U3'],
      [2, 'U2'],
      [4, 'U4'],
    ] as const)
      receive(text(number, user));
    expect(heard).toEqual(['U1', 'U3', 'U4']);
  });
});
