import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CannotListen } from '../slack/connection/errors.js';
import type { Metrics } from './metrics.js';

/** What operations look at. */
export interface OperationsServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface OperationsParts {
  /** 0: any free port. */
  readonly port: number;
  /** What the bot is doing; `ready` decides the status of `/readyz`. */
  readonly state: () => { readonly ready: boolean };
  readonly metrics: Pick<Metrics, 'page'>;
}

/** Nobody but this machine: what is shown is not secret, and not for everybody either. */
const host = '127.0.0.1';

/**
 * Serves `/healthz` (the process lives), `/readyz` (Slack can reach the bot) and `/metrics` (Prometheus). Three pages
 * are not worth a web framework, which would take as much memory as all the rest of our own code.
 *
 * @throws CannotListen
 */
export async function serveOperations({ port, state, metrics }: OperationsParts): Promise<OperationsServer> {
  const server = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url ?? '/', 'http://localhost');
    if (pathname === '/healthz') return sendJson(response, 200, { alive: true });
    if (pathname === '/readyz') {
      const now = state();
      return sendJson(response, now.ready ? 200 : 503, now);
    }
    if (pathname !== '/metrics')
      return sendJson(response, 404, { pages: ['/healthz', '/readyz', '/metrics'] });
    const { contentType, text } = await metrics.page();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const reason = 'code' in error ? String(error.code) : 'unknown';
      reject(new CannotListen(host, port, reason, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
