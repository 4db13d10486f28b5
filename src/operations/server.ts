import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure, systemCodeOf } from '../errors/failure.js';
import type { Metrics } from './metrics.js';

export interface OperationsParts {
  /** 0: any free port. */
  readonly port: number;
  /** The state of the bot. `ready` decides the status of `/readyz`. */
  readonly state: () => { readonly ready: boolean };
  readonly metrics: Pick<Metrics, 'page'>;
  readonly log: { error(details: object, message: string): void };
  /** Maximum time for a client to send a request or to read the response. Default: ten seconds. */
  readonly timeoutMs?: number;
}

/** Only this machine: the pages hold no secrets, but they are not public either. */
const host = '127.0.0.1';

/**
 * Serves `/healthz` (the process lives), `/readyz` (Slack can reach the bot) and `/metrics` (Prometheus). Every request
 * gets an answer, and no client holds a connection without using it. Three pages are not worth a web framework, which
 * would take as much memory as all the rest of our own code.
 *
 * @throws `cannot-listen`
 */
export async function serveOperations(parts: OperationsParts) {
  const { port, log, timeoutMs = 10_000 } = parts;
  const limits = {
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    keepAliveTimeout: timeoutMs,
    connectionsCheckingInterval: timeoutMs / 4,
  };
  const server = createServer(limits, (request, response) => {
    // Requests need no body, so the connection of a client that sends one is closed.
    if (hasBody(request)) response.setHeader('connection', 'close');
    answer(request, response, parts).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, 'A health or metrics page failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: 'Something went wrong. The reason is in the log.' });
    });
  });
  server.setTimeout(timeoutMs);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Failure('cannot-listen', { host, port, reason: systemCodeOf(error), cause: error }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: OperationsParts) {
  const { method, url = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return sendJson(response, 405, { error: 'Use GET or HEAD.' });
  }
  const path = pathOf(url);
  if (path === undefined) return sendJson(response, 400, { error: 'The address is malformed.' });
  if (path === '/healthz') return sendJson(response, 200, { alive: true });
  if (path === '/readyz') {
    const now = parts.state();
    return sendJson(response, now.ready ? 200 : 503, now);
  }
  if (path !== '/metrics') return sendJson(response, 404, { pages: ['/healthz', '/readyz', '/metrics'] });
  const { contentType, text } = await parts.metrics.page();
  response.writeHead(200, { 'content-type': contentType }).end(text);
}

/** The path of a request target: a path with a query, or a whole URL from a proxy. */
function pathOf(target: string): string | undefined {
  if (target.startsWith('/')) return target.split('?', 1)[0];
  return /^https?:/i.test(target) && URL.canParse(target) ? new URL(target).pathname : undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
