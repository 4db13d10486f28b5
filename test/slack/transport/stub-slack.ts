import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { parse as parseForm } from 'node:querystring';
import websocket, { type WebSocket } from '@fastify/websocket';
import fastify from 'fastify';

/** The stub's response to a method of the Web API; it may be an HTTP status. */
type Answer = Record<string, unknown> & { readonly status?: number };

export interface StubSlack {
  /** The URL of the Web API, ending in a slash. */
  readonly apiUrl: string;
  /** The number of calls of each method. */
  readonly calls: Record<string, number>;
  /** Sets the response of a method. */
  answer(method: string, answer: (form: Record<string, unknown>) => Answer): void;
  /** The scopes of the bot's token; tests may change them. */
  readonly scopes: string[];
  /** The open sockets. */
  readonly sockets: Set<WebSocket>;
  /** Sends an envelope through one of the sockets, in turn. Returns its ID. */
  deliver(type: string, payload: unknown, envelopeId?: string, more?: Record<string, unknown>): string;
  /** Acknowledgements by envelope, in order of arrival. */
  readonly acks: Map<string, unknown[]>;
  /** Announces the end of a socket, uses it until another one is open, and closes it. */
  renew(socket: WebSocket): Promise<void>;
  close(): Promise<void>;
}

/** A minimal stub of Slack: no rules and no state, but real sockets. */
export async function startStubSlack(): Promise<StubSlack> {
  const server = fastify({ forceCloseConnections: true });
  await server.register(websocket);
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, parseForm(String(body))),
  );
  const sockets = new Set<WebSocket>();
  const acks = new Map<string, unknown[]>();
  const calls: Record<string, number> = {};
  const answers = new Map<string, (form: Record<string, unknown>) => Answer>();
  const scopes = ['commands', 'chat:write'];
  let turn = 0;
  let address = '';

  server.post<{ Params: { method: string }; Body: Record<string, unknown> }>(
    '/api/:method',
    async (request, reply) => {
      const { method } = request.params;
      calls[method] = (calls[method] ?? 0) + 1;
      const { status = 200, ...body } = answers.get(method)?.(request.body) ?? { ok: true };
      if (status === 429) reply.header('retry-after', '1');
      reply.header('x-oauth-scopes', scopes.join(','));
      return reply.code(status).send(body);
    },
  );
  server.get('/link', { websocket: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (data: unknown) => {
      const { envelope_id: id, payload } = JSON.parse(String(data));
      acks.set(id, [...(acks.get(id) ?? []), payload]);
    });
    socket.send(JSON.stringify({ type: 'hello', num_connections: sockets.size }));
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  address = `127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  answers.set('auth.test', () => ({
    ok: true,
    team_id: 'T1',
    user_id: 'UBOT',
    bot_id: 'BBOT',
    url: 'https://x.slack.com/',
  }));
  answers.set('apps.connections.open', () => ({ ok: true, url: `ws://${address}/link` }));

  return {
    apiUrl: `http://${address}/api/`,
    calls,
    answer: (method, answer) => answers.set(method, answer),
    scopes,
    sockets,
    acks,
    deliver(type, payload, envelopeId = randomUUID(), more = {}) {
      const open = [...sockets].filter((socket) => socket.readyState === socket.OPEN);
      turn += 1;
      const socket = open[turn % open.length];
      if (!socket) throw new Error('Nobody is connected, so this would be lost');
      socket.send(JSON.stringify({ type, payload, envelope_id: envelopeId, ...more }));
      return envelopeId;
    },
    async renew(socket) {
      const standing = sockets.size;
      const closed = once(socket, 'close');
      socket.send(JSON.stringify({ type: 'disconnect', reason: 'warning', debug_info: {} }));
      while (sockets.size <= standing) await new Promise((resolve) => setTimeout(resolve, 5));
      socket.close(1000);
      await closed;
    },
    close: () => server.close(),
  };
}

/** Slack's payload for a slash command. */
export function commandPayload(text: string, changes: Record<string, unknown> = {}) {
  return {
    command: '/report',
    text,
    team_id: 'T1',
    channel_id: 'C1',
    user_id: 'U1',
    trigger_id: randomUUID(),
    response_url: 'http://127.0.0.1:9/never',
    ...changes,
  };
}

/** Headers and body of a form, with Slack's signature. */
export function signedForm(
  secret: string,
  form: Record<string, unknown>,
  timestamp = Math.floor(Date.now() / 1000),
) {
  const body = new URLSearchParams(
    Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signatureOf(secret, body, timestamp),
    },
    body,
  };
}

/** Headers and body of a JSON payload, with Slack's signature. */
export function signedJson(secret: string, value: unknown, timestamp = Math.floor(Date.now() / 1000)) {
  const body = JSON.stringify(value);
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signatureOf(secret, body, timestamp),
    },
    body,
  };
}

function signatureOf(secret: string, body: string, timestamp: number): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}
