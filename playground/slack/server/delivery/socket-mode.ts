import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DeliveryResult, Envelope, Transport } from './delivery.js';

/** The part of a server-side WebSocket that is used here. */
export interface ServerSocket {
  readonly readyState: number;
  send(text: string): void;
  ping(): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: 'message', listener: (data: Buffer) => void): void;
  on(event: 'close' | 'pong', listener: () => void): void;
}

const openState = 1;
const maxConnections = 10;
const ticketLifetimeMs = 30_000;
const pingIntervalMs = 10_000;
const debugConnectionSeconds = 360;
/** Milliseconds between the warning and the end of a connection. */
const warnBeforeEndMs = 10_000;

interface Connection {
  readonly socket: ServerSocket;
  /** The warning was sent. Slack keeps using a connection until it ends. */
  warned: boolean;
  /** The end was requested. Nothing more is sent. */
  ending: boolean;
  readonly waiting: Map<string, (receipt: DeliveryResult) => void>;
}

export interface SocketMode extends Transport {
  /** A one-time URL for a new connection, as in `apps.connections.open`. */
  newUrl(origin: string, debugReconnects: boolean): string;
  /** Number of connections that can receive now. */
  connections(): number;
  /** Called when that number changes. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /**
   * Renews connections: `warning` first, then `refresh_requested` and the end after `warnMs`.
   * @param count number of connections, oldest first; all by default
   */
  renew(count?: number, warnMs?: number): void;
  stop(): void;
}

export interface SocketModeOptions {
  readonly appId: string;
  /** Milliseconds that the bot has to acknowledge. */
  readonly ackMs: number;
  /** Seconds after which a connection is renewed. */
  readonly connectionSeconds: number;
}

/** Serves the WebSocket of Socket Mode at `/link`. */
export function serveSocketMode(server: FastifyInstance, options: SocketModeOptions): SocketMode {
  const tickets = new Map<string, { until: number; seconds: number }>();
  const connections: Connection[] = [];
  const listeners = new Set<() => void>();
  const timers = new Set<NodeJS.Timeout>();
  let nextIndex = 0;

  const usable = () => connections.filter((one) => !one.ending && one.socket.readyState === openState);
  const notifyChange = () => {
    for (const listener of [...listeners]) listener();
  };
  const schedule = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };

  server.get('/link', { websocket: true }, (socket: ServerSocket, request: FastifyRequest) => {
    const { ticket } = request.query as { ticket?: string };
    const granted = tickets.get(ticket ?? '');
    tickets.delete(ticket ?? '');
    if (!granted || granted.until < Date.now()) return socket.close(4004, 'unknown ticket');
    if (connections.length >= maxConnections) {
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      return socket.close(1008, 'too many connections');
    }
    accept(socket, granted.seconds);
  });

  function accept(socket: ServerSocket, seconds: number) {
    const connection: Connection = { socket, warned: false, ending: false, waiting: new Map() };
    connections.push(connection);
    socket.on('message', (data) => handleAcknowledgement(connection, data.toString()));
    socket.on('close', () => {
      connections.splice(connections.indexOf(connection), 1);
      for (const settle of connection.waiting.values())
        settle({ ok: false, error: 'dispatch_failed', reason: 'connection_failed' });
      notifyChange();
    });
    socket.send(JSON.stringify(hello(seconds)));
    schedule(Math.max(0, seconds * 1000 - warnBeforeEndMs), () => renewOne(connection, warnBeforeEndMs));
    notifyChange();
  }

  const hello = (seconds: number) => ({
    type: 'hello',
    num_connections: connections.length,
    connection_info: { app_id: options.appId },
    debug_info: {
      host: 'local-slack',
      started: new Date().toISOString(),
      build_number: 1,
      approximate_connection_time: seconds,
    },
  });

  function renewOne(connection: Connection, warnMs: number) {
    if (connection.warned || connection.socket.readyState !== openState) return;
    connection.warned = true;
    sendDisconnect(connection, 'warning');
    schedule(warnMs, () => {
      connection.ending = true;
      sendDisconnect(connection, 'refresh_requested');
      connection.socket.close(1000);
      notifyChange();
    });
  }

  function sendDisconnect({ socket }: Connection, reason: string) {
    if (socket.readyState !== openState) return;
    socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'local-slack' } }));
  }

  function handleAcknowledgement(connection: Connection, text: string) {
    let answer: { envelope_id?: string; payload?: unknown };
    try {
      answer = JSON.parse(text);
    } catch {
      return;
    }
    const settle = connection.waiting.get(answer.envelope_id ?? '');
    // Clients send an empty answer as {}.
    settle?.({ ok: true, answer: isEmpty(answer.payload) ? undefined : answer.payload });
  }

  function send({ type, payload, retry }: Envelope): Promise<DeliveryResult> {
    const candidates = usable();
    nextIndex += 1;
    const connection = candidates[nextIndex % Math.max(1, candidates.length)];
    if (!connection) return Promise.resolve({ ok: false, error: 'dispatch_failed', reason: 'no connection' });
    const envelope_id = randomUUID();
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => settle({ ok: false, error: 'operation_timeout', reason: 'timeout' }),
        options.ackMs,
      );
      const settle = (receipt: DeliveryResult) => {
        clearTimeout(timer);
        connection.waiting.delete(envelope_id);
        resolve(receipt);
      };
      connection.waiting.set(envelope_id, settle);
      connection.socket.send(
        JSON.stringify({
          envelope_id,
          type,
          payload,
          accepts_response_payload: type !== 'events_api',
          retry_attempt: retry?.attempt,
          retry_reason: retry?.reason,
        }),
      );
    });
  }

  const pings = setInterval(() => {
    for (const { socket } of connections) if (socket.readyState === openState) socket.ping();
  }, pingIntervalMs);

  return {
    send,
    newUrl(origin, debugReconnects) {
      const ticket = randomBytes(18).toString('base64url');
      const seconds = debugReconnects ? debugConnectionSeconds : options.connectionSeconds;
      tickets.set(ticket, { until: Date.now() + ticketLifetimeMs, seconds });
      return `${origin.replace(/^http/, 'ws')}/link?ticket=${ticket}&app_id=${options.appId}`;
    },
    connections: () => usable().length,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    renew(count = connections.length, warnMs = warnBeforeEndMs) {
      for (const connection of usable().slice(0, count)) renewOne(connection, warnMs);
    },
    stop() {
      clearInterval(pings);
      for (const timer of timers) clearTimeout(timer);
      for (const { socket } of [...connections]) socket.terminate();
    },
  };
}

function isEmpty(payload: unknown): boolean {
  return (
    payload === undefined ||
    payload === null ||
    (typeof payload === 'object' && Object.keys(payload).length === 0)
  );
}
