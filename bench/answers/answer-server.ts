import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type AnswerKind, answerBytes, answerLength } from './answer-bytes.js';

/*
 * A process that answers a POST to a path that ends in `/KIND/RECORDS` with that many records of that kind, as fast as
 * the reader takes them. Paths that begin with `/gzip` get a compressed answer, which is compressed only once. The
 * process sends its address as a message.
 */

const compressed = new Map<string, Promise<Buffer>>();

const server = createServer(async (request, response) => {
  const { url = '' } = request;
  const [kind, records] = url.split('/').slice(-2);
  request.resume();
  const [answer, count] = [kind as AnswerKind, Number(records)];
  if (url.startsWith('/gzip/')) {
    const body = compressed.get(url) ?? compress(answer, count);
    compressed.set(url, body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(await body);
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': answerLength(answer, count),
  });
  // A reader may close the connection early.
  await pipeline(Readable.from(answerBytes(answer, count)), response).catch(() => {});
});

/** Uses zlib's default settings, as most services do. */
function compress(kind: AnswerKind, records: number): Promise<Buffer> {
  return buffer(Readable.from(answerBytes(kind, records)).pipe(createGzip()));
}

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
