import { Failure } from '../../errors/failure.js';
import type { Log } from '../../logging/logger.js';
import { isPermanentError, type SlackClients, slackErrorCode } from './clients.js';
import { openSocketConnection, type SocketConnection } from './socket-connection.js';
import { retryDelayMs, type Sleep, type Transport } from './transport.js';

/** Receives Slack's envelopes through two WebSockets. `open` throws `slack-token-refused`. */
export function socketTransport(
  appToken: string,
  apiUrl: string,
  { fetch, tunnels }: Pick<SlackClients, 'fetch' | 'tunnels'>,
  sleep: Sleep,
  log: Log,
): Transport {
  let connections: ReturnType<typeof createSocketPool> | undefined;
  const openConnections = () => connections?.open() ?? 0;

  return {
    // Each connection has its own receiver, for as long as it is open.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },

    async open(app) {
      const parts = { app, appToken, apiUrl, fetch, tunnels, log };
      connections = createSocketPool((signal) => openSocketConnection(parts, signal), log, sleep);
      await connections.start();
    },

    async close(listenersDone) {
      await listenersDone;
      await connections?.stop();
    },

    acknowledge: (envelopeId, answer) => connections?.acknowledge(envelopeId, answer) ?? false,
    state: () => ({ mode: 'socket', ready: openConnections() > 0, connections: openConnections() }),
  };
}

/** One connection would leave a gap while Slack renews it. Two are rarely renewed within the same second. */
const poolSize = 2;

/**
 * How long a connection stays open after Slack announced its end, in milliseconds. Deliveries that are on their way
 * when we close it are lost.
 */
const closeDelayMs = 30_000;

/** Connections that end sooner than this, repeatedly, are failures rather than renewals. */
const shortLifeMs = 5000;
const maxShortLives = 5;

const closeTimeoutMs = 1000;

/** A pool of connections to Slack. Each one is replaced when it ends. */
function createSocketPool(open: (signal: AbortSignal) => Promise<SocketConnection>, log: Log, sleep: Sleep) {
  const openConnections = new Set<SocketConnection>();
  const stopping = new AbortController();
  let slots: Promise<void>[] = [];

  /** Keeps one connection open until the pool stops. */
  async function keepConnected(onOpen: () => void, onRefusal: (error: Failure) => void) {
    let failures = 0;
    let shortLives = 0;
    let previous: SocketConnection | undefined;
    let previousToLast: SocketConnection | undefined;
    while (!stopping.signal.aborted) {
      try {
        const connection = await open(stopping.signal);
        if (stopping.signal.aborted) return connection.close(closeTimeoutMs);
        const since = performance.now();
        add(connection);
        onOpen();
        previousToLast?.close(closeTimeoutMs);
        if (previous) closeLater(previous);
        [previousToLast, previous] = [previous, connection];
        const how = await connection.ending;
        log.debug({ how }, 'A connection to Slack is ending');
        if (how === 'lost') drop(connection);
        failures = 0;
        shortLives = performance.now() - since < shortLifeMs ? shortLives + 1 : 0;
        if (shortLives > maxShortLives) await pause(shortLives - maxShortLives);
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        if (isPermanentError(error))
          onRefusal(
            new Failure('slack-token-refused', {
              variable: 'SLACK_APP_TOKEN',
              reason: slackErrorCode(error),
            }),
          );
        log.warn(
          { err: error, openConnections: openConnections.size },
          'A connection to Slack could not be opened',
        );
        await pause(failures, error);
      }
    }
  }

  function add(connection: SocketConnection): void {
    openConnections.add(connection);
    connection.closed.then(() => openConnections.delete(connection));
  }

  /** Drops a lost connection. Closing it may take a while. */
  function drop(connection: SocketConnection): void {
    openConnections.delete(connection);
    connection.close(closeTimeoutMs);
  }

  async function closeLater(connection: SocketConnection): Promise<void> {
    const timer = setTimeout(() => connection.close(closeTimeoutMs), closeDelayMs);
    await connection.closed;
    clearTimeout(timer);
  }

  async function pause(failures: number, error?: unknown): Promise<void> {
    await sleep(retryDelayMs(failures, error), stopping.signal).catch(() => {});
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all([...openConnections].map((connection) => connection.close(closeTimeoutMs)));
    await Promise.all(slots);
  }

  return {
    /** Resolves when the first connection is open, however long that takes. @throws `slack-token-refused` */
    async start() {
      const first = new Promise<void>((resolve, reject) => {
        slots = Array.from({ length: poolSize }, () => keepConnected(resolve, reject));
      });
      await first.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },
    stop,
    /** Acknowledges an envelope through any open connection. False if none is open. */
    acknowledge: (envelopeId: string, answer: unknown) =>
      [...openConnections].some((connection) => connection.acknowledge(envelopeId, answer)),
    open: () => openConnections.size,
  };
}
