import { type App, SocketModeReceiver } from '@slack/bolt';
import { Failure } from '../../errors/failure.js';
import type { Log } from '../../logging/logger.js';
import { withTimeLimit } from '../../time/clock.js';
import { boltLog, isPermanentError, type SlackClients, slackErrorCode } from './clients.js';
import type { DeliveryProperties } from './delivery.js';
import { orAborted, retryDelayMs, type Sleep, type Transport } from './transport.js';

interface SocketParts extends Pick<SlackClients, 'fetch' | 'tunnels'> {
  /** Handles the deliveries. */
  readonly app: App;
  readonly appToken: string;
  readonly apiUrl: string;
  readonly log: Log;
}

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
      connections = createSocketPool({ app, appToken, apiUrl, fetch, tunnels, log }, sleep);
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
function createSocketPool(parts: SocketParts, sleep: Sleep) {
  const { log } = parts;
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
        const connection = await openSocketConnection(parts, stopping.signal);
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

/** Interval of checks whether a connection is active, in milliseconds. */
const checkIntervalMs = 1000;

/** Time from the request for a URL to Slack's hello, in milliseconds. */
const helloTimeoutMs = 20_000;

/**
 * Opens one connection. It does not reconnect: when a reconnect fails, the library loses the error, and Node ends the
 * process.
 *
 * @throws the client's error if `apps.connections.open` fails; an error if no hello arrives
 */
async function openSocketConnection(parts: SocketParts, signal: AbortSignal) {
  const { client } = receiverFor(parts);
  const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
  const noticed = new Promise<'renewal'>((resolve) => keepOpenOnNotice(client, () => resolve('renewal')));
  await waitForHello(client, signal);
  return {
    /** Resolves when a new connection is needed: Slack is about to close this one, or it was lost. */
    ending: Promise.race([noticed, waitUntilLost(client, closed)]),
    closed,
    /** Acknowledges an envelope of any connection. False if nothing can be sent. */
    acknowledge: (envelopeId: string, answer: unknown) => acknowledge(client, envelopeId, answer),
    /** Closes the connection, by force if Slack does not reply within this many milliseconds. */
    close: (withinMs: number) => close(client, closed, withinMs),
  };
}

type SocketConnection = Awaited<ReturnType<typeof openSocketConnection>>;

type Client = SocketModeReceiver['client'];

function receiverFor({ app, appToken, apiUrl, fetch, tunnels, log }: SocketParts) {
  const receiver = new SocketModeReceiver({
    appToken,
    dispatcher: tunnels,
    logger: boltLog(log, 'warn'),
    autoReconnectEnabled: false,
    installerOptions: {
      clientOptions: {
        slackApiUrl: apiUrl,
        fetch,
        timeout: 10_000,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
      },
    },
    customPropertiesExtractor: ({ envelope_id: envelopeId }): DeliveryProperties => ({ envelopeId }),
  });
  receiver.init(app);
  return receiver;
}

async function waitForHello(client: Client, signal: AbortSignal): Promise<void> {
  const late = withTimeLimit(helloTimeoutMs, signal);
  const started = client.start().catch((error: unknown) => {
    throw error ?? new Error('Slack closed a connection before saying hello');
  });
  try {
    await orAborted(started, late);
  } catch (error) {
    client.disconnect();
    throw error;
  }
}

/**
 * The library closes a connection as soon as Slack announces its end. Slack still delivers through it for a while, so
 * it stays open until the next one is open.
 */
function keepOpenOnNotice(client: Client, onNotice: () => void): void {
  const handlers = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    if (isDisconnectNotice(data)) return onNotice();
    for (const handle of handlers) handle(data, isBinary);
  });
}

function isDisconnectNotice(data: unknown): boolean {
  if (typeof data !== 'string' || !data.includes('"disconnect"')) return false;
  try {
    const message: unknown = JSON.parse(data);
    return (
      typeof message === 'object' && message !== null && 'type' in message && message.type === 'disconnect'
    );
  } catch {
    return false;
  }
}

/** A connection without replies to pings is closed, but the library waits half a minute more before it reports that. */
async function waitUntilLost(client: Client, closed: Promise<void>): Promise<'lost'> {
  let timer: NodeJS.Timeout | undefined;
  let wasActive = false;
  const inactive = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      const active = client.websocket?.isActive() ?? false;
      if (wasActive && !active) resolve();
      wasActive = active;
    }, checkIntervalMs);
  });
  await Promise.race([inactive, closed]);
  clearInterval(timer);
  return 'lost';
}

function acknowledge({ websocket }: Client, envelopeId: string, answer: unknown): boolean {
  if (!websocket?.isActive()) return false;
  let sent = true;
  websocket.send(JSON.stringify({ envelope_id: envelopeId, payload: answer ?? {} }), (error) => {
    sent = error === undefined;
  });
  return sent;
}

async function close(client: Client, closed: Promise<void>, withinMs: number): Promise<void> {
  if (client.websocket === undefined) return;
  client.disconnect();
  // On the second call the library does not wait for a reply.
  const timer = setTimeout(() => client.disconnect(), withinMs);
  await closed;
  clearTimeout(timer);
}
