import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** The server's behaviour for one request. */
export type Behaviour = (response: ServerResponse, socket: Socket) => void | Promise<void>;

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when either side has closed the connection of this request. */
  readonly disconnected: Promise<void>;
}

export interface FaultServer {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  /** The number of connections so far. */
  readonly connections: number;
  /** Sets the behaviours for the next requests, in order. */
  behave(...behaviours: readonly Behaviour[]): void;
  /** Sets the behaviour for all further requests. The default is status 599. */
  always(behaviour: Behaviour): void;
  /** Resolves when that many requests have arrived. */
  reached(requests: number): Promise<void>;
  /** Closes idle connections. */
  dropIdle(): void;
  close(): Promise<void>;
}

/** A service with configurable faults, on its own port. */
export async function openFaultServer(): Promise<FaultServer> {
  const behaviours: Behaviour[] = [];
  let usual = status(599);
  const seen: Seen[] = [];
  const waiting: { requests: number; resolve: () => void }[] = [];
  const closings = new WeakMap<Socket, Promise<void>>();
  let connections = 0;

  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const socket = request.socket;
    const disconnected = closings.get(socket) ?? Promise.resolve();
    const { method = '', url = '', headers } = request;
    seen.push({ method, path: url, headers, body: await textOf(request), disconnected });
    for (const { requests, resolve } of waiting) if (seen.length >= requests) resolve();
    const behaviour = behaviours.shift() ?? usual;
    await behaviour(response, socket);
  });
  server.on('connection', (socket) => {
    connections += 1;
    closings.set(socket, new Promise((resolve) => socket.once('close', () => resolve())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    get connections() {
      return connections;
    },
    behave: (...more) => {
      behaviours.push(...more);
    },
    always: (behaviour) => {
      usual = behaviour;
    },
    reached: (requests) =>
      new Promise((resolve) => {
        if (seen.length >= requests) resolve();
        else waiting.push({ requests, resolve });
      }),
    dropIdle: () => server.closeIdleConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** Answers with a complete body. */
export function answer(body: string | Buffer, headers: Record<string, string> = {}, code = 200): Behaviour {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(body);
  };
}

export function status(code: number, body: unknown = {}, headers: Record<string, string> = {}): Behaviour {
  return answer(typeof body === 'string' ? body : JSON.stringify(body), headers, code);
}

/** Sends pieces with pauses, and leaves the answer open. */
export function pieces(...texts: readonly (string | Buffer)[]): Behaviour {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const text of texts) {
      response.write(text);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
}

/** Never answers. */
export const silent: Behaviour = () => {};

/** Closes the connection, after some bytes of a body if there are any. `reset`: with a TCP reset. */
export function cut(body?: string, how: 'close' | 'reset' = 'close'): Behaviour {
  return async (response, socket) => {
    if (body !== undefined) await pieces(body)(response, socket);
    if (how === 'reset') socket.resetAndDestroy();
    else socket.destroy();
  };
}
