import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readAsked } from './asked.js';
import { type AuthScheme, authorize } from './authorization.js';
import { Refusal } from './refusal.js';
import { readJson } from './request-body.js';
import { routeOf } from './route.js';
import { sendRecords } from './send-records.js';
import type { FilterBy } from './sql/filters.js';
import { statementFor } from './sql/statement.js';
import type { World } from './world/world.js';

export interface ServerParts {
  readonly world: World;
  readonly token: string;
  readonly scheme: AuthScheme;
  readonly filterBy: FilterBy;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Answers the six operations out of a world. Not listening yet. */
export function reportServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    answer(request, response, parts).catch((error: unknown) => refuse(request, response, error));
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: ServerParts): Promise<void> {
  const route = routeOf(request.method ?? '', request.url ?? '');
  authorize(request.headers, parts.token, parts.scheme);
  const asked = readAsked(route.report, await readJson(request));
  const now = Math.floor(parts.now() / 1000);
  const { sql, parameters } = statementFor(route, asked, parts.filterBy, now);
  const db = parts.world.connect();
  try {
    const records = db.prepare<[typeof parameters], string | null>(sql).pluck().iterate(parameters);
    response.setHeader('content-type', 'application/json; charset=utf-8');
    await sendRecords(records, response);
  } finally {
    db.close();
  }
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
