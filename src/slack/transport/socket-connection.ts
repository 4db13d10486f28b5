import { type App, SocketModeReceiver } from '@slack/bolt';
import type { FetchFunction } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import type { Log } from '../../logging/logger.js';
import { withTimeLimit } from '../../time/clock.js';
import { boltLog } from './clients.js';
import type { DeliveryProperties } from './event-filter.js';
import { orAborted } from './transport.js';

interface SocketConnectionParts {
  /** Handles the deliveries. */
  readonly app: App;
  readonly appToken: string;
  readonly apiUrl: string;
  readonly fetch: FetchFunction;
  readonly tunnels: Dispatcher;
  readonly log: Log;
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
export async function openSocketConnection(parts: SocketConnectionParts, signal: AbortSignal) {
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

export type SocketConnection = Awaited<ReturnType<typeof openSocketConnection>>;

type Client = SocketModeReceiver['client'];

function receiverFor({ app, appToken, apiUrl, fetch, tunnels, log }: SocketConnectionParts) {
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
