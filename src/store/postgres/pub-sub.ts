import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../logging/logger.js';
import { applicationName } from './members.js';
import { poolConfig, withPostgres } from './open-postgres.js';

export interface PubSub {
  /** Resolves when the database has taken it. */
  send(text: string): Promise<void>;
  close(): Promise<void>;
}

export interface PubSubEvents {
  /** Called with each text that a process sent, this one included. */
  readonly received: (text: string) => void;
  /** Called once texts arrive again that did not for a while. */
  readonly reconnected: () => void;
}

const reconnectMs = 1_000;

/** A connection that says nothing may be broken without a sign. */
const checkIntervalMs = 10_000;
const queryTimeoutMs = 3_000;

/** After so many payloads of strangers on one connection, the channel gets another name. */
const maxForeign = 100;

/** Everyone who may connect to the database can listen and send. So the name is random, and payloads are sealed. */
interface Channel {
  readonly name: string;
  readonly key: Buffer;
}

/**
 * Sends texts with LISTEN and NOTIFY, over a session of its own: a process that is frozen reads nothing, and PostgreSQL
 * could not end a session in time that waits for its reader. It connects in the background, again and again.
 */
export function openPostgresPubSub(
  url: string,
  process: string,
  { received, reconnected }: PubSubEvents,
  log: Log,
): PubSub {
  const closing = new AbortController();
  let session: { readonly client: pg.Client; readonly channel: Channel } | undefined;

  async function connect(onFlood: () => void): Promise<{ client: pg.Client; channel: Channel }> {
    const client = new pg.Client({
      ...poolConfig(url),
      application_name: applicationName('rollcall signals', process),
      query_timeout: queryTimeoutMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const channel = await channelOf(client);
      let foreign = 0;
      client.on('notification', ({ payload = '' }) => {
        if (foreign > maxForeign) return;
        const text = unseal(payload, channel.key);
        if (text !== undefined) return received(text);
        foreign += 1;
        if (foreign <= maxForeign) return;
        // What is still on its way would keep the event loop busy.
        client.connection.stream.destroy();
        onFlood();
      });
      await client.query(`LISTEN ${channel.name}`);
      return { client, channel };
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }

  /** Resolves when the connection is broken, or when its channel has another name. */
  async function listen(): Promise<void> {
    const ended = new AbortController();
    let isFlooded = false;
    const opened = await connect(() => {
      isFlooded = true;
      ended.abort();
    });
    session = opened;
    const { client, channel } = opened;
    client.once('end', () => ended.abort());
    if (mayHaveMissed) reconnected();
    mayHaveMissed = true;
    const signal = AbortSignal.any([ended.signal, closing.signal]);
    while (!signal.aborted) {
      await sleep(checkIntervalMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      const now = await channelOf(client).catch(() => undefined);
      if (now?.name !== channel.name) ended.abort();
    }
    session = undefined;
    void client.end().catch(() => {});
    if (!isFlooded) return;
    log.warn({}, 'Another program sends to the channel of the processes, so it gets another name');
    await withPostgres(url, (other) => renameChannel(other, channel.name));
  }

  let mayHaveMissed = false;
  async function stayConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch((err: unknown) => {
        log.debug({ err }, 'The connection for signals between processes could not be opened');
        mayHaveMissed = true;
      });
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const done = stayConnected();

  return {
    async send(text) {
      if (!session) throw new Error('There is no connection for signals');
      const { client, channel } = session;
      await client.query('SELECT pg_notify($1, $2)', [channel.name, seal(text, channel.key)]);
    },
    async close() {
      closing.abort();
      // A connection that is still being opened is left to its time-out.
      if (session) await done;
    },
  };
}

const newName = () => `r${randomBytes(16).toString('hex')}`;
const keyBytes = 32;

/** The first process makes it. No other role can read the table. */
async function channelOf(client: pg.Client): Promise<Channel> {
  const read = () =>
    client.query<{ name: string; secret: string }>('SELECT name, secret FROM rollcall_channel');
  let [row] = (await read()).rows;
  if (!row) {
    await client.query(
      'INSERT INTO rollcall_channel (id, name, secret) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING',
      [newName(), randomBytes(keyBytes).toString('hex')],
    );
    [row] = (await read()).rows;
  }
  if (!row) throw new Error('The channel of the processes is missing');
  return { name: row.name, key: Buffer.from(row.secret, 'hex') };
}

/** Several processes may notice at once, and the name changes once. */
async function renameChannel(client: pg.Client, from: string): Promise<void> {
  await client.query('UPDATE rollcall_channel SET name = $1 WHERE name = $2', [newName(), from]);
}

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

function seal(text: string, key: Buffer): string {
  const iv = randomBytes(ivBytes);
  const sealing = createCipheriv(cipher, key, iv, { authTagLength: tagBytes });
  const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
  return Buffer.concat([iv, sealing.getAuthTag(), sealed]).toString('base64');
}

/** Undefined for what no process of Rollcall has sealed. */
function unseal(payload: string, key: Buffer): string | undefined {
  try {
    const bytes = Buffer.from(payload, 'base64');
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return opening.update(bytes.subarray(ivBytes + tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return undefined;
  }
}
