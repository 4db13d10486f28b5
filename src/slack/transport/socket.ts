import { type App, SocketModeReceiver } from '@slack/bolt';
import { Failure } from '../../errors/failure.js';
import type { Log } from '../../logging/logger.js';
import { withTimeLimit } from '../../time/clock.js';
import { boltLog, isPermanentError, type SlackClients, slackErrorCode } from '../delivery/clients.js';
import type { DeliveryProperties } from './deliveries.js';
import { orAborted, retryDelayMs, type Sleep, type Transport } from './transport.js';

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

/** A connection is closed by force if Slack does not reply within this time. */
const closeTimeoutMs = 1000;

interface SocketParts extends Pick<SlackClients, 'fetch' | 'tunnels'> {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly sleep: Sleep;
  readonly log: Log;
}

/** Receives Slack's envelopes through two WebSockets, each of which is replaced when it ends. */
export function socketTransport(parts: SocketParts): Transport {
  const { sleep, log } = parts;
  const openConnections = new Set<SocketConnection>();
  const stopping = new AbortController();
  let slots: Promise<void>[] = [];

  /** Keeps one connection open until the transport closes. */
  async function keepConnected(app: App, onOpen: () => void, onRefusal: (error: Failure) => void) {
    let failures = 0;
    let shortLives = 0;
    let previous: SocketConnection | undefined;
    let previousToLast: SocketConnection | undefined;
    while (!stopping.signal.aborted) {
      try {
        const connection = await openSocketConnection(app, parts, stopping.signal);
        if (stopping.signal.aborted) return connection.close();
        const since = performance.now();
        openConnections.add(connection);
        connection.closed.then(() => openConnections.delete(connection));
        onOpen();
        previousToLast?.close();
        if (previous) closeLater(previous);
        [previousToLast, previous] = [previous, connection];
        const how = await connection.ending;
        log.debug({ how }, 'A connection to Slack is ending');
        if (how === 'lost') {
          // Closing it may take a while.
          openConnections.delete(connection);
          connection.close();
        }
        failures = 0;
        shortLives = performance.now() - since < shortLifeMs ? shortLives + 1 : 0;
        if (shortLives > maxShortLives) await pause(shortLives - maxShortLives);
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        const facts = { variable: 'SLACK_APP_TOKEN' as const, reason: slackErrorCode(error) };
        if (isPermanentError(error)) onRefusal(new Failure('slack-token-refused', facts));
        const details = { err: error, openConnections: openConnections.size };
        log.warn(details, 'A connection to Slack could not be opened');
        await pause(failures, error);
      }
    }
  }

  async function pause(failures: number, error?: unknown): Promise<void> {
    await sleep(retryDelayMs(failures, error), stopping.signal).catch(() => {});
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await Promise.all([...openConnections].map((connection) => connection.close()));
    await Promise.all(slots);
  }

  return {
    // Each connection has its own receiver, for as long as it is open.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },

    /** Resolves when the first connection is open, however long that takes. @throws `slack-token-refused` */
    async open(app) {
      const first = new Promise<void>((resolve, reject) => {
        slots = Array.from({ length: poolSize }, () => keepConnected(app, resolve, reject));
      });
      await first.catch(async (error: unknown) => {
        await stop();
        throw error;
      });
    },

    async close(listenersDone) {
      await listenersDone;
      await stop();
    },

    acknowledge: (envelopeId, answer) =>
      [...openConnections].some((connection) => connection.acknowledge(envelopeId, answer)),
    state: () => ({ mode: 'socket', ready: openConnections.size > 0, connections: openConnections.size }),
  };
}

async function closeLater(connection: SocketConnection): Promise<void> {
  const timer = setTimeout(connection.close, closeDelayMs);
  await connection.closed;
  clearTimeout(timer);
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
async function openSocketConnection(app: App, parts: SocketParts, signal: AbortSignal) {
  const receiver = receiverFor(parts);
  receiver.init(app);
  const { client } = receiver;
  const closed = new Promise<void>((resolve) => client.once('disconnected', () => resolve()));
  const noticed = new Promise<'renewal'>((resolve) => keepOpenOnNotice(client, () => resolve('renewal')));
  await waitForHello(client, signal);
  return {
    /** Resolves when a new connection is needed: Slack is about to close this one, or it was lost. */
    ending: Promise.race([noticed, waitUntilLost(client, closed)]),
    closed,
    /** Acknowledges an envelope of any connection. False if nothing can be sent. */
    acknowledge: (envelopeId: string, answer: unknown) => acknowledge(client, envelopeId, answer),
    close: () => close(client, closed),
  };
}

type SocketConnection = Awaited<ReturnType<typeof openSocketConnection>>;

type Client = SocketModeReceiver['client'];

function receiverFor({ appToken, apiUrl, fetch, tunnels, log }: SocketParts) {
  return new SocketModeReceiver({
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
    if (typeof data === 'string' && data.includes('"disconnect"') && isDisconnectNotice(data))
      return onNotice();
    for (const handle of handlers) handle(data, isBinary);
  });
}

function isDisconnectNotice(data: string): boolean {
  try {
    const message: { readonly type?: unknown } | null = JSON.parse(data);
    return message?.type === 'disconnect';
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

async function close(client: Client, closed: Promise<void>): Promise<void> {
  if (client.websocket === undefined) return;
  client.disconnect();
  // On the second call the library does not wait for a reply.
  const timer = setTimeout(() => client.disconnect(), closeTimeoutMs);
  await closed;
  clearTimeout(timer);
}
