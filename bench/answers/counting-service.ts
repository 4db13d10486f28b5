import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type AnswerKind, answerBytes } from './answer-bytes.js';

/** A Reporting Service that sends the same answer to every query and counts its queries. */
export interface CountingService {
  readonly url: string;
  /** The number of times that each query arrived, by its path and body. */
  readonly queries: ReadonlyMap<string, number>;
  stop(): void;
}

/** @param delayMs before each answer */
export async function startCountingService(
  records: number,
  delayMs = 0,
  kind: AnswerKind = 'engagement',
): Promise<CountingService> {
  const queries = new Map<string, number>();
  const answer = Buffer.concat([...answerBytes(kind, records)]);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += text;
    const query = `${request.url} ${body}`;
    queries.set(query, (queries.get(query) ?? 0) + 1);
    if (delayMs > 0) await wait(delayMs);
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Accepts every query and never answers, so that runs start and never end. */
export async function startSilentService() {
  const server = createServer((request) => request.resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
