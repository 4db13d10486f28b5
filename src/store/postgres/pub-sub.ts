import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../logging/logger.js';
import type { PubSub, PubSubEvents } from '../signals.js';
import { poolConfig } from './open-postgres.js';

const reconnectMs = 1_000;

/** A connection that says nothing may be broken without a sign. */
const checkIntervalMs = 10_000;
const queryTimeoutMs = 3_000;

/**
 * Sends texts with LISTEN and NOTIFY, over a session of its own: a process that is frozen reads nothing, and PostgreSQL
 * could not end a session in time that waits for its reader. It connects in the background, again and again.
 */
export function openPostgresPubSub(url: string, { received, reconnected }: PubSubEvents, log: Log): PubSub {
  const closing = new AbortController();
  let session: { readonly client: pg.Client; readonly channel: string } | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...poolConfig(url),
      application_name: 'rollcall signals',
      query_timeout: queryTimeoutMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      // Channels belong to a database, and each schema has processes of its own.
      const { rows } = await client.query<{ channel: string }>(
        "SELECT 'rollcall_' || md5(current_setting('search_path')) AS channel",
      );
      const channel = rows[0]?.channel ?? '';
      client.on('notification', ({ payload = '' }) => received(payload));
      await client.query(`LISTEN ${channel}`);
      session = { client, channel };
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
  }

  /** Resolves when the connection is broken. */
  async function untilBroken(client: pg.Client): Promise<void> {
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    const signal = AbortSignal.any([ended.signal, closing.signal]);
    while (!signal.aborted) {
      await sleep(checkIntervalMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) break;
      await client.query('SELECT 1').catch(() => ended.abort());
    }
    session = undefined;
    void client.end().catch(() => {});
  }

  async function stayConnected(): Promise<void> {
    let mayHaveMissed = false;
    while (!closing.signal.aborted) {
      try {
        const client = await connect();
        if (mayHaveMissed) reconnected();
        mayHaveMissed = true;
        await untilBroken(client);
      } catch (err) {
        log.debug({ err }, 'The connection for signals between processes could not be opened');
        mayHaveMissed = true;
      }
      await sleep(reconnectMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const done = stayConnected();

  return {
    async send(text) {
      if (!session) throw new Error('There is no connection for signals');
      await session.client.query('SELECT pg_notify($1, $2)', [session.channel, text]);
    },
    async close() {
      closing.abort();
      // A connection that is still being opened is left to its time-out.
      if (session) await done;
    },
  };
}
