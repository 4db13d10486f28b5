import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { yieldToEventLoop } from './event-loop.js';
import { changingShapes, type Faults, type FaultyDay, faultyDay } from './faults.js';
import { readRecords, sendCutShort, sendRecords } from './records.js';
import { parseRequest, Refusal, readJson, routeOf } from './request.js';
import { type FilterBy, planStatements } from './sql/statement.js';
import type { World } from './world/world.js';

export interface ServerParts {
  /** undefined: it is still being made. */
  readonly world: () => World | undefined;
  readonly token: string;
  readonly scheme: AuthScheme;
  readonly filterBy: FilterBy;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly faults: Faults;
  /** Told of failures that are nobody's doing: a defect, or a disk that is full. */
  readonly onFailure: (error: unknown) => void;
}

export interface ReportServer {
  /** Not listening yet. */
  readonly server: Server;
  /** Resolves when nobody is being answered any more. */
  idle(): Promise<void>;
}

/** Answers the six operations out of a world. */
export function reportServer(parts: ServerParts): ReportServer {
  const day = faultyDay(parts.faults);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const answered: Promise<void> = answer(request, response, parts, day)
      .catch((error: unknown) => {
        if (!(error instanceof Refusal) && !response.destroyed) parts.onFailure(error);
        refuse(request, response, error);
      })
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const body = JSON.stringify(new Refusal(400, 'not_http', 'This is not a request in HTTP.').body);
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n${body}`,
    );
  });
  return {
    server,
    async idle() {
      await Promise.all(underWay);
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ServerParts,
  day: FaultyDay,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());

  const route = routeOf(request.method ?? '', request.url ?? '');
  authorize(request.headers, parts.token, parts.scheme);
  const asked = parseRequest(route.report, await readJson(request));
  const world = parts.world();
  if (!world) {
    throw new Refusal(503, 'starting', 'The service is still making its world; try again in a moment.', {
      headers: { 'retry-after': '1' },
    });
  }
  const { cut, shapes } = await day.meet(gone.signal);

  const plan = planStatements(route, asked, parts.filterBy, Math.floor(parts.now() / 1000));
  const turns = yieldToEventLoop(gone.signal);
  const batches = readRecords(plan, world, turns, shapes ? changingShapes(route.report) : undefined);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (cut) await sendCutShort(batches, response);
  else await sendRecords(batches, response, turns);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  // An answer that has begun can only be broken off: its reader sees that it is not whole.
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, 'failed', 'The service failed to answer; try again.');
  response.writeHead(refusal.status, {
    'content-type': 'application/json; charset=utf-8',
    ...refusal.details.headers,
    // What is left of the body is not read.
    ...(request.complete ? {} : { connection: 'close' }),
  });
  response.end(JSON.stringify(refusal.body));
}

/** `raw`: the header is the token itself; `bearer`: the token after `Bearer `. */
export type AuthScheme = 'raw' | 'bearer';

/**
 * Refuses whoever does not show the token, and pages of other sites, which a browser would let in from outside.
 * @throws Refusal 401, 403
 */
function authorize(headers: IncomingHttpHeaders, token: string, scheme: AuthScheme): void {
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(origin)) {
    throw new Refusal(
      403,
      'foreign_origin',
      'Pages of other sites may not ask: the Origin header names one.',
    );
  }
  const form = scheme === 'raw' ? 'Authorization: TOKEN' : 'Authorization: Bearer TOKEN';
  const refuse = (code: string, because: string) =>
    new Refusal(401, code, `${because} It is sent as ${form}.`, {
      headers: { 'www-authenticate': scheme === 'raw' ? 'Token' : 'Bearer' },
    });
  const said = headers.authorization;
  if (said === undefined) throw refuse('no_token', 'The Authorization header is missing.');
  const shown = scheme === 'raw' ? said : /^bearer +(.*)$/i.exec(said)?.[1];
  if (shown === undefined || !same(shown, token)) {
    throw refuse('wrong_token', 'The token in the Authorization header is not the one of this service.');
  }
}

function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return ['localhost', '127.0.0.1', '[::1]'].includes(host);
}
