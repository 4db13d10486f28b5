import type { Log } from '../../logging/logger.js';
import { isPermanentError, type SlackClients, slackErrorCode } from './clients.js';
import { openSocketConnection, type SocketConnection } from './socket-connection.js';
import { retryDelayMs, SlackTokenRefused, type Sleep, type Transport } from './transport.js';

export interface SocketTransportParts {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly clients: SlackClients;
  readonly log: Log;
  readonly sleep: Sleep;
}

/** Slack's envelopes come through two WebSockets. Opening it throws SlackTokenRefused. */
export function socketTransport({ appToken, apiUrl, clients, log, sleep }: SocketTransportParts): Transport {
  const { fetch, tunnels } = clients;
  let connections: ReturnType<typeof createSocketPool> | undefined;
  const standing = () => connections?.open() ?? 0;

  return {
    // Each connection has a receiver of its own, which lives as long as the connection.
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
    state: () => ({ mode: 'socket', ready: standing() > 0, connections: standing() }),
  };
}

/** Several connections to Slack, each replaced as it ends. */
interface SocketPool {
  /**
   * Resolves when the first one stands, however long that takes.
   *
   * @throws SlackTokenRefused
   */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Sends an acknowledgement through whichever connection stands. False where none does. */
  acknowledge(envelopeId: string, answer: unknown): boolean;
  /** How many stand. */
  open(): number;
}

/** One renewal after the other leaves a gap; two connections are seldom renewed within the same second. */
const poolSize = 2;

/**
 * How long a connection of which Slack gave notice is left for Slack to close. Whatever Slack sends before it closes
 * arrives; what is on its way while we close is lost.
 */
const lingerMs = 30_000;

/** Connections that end sooner than this, one after the other, are a fault rather than renewals. */
const shortLifeMs = 5000;
const maxShortLives = 5;

const closeTimeoutMs = 1000;

function createSocketPool(
  open: (signal: AbortSignal) => Promise<SocketConnection>,
  log: Log,
  sleep: Sleep,
): SocketPool {
  const standing = new Set<SocketConnection>();
  const stopping = new AbortController();
  let slots: Promise<void>[] = [];

  /** Keeps one connection after the other, for as long as the program runs. */
  async function keepOne(onOpen: () => void, onRefusal: (error: SlackTokenRefused) => void) {
    let failures = 0;
    let shortLives = 0;
    let before: SocketConnection | undefined;
    let beforeThat: SocketConnection | undefined;
    while (!stopping.signal.aborted) {
      try {
        const connection = await open(stopping.signal);
        if (stopping.signal.aborted) return connection.close(closeTimeoutMs);
        const since = performance.now();
        welcome(connection);
        onOpen();
        beforeThat?.close(closeTimeoutMs);
        if (before) closeLater(before);
        [beforeThat, before] = [before, connection];
        const how = await connection.ending;
        log.debug({ how }, 'A connection to Slack is ending');
        if (how === 'lost') giveUp(connection);
        failures = 0;
        shortLives = performance.now() - since < shortLifeMs ? shortLives + 1 : 0;
        if (shortLives > maxShortLives) await pause(shortLives - maxShortLives);
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        if (isPermanentError(error))
          onRefusal(new SlackTokenRefused('SLACK_APP_TOKEN', slackErrorCode(error)));
        log.warn({ err: error, standing: standing.size }, 'A connection to Slack could not be opened');
        await pause(failures, error);
      }
    }
  }

  function welcome(connection: SocketConnection): void {
    standing.add(connection);
    connection.closed.then(() => standing.delete(connection));
  }

  /** Nothing comes through it, although it may take a while to be closed. */
  function giveUp(connection: SocketConnection): void {
    standing.delete(connection);
    connection.close(closeTimeoutMs);
  }

  async function closeLater(connection: SocketConnection): Promise<void> {
    const timer = setTimeout(() => connection.close(closeTimeoutMs), lingerMs);
    await connection.closed;
    clearTimeout(timer);
  }

  async function pause(failures: number, error?: unknown): Promise<void> {
    await sleep(retryDelayMs(failures, error), stopping.signal).catch(() => {});
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all([...standing].map((connection) => connection.close(closeTimeoutMs)));
    await Promise.all(slots);
  }

  return {
    async start() {
      const first = new Promise<void>((resolve, reject) => {
        slots = Array.from({ length: poolSize }, () => keepOne(resolve, reject));
      });
      await first.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },
    stop,
    acknowledge: (envelopeId, answer) =>
      [...standing].some((connection) => connection.acknowledge(envelopeId, answer)),
    open: () => standing.size,
  };
}
