import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isFailure } from '../../src/errors/failure.js';
import { exchange } from '../../src/reporting-api/http-exchange.js';
import { propertyRuns } from '../property-runs.js';

/** How one answer is sent, and read. */
const plan = fc.record({
  size: fc.oneof(fc.nat(100), fc.nat(600_000), fc.constantFrom(128 * 1024, 256 * 1024, 320 * 1024)),
  isZipped: fc.boolean(),
  /** Stored bytes are as many as the answer has. */
  level: fc.constantFrom(0, 1),
  frame: fc.constantFrom('length' as const, 'chunks' as const, 'end' as const),
  closes: fc.boolean(),
  pieceBytes: fc.constantFrom(700, 5000, 65_536, 300_000),
  /** After which part of the pieces the connection breaks. */
  breaksAfter: fc.option(fc.double({ min: 0, max: 0.99, noNaN: true }), { freq: 6 }),
  resets: fc.boolean(),
  /** Of how many writes one takes its time. */
  slowEvery: fc.constantFrom(0, 1, 2, 20),
  cancelsAfterMs: fc.option(fc.nat(40), { freq: 9 }),
  failsAfter: fc.option(fc.nat(100_000), { freq: 9 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer One> ? One : never;

const plans: (Plan & { readonly body: Buffer })[] = [];
let server: Server;
let dispatcher: Agent;

beforeAll(async () => {
  server = createServer((socket) => {
    let asked = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      asked += bytes;
      const [, which] = /^POST \/(\d+) .*\r\n\r\n\{\}$/s.exec(asked) ?? [];
      if (which === undefined) return;
      asked = '';
      void answerTo(plans[Number(which)], socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  dispatcher = new Agent();
});

afterAll(async () => {
  await dispatcher.destroy();
  server.close();
});

async function answerTo(chosen: (typeof plans)[number] | undefined, socket: Socket): Promise<void> {
  if (!chosen) return;
  const { body, isZipped, level, frame, closes, pieceBytes, breaksAfter, resets } = chosen;
  const sent = isZipped ? gzipSync(body, { level }) : body;
  const head = [
    'HTTP/1.1 200 OK',
    ...(closes ? ['Connection: close'] : []),
    ...(frame === 'length' ? [`Content-Length: ${sent.length}`] : []),
    ...(frame === 'chunks' ? ['Transfer-Encoding: chunked'] : []),
  ];
  const pieces: Buffer[] = [Buffer.from(`${head.join('\r\n')}\r\n\r\n`)];
  for (let at = 0; at < sent.length; at += pieceBytes) {
    const piece = sent.subarray(at, at + pieceBytes);
    if (frame !== 'chunks') pieces.push(piece);
    else
      pieces.push(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      );
  }
  if (frame === 'chunks') pieces.push(Buffer.from('0\r\n\r\n'));
  const most = breaksAfter === null ? pieces.length : Math.floor(breaksAfter * pieces.length);
  for (const piece of pieces.slice(0, most)) {
    if (socket.destroyed) return;
    if (socket.write(piece)) continue;
    await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
  }
  if (breaksAfter !== null) return resets ? void socket.resetAndDestroy() : void socket.destroy();
  if (frame === 'end' || closes) socket.end();
}

it('is whole or a failure, however it is sent and read, and is written piece by piece', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (chosen) => {
      const body = Buffer.alloc(chosen.size, '[1,22,333],');
      const which = plans.push({ ...chosen, body }) - 1;
      const { port } = server.address() as { port: number };
      const cancelled = new AbortController();
      const { cancelsAfterMs, failsAfter, slowEvery } = chosen;
      const timer = cancelsAfterMs === null ? undefined : setTimeout(() => cancelled.abort(), cancelsAfterMs);
      const ours = new TypeError('ours');
      const chunks: Buffer[] = [];
      let writes = 0;
      let isWriting = false;
      let isOver = false;
      let misuse: string | undefined;
      const write = (chunk: Buffer) => {
        if (isOver) misuse = 'written after the end';
        if (isWriting) misuse = 'written before the write before had ended';
        chunks.push(Buffer.from(chunk));
        writes += 1;
        if (failsAfter !== null && Buffer.concat(chunks).length > failsAfter) {
          if (writes % 2 === 0) throw ours;
          return Promise.reject(ours);
        }
        if (slowEvery === 0 || writes % slowEvery > 0) return undefined;
        isWriting = true;
        return wait(2).then(() => {
          isWriting = false;
        });
      };
      const call = {
        url: `http://127.0.0.1:${port}/${which}`,
        headers: {},
        body: '{}',
        idleTimeoutMs: 20_000,
      };
      const ended = await exchange(call, write, { dispatcher, signal: cancelled.signal }).then(
        () => 'whole' as const,
        (error: unknown) => ({ error }),
      );
      isOver = true;
      clearTimeout(timer);
      delete plans[which];
      expect(misuse).toBeUndefined();
      const { breaksAfter, frame, isZipped } = chosen;
      if (ended === 'whole') {
        // Nobody can tell where an answer without a length was to end.
        if (breaksAfter === null || frame !== 'end' || (isZipped && chunks.length > 0))
          expect(Buffer.concat(chunks).equals(body)).toBe(true);
        else expect(body.indexOf(Buffer.concat(chunks))).toBe(0);
        return;
      }
      const { error } = ended;
      if (error === ours) expect(failsAfter).not.toBeNull();
      else if (isFailure(error, 'cancelled')) expect(cancelsAfterMs).not.toBeNull();
      else {
        expect(breaksAfter).not.toBeNull();
        expect(isFailure(error, 'connection-lost', 'damaged-answer')).toBe(true);
      }
    }),
    { numRuns: propertyRuns(2000) },
  );
});
