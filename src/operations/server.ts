import fastify from 'fastify';
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
 * Serves `/healthz` (the process lives), `/readyz` (Slack can reach the bot) and `/metrics` (Prometheus).
 *
 * @throws CannotListen
 */
export async function serveOperations({ port, state, metrics }: OperationsParts): Promise<OperationsServer> {
  const server = fastify({ forceCloseConnections: true });
  server.get('/healthz', () => ({ alive: true }));
  server.get('/readyz', (_request, reply) => {
    const now = state();
    return reply.code(now.ready ? 200 : 503).send(now);
  });
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metrics.page();
    return reply.type(contentType).send(text);
  });
  try {
    const address = await server.listen({ host, port });
    return { port: Number(new URL(address).port), close: () => server.close() };
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new CannotListen(host, port, reason, { cause: error });
  }
}
