import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AnswerKind, answerBytes, answerLength } from './answer-bytes.js';

/*
 * A process that answers a POST to any path that ends in `/KIND/RECORDS` with that many records of that kind, as fast as
 * the reader takes them. It sends its address as a message.
 */

const server = createServer(async (request, response) => {
  const [kind, records] = (request.url ?? '').split('/').slice(-2);
  request.resume();
  const [answer, count] = [kind as AnswerKind, Number(records)];
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': answerLength(answer, count),
  });
  // A reader may close the connection early.
  await pipeline(Readable.from(answerBytes(answer, count)), response).catch(() => {});
});

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit());
