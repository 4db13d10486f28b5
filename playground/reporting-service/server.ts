import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { yieldToEventLoop } from './event-loop.js';
import { createFaultInjector, createShapeChanger, type FaultInjector, type Faults } from './faults.js';
import { readRecords, sendCutShort, sendRecords } from './records.js';
import { parseRequest, parseRoute, RequestError, readJson } from './request.js';
import { type FilterBy, planStatements } from './sql/statement.js';
import type { World } from './world/world.js';

export interface ReportServerOptions {
  /** undefined while it is being generated; a promise makes answers wait for it. */
  readonly world: () => World | Promise<World> | undefined;
  readonly token: string;
  readonly scheme: AuthScheme;
  readonly filterBy: FilterBy;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly faults: Faults;
  /** Called with unexpected errors, such as a defect or a full disk. */
  readonly onFailure: (error: unknown) => void;
}

export interface ReportServer {
  /** Not listening yet. */
  readonly server: Server;
  /** Resolves when no answer is in flight. */
  idle(): Promise<void>;
}

/** Serves the six operations. */
export function reportServer(options: ReportServerOptions): ReportServer {
  const faultInjector = createFaultInjector(options.faults);
  const inFlight = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const answered: Promise<void> = answer(request, response, options, faultInjector)
      .catch((error: unknown) => {
        if (!(error instanceof RequestError) && !response.destroyed) options.onFailure(error);
        tokenError(request, response, error);
      })
      .finally(() => inFlight.delete(answered));
    inFlight.add(answered);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const body = JSON.stringify(new RequestError(400, 'not_http', 'This is not a request in HTTP.').body);
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return {
    server,
    async idle() {
      await Promise.all(inFlight);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReportServerOptions,
  faultInjector: FaultInjector,
): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());

  const route = parseRoute(request.method ?? '', request.url ?? '');
  authorize(request.headers, options.token, options.scheme);
  const reportRequest = parseRequest(route.report, await readJson(request));
  const world = await options.world();
  if (disconnected.signal.aborted) return;
  if (!world) {
    throw new RequestError(
      503,
      'starting',
      'The service is still generating its data. Try again in a moment.',
      {
        headers: { 'retry-after': '1' },
      },
    );
  }
  const { cut, shapes, recordsPerSecond } = await faultInjector.next(disconnected.signal);

  const plan = planStatements(route, reportRequest, options.filterBy, Math.floor(options.now() / 1000));
  const eventLoop = yieldToEventLoop(disconnected.signal);
  const batches = readRecords(plan, world, eventLoop, shapes ? createShapeChanger(route.report) : undefined);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (cut) await sendCutShort(batches, response);
  else await sendRecords(batches, response, eventLoop, recordsPerSecond);
}

function tokenError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // An answer that has started can only be aborted. Its reader sees that it is incomplete.
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const refusal =
    error instanceof RequestError
      ? error
      : new RequestError(500, 'failed', 'The service failed to answer. Try again.');
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    ...refusal.details.headers,
    // The rest of the body is not read.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(JSON.stringify(refusal.body));
}

/** `raw`: the header is the token itself; `bearer`: the token after `Bearer `. */
export type AuthScheme = 'raw' | 'bearer';

/**
 * Requires the token, and refuses pages of other sites, which a browser would let in.
 * @throws RequestError 401, 403
 */
function authorize(headers: IncomingHttpHeaders, token: string, scheme: AuthScheme): void {
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(origin)) {
    throw new RequestError(
      403,
      'foreign_origin',
      'Requests from pages of other sites are refused. The Origin header names another site.',
    );
  }
  const form = scheme === 'raw' ? 'Authorization: TOKEN' : 'Authorization: Bearer TOKEN';
  const tokenError = (code: string, because: string) =>
    new RequestError(401, code, `${because} Send it as ${form}.`, {
      headers: { 'www-authenticate': scheme === 'raw' ? 'Token' : 'Bearer' },
    });
  const header = headers.authorization;
  if (header === undefined) throw tokenError('no_token', 'The Authorization header is missing.');
  const givenToken = scheme === 'raw' ? header : /^bearer +(.*)$/i.exec(header)?.[1];
  if (givenToken === undefined || !isEqual(givenToken, token)) {
    throw tokenError('wrong_token', 'The token in the Authorization header is wrong.');
  }
}

function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return ['localhost', '127.0.0.1', '[::1]'].includes(host);
}
