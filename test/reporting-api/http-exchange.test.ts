import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answer, pieces, silent } from './fault-server.js';
import { ask, server, setUpExchange } from './http-exchange-setup.js';

setUpExchange();

describe('an answer', () => {
  it('arrives unchanged, and so does the query', async () => {
    server.behave(answer('[{"a":"é"}]'));
    let begun = 0;
    expect(
      await ask({
        onBegun: () => {
          begun += 1;
        },
      }),
    ).toBe('[{"a":"é"}]');
    expect(begun).toBe(1);
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        path: '/api/v1/reports/x',
        body: '{"email":true}',
        headers: {
          authorization: 'Bearer s3cret',
          'content-type': 'application/json',
          'content-length': '14',
        },
      },
    ]);
  });

  it.each([200, 201, 203, 206, 299])('is accepted with status %i and any content type', async (code) => {
    server.behave(answer('[]', { 'content-type': 'text/html' }, code));
    expect(await ask()).toBe('[]');
  });

  it('is decompressed by its content, not by its headers', async () => {
    const zipped = gzipSync('[{"a":1}]');
    server.behave(
      answer(zipped, { 'content-encoding': 'gzip' }),
      answer(zipped),
      answer('[{"a":1}]', { 'content-encoding': 'gzip' }),
      answer(Buffer.concat([gzipSync('[{"a":'), gzipSync('1}]')])),
    );
    for (let i = 0; i < 4; i += 1) expect(await ask()).toBe('[{"a":1}]');
  });

  it('is decompressed byte by byte', async () => {
    const zipped = gzipSync('[{"a":1}]');
    server.behave(async (response, socket) => {
      await pieces(...Array.from(zipped, (byte) => Buffer.from([byte])))(response, socket);
      response.end();
    });
    expect(await ask()).toBe('[{"a":1}]');
  });

  it('is passed on as it is if its compression is unknown', async () => {
    server.behave(answer(brotliCompressSync('[]'), { 'content-encoding': 'br' }));
    expect(await ask()).not.toBe('[]');
  });

  it('can be large, compressed or not, and is read no faster than it is written', async () => {
    const text = `[${Array.from({ length: 60_000 }, (_, i) => `{"number":${i},"name":"somebody"}`).join(',')}]`;
    for (const body of [Buffer.from(text), gzipSync(text)]) {
      server.behave(answer(body));
      const chunks: Buffer[] = [];
      let writing = false;
      const write = async (chunk: Buffer) => {
        expect(writing).toBe(false);
        writing = true;
        chunks.push(Buffer.from(chunk));
        await new Promise((resolve) => setImmediate(resolve));
        writing = false;
      };
      await ask({ write });
      expect(Buffer.concat(chunks).toString() === text).toBe(true);
    }
  });
});

describe('back-pressure', () => {
  it.each([false, true])(
    'reaches the service: it cannot send on while we are not ready (gzip: %s)',
    async (zipped) => {
      let sent = 0;
      let stalled = false;
      server.behave((response, socket) => {
        response.writeHead(200);
        // Stored, not compressed, so that both ways are equally long.
        const block = zipped
          ? gzipSync(Buffer.alloc(1 << 20, ' '), { level: 0 })
          : Buffer.alloc(1 << 20, ' ');
        const more = () => {
          stalled = false;
          if (sent >= 64) return void response.end();
          sent += 1;
          if (response.write(block)) setImmediate(more);
          else {
            stalled = true;
            socket.once('drain', more);
          }
        };
        more();
      });
      let go = () => {};
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      let first = true;
      const answer = ask({
        idleTimeoutMs: 300,
        write: () => {
          if (!first) return undefined;
          first = false;
          return gate;
        },
      });
      await expect.poll(() => stalled, { interval: 20 }).toBe(true);
      // Longer than the timeout: our own pause does not count.
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(stalled).toBe(true);
      expect(sent).toBeLessThan(48);
      go();
      await answer;
      expect(sent).toBe(64);
    },
  );
});

describe('cancelling', () => {
  it.each([
    ['before the answer', silent],
    ['during the answer', pieces('[{"a":1},')],
    ['during a compressed answer', pieces(gzipSync('[{"a":1},{"a":2}]').subarray(0, 20))],
  ])('%s closes the connection', async (_, behaviour) => {
    const ended = new AbortController();
    server.behave(behaviour);
    const answer = ask({ signal: ended.signal });
    await server.reached(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    ended.abort('enough');
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    await expect(answer).rejects.toMatchObject({ cause: 'enough' });
    await server.seen[0]?.disconnected;
  });

  it.each([
    ['plain', Buffer.from('[1]')],
    ['compressed', gzipSync('[1]')],
  ])('counts while the last bytes are written (%s)', async (_, body) => {
    const ended = new AbortController();
    server.behave(answer(body));
    const write = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      ended.abort();
    };
    await expect(ask({ signal: ended.signal, write })).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('before the start sends nothing', async () => {
    await expect(ask({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.connections).toBe(0);
  });
});

describe('a writer that fails', () => {
  const refusal = new Error('not an array');
  it.each([
    [
      'at once',
      () => {
        throw refusal;
      },
    ],
    ['later', () => Promise.reject(refusal)],
  ])('ends the exchange and the connection (%s)', async (_, write) => {
    server.behave(pieces('{', '}', '}'), pieces(gzipSync('{"a":1}')));
    for (const place of [0, 1]) {
      await expect(ask({ write })).rejects.toBe(refusal);
      await server.seen[place]?.disconnected;
    }
  });

  it('gets no more bytes after it failed', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    server.behave((_, socket) => void socket.write(`${head}1\r\n{\r\n1\r\n}\r\n1\r\n}\r\n0\r\n\r\n`));
    let written = 0;
    const write = () => {
      written += 1;
      throw refusal;
    };
    await expect(ask({ write })).rejects.toBe(refusal);
    expect(written).toBe(1);
  });
});
