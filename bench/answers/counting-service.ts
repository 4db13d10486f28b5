import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerBytes } from './answer-bytes.js';

/** A Reporting Service with the same answer to everything, that counts what it was asked. */
export interface CountingService {
  readonly url: string;
  /** How often each question came, by its path and body. */
  readonly asked: ReadonlyMap<string, number>;
  stop(): void;
}

export async function startCountingService(records: number): Promise<CountingService> {
  const asked = new Map<string, number>();
  const answer = Buffer.concat([...answerBytes('engagement', records)]);
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += text;
    const question = `${request.url} ${body}`;
    asked.set(question, (asked.get(question) ?? 0) + 1);
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
