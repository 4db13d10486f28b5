import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  Cancelled,
  ConnectionLost,
  EmptyAnswer,
  NoSuchReport,
  QuestionRefused,
  ServiceBroken,
  ServiceRedirects,
  ServiceSilent,
  ServiceUnreachable,
  TokenRefused,
  TooManyRequests,
} from '../../src/reporting-api/errors.js';
import { exchange } from '../../src/reporting-api/exchange.js';
import { answer, cut, type FaultServer, openFaultServer, pieces, silent, status } from './fault-server.js';

let server: FaultServer;
let dispatcher: Agent;

beforeEach(async () => {
  server = await openFaultServer();
  dispatcher = new Agent();
});

afterEach(async () => {
  await dispatcher.destroy();
  await server.close();
});

interface Choices {
  readonly url?: string;
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
  readonly write?: (chunk: Buffer) => Promise<void> | undefined;
  readonly onBegun?: () => void;
}

/** The bytes of the answer, as text. */
async function ask(choices: Choices = {}): Promise<string> {
  const { url = `${server.url}/api/v1/reports/x`, silenceMs = 10_000, write, onBegun } = choices;
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => {
    chunks.push(Buffer.from(chunk));
    return undefined;
  };
  const headers = { authorization: 'Bearer s3cret', 'content-type': 'application/json' };
  const signal = choices.signal ?? new AbortController().signal;
  const options = { dispatcher, signal, ...(onBegun ? { onBegun } : {}) };
  await exchange({ url, headers, body: '{"email":true}', silenceMs }, write ?? keep, options);
  return Buffer.concat(chunks).toString('utf8');
}

describe('an answer', () => {
  it('arrives as it was sent, and the question as it was meant', async () => {
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

  it.each([200, 201, 203, 206, 299])('counts with status %i, whatever its content type', async (code) => {
    server.behave(answer('[]', { 'content-type': 'text/html' }, code));
    expect(await ask()).toBe('[]');
  });

  it('is decompressed by what it is, not by what it is called', async () => {
    const zipped = gzipSync('[{"a":1}]');
    server.behave(
      answer(zipped, { 'content-encoding': 'gzip' }),
      answer(zipped),
      answer('[{"a":1}]', { 'content-encoding': 'gzip' }),
      answer(Buffer.concat([gzipSync('[{"a":'), gzipSync('1}]')])),
    );
    for (let i = 0; i < 4; i += 1) expect(await ask()).toBe('[{"a":1}]');
  });

  it('is decompressed also when it comes byte by byte', async () => {
    const zipped = gzipSync('[{"a":1}]');
    server.behave(async (response, socket) => {
      await pieces(...Array.from(zipped, (byte) => Buffer.from([byte])))(response, socket);
      response.end();
    });
    expect(await ask()).toBe('[{"a":1}]');
  });

  it('is handed on undecoded where it is compressed in a way that was not offered', async () => {
    server.behave(answer(brotliCompressSync('[]'), { 'content-encoding': 'br' }));
    expect(await ask()).not.toBe('[]');
  });

  it('may be large, compressed or not, and is taken no faster than it is written', async () => {
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
      const asked = ask({
        silenceMs: 300,
        write: () => {
          if (!first) return undefined;
          first = false;
          return gate;
        },
      });
      await expect.poll(() => stalled, { interval: 20, timeout: 5000 }).toBe(true);
      // Longer than the silence that is accepted: our own pause is not the service's silence.
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(stalled).toBe(true);
      expect(sent).toBeLessThan(48);
      go();
      await asked;
      expect(sent).toBe(64);
    },
  );
});

describe('an answer that stops', () => {
  it.each([
    ['by a closed connection', cut('[{"a":1},', 'close')],
    ['by a reset connection', cut('[{"a":1},', 'reset')],
    [
      'before its announced length',
      (response: Parameters<typeof silent>[0], socket: Parameters<typeof silent>[1]) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('[{"a":1},', () => socket.end());
      },
    ],
  ])('%s is lost', async (_, behaviour) => {
    server.behave(behaviour);
    await expect(ask()).rejects.toThrow(new ConnectionLost(true));
  });

  it.each(['close', 'reset'] as const)('before it began is lost (%s)', async (how) => {
    server.behave(cut(undefined, how));
    await expect(ask()).rejects.toThrow(new ConnectionLost(false));
  });

  it('is cut short when the compressed bytes end anywhere before their end', async () => {
    const zipped = gzipSync('[{"a":1},{"a":2}]');
    for (let length = 1; length < zipped.length; length += 1) {
      server.behave(answer(zipped.subarray(0, length)));
      await expect(ask(), `${length} bytes`).rejects.toMatchObject({
        code: 'damaged-answer',
        cutShort: true,
      });
    }
  });

  it('is damaged when the compressed bytes are, and goes on when more follows them', async () => {
    const zipped = gzipSync('[{"a":1},{"a":2}]');
    const damaged = Buffer.from(zipped);
    damaged[zipped.length - 6] = (damaged[zipped.length - 6] ?? 0) ^ 0xff;
    server.behave(
      answer(damaged),
      answer(Buffer.from([0x1f, 0x20, 0x30, 0x40])),
      answer(Buffer.concat([zipped, Buffer.from('more')])),
      answer(Buffer.concat([zipped, Buffer.alloc(4)])),
      async (response, socket) => {
        await pieces(zipped, 'more')(response, socket);
        response.end();
      },
    );
    for (let i = 0; i < 5; i += 1) {
      await expect(ask()).rejects.toMatchObject({ code: 'damaged-answer', cutShort: false });
    }
  });

  it.each([204, 205])('is none at all with status %i', async (code) => {
    server.behave((response) => void response.writeHead(code).end());
    await expect(ask()).rejects.toThrow(new EmptyAnswer(code));
  });
});

describe('silence', () => {
  it('before the first byte ends the request after its time, and the connection with it', async () => {
    server.behave(silent);
    const began = performance.now();
    await expect(ask({ silenceMs: 1000 })).rejects.toThrow(new ServiceSilent(1000, false));
    const took = performance.now() - began;
    expect(took).toBeGreaterThanOrEqual(995);
    await server.seen[0]?.disconnected;
  });

  it('between bytes ends it, and slow bytes do not', async () => {
    server.behave(async (response) => {
      response.writeHead(200).flushHeaders();
      for (let i = 0; i < 8; i += 1) {
        response.write(' ');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    const began = performance.now();
    await expect(ask({ silenceMs: 400 })).rejects.toThrow(new ServiceSilent(400, true));
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
    await server.seen[0]?.disconnected;
  });

  it('is not blamed on the service where this thread was busy itself', async () => {
    server.behave(async (response) => {
      response.writeHead(200).flushHeaders();
      await new Promise((resolve) => setTimeout(resolve, 50));
      response.write('[');
      setTimeout(() => response.end(']'), 250);
    });
    const busy = (chunk: Buffer) => {
      const until = performance.now() + (chunk.includes('[') ? 400 : 0);
      while (performance.now() < until);
      return undefined;
    };
    await ask({ silenceMs: 300, write: busy });
  });
});

describe('an error status', () => {
  it.each([
    [400, QuestionRefused],
    [401, TokenRefused],
    [403, TokenRefused],
    [404, NoSuchReport],
    [409, QuestionRefused],
    [422, QuestionRefused],
    [429, TooManyRequests],
    [500, ServiceBroken],
    [502, ServiceBroken],
    [503, ServiceBroken],
    [599, ServiceBroken],
  ])('%i is told apart, with a body in JSON, in HTML or none', async (code, kind) => {
    server.behave(status(code, { message: 'No' }), status(code, '<html>No</html>'), status(code, ''));
    for (let i = 0; i < 3; i += 1) {
      await expect(ask()).rejects.toThrow(kind);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.connections).toBe(1);
  });

  const says = async (body: string | object | Buffer, headers = {}): Promise<unknown> => {
    server.behave(
      answer(body instanceof Buffer || typeof body === 'string' ? body : JSON.stringify(body), headers, 422),
    );
    const error = await ask().catch((thrown: unknown) => thrown);
    if (!(error instanceof QuestionRefused)) throw error;
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('departments');
    return error.serviceSays;
  };

  it('keeps what the service says only where it is a message in JSON', async () => {
    expect(await says({ message: 'departments: unknown entry' })).toBe('departments: unknown entry');
    expect(await says(gzipSync('{"message":"departments"}'), { 'content-encoding': 'gzip' })).toBe(
      'departments',
    );
    for (const body of [
      '',
      'departments',
      '<b>departments</b>',
      'null',
      '"departments"',
      '[]',
      { message: { a: 1 } },
      { error: 'no' },
      { message: ' \n ' },
    ]) {
      expect(await says(body), JSON.stringify(body)).toBeUndefined();
    }
  });

  it('cuts it to a line without control characters, people and the token', async () => {
    expect(await says({ message: 'One\r\n\u0000two\u202e three' })).toBe('One two three');
    expect(await says({ message: `Token s3cret of ada@example.com` })).toBe('Token … of …');
    expect(await says({ message: 'é'.repeat(500) })).toBe('é'.repeat(200));
    expect(await says({ message: 'departments', more: 'x'.repeat(100_000) })).toBeUndefined();
  });

  it('does not wait for the rest of a body', async () => {
    server.behave((response) => void response.writeHead(500).write('{'));
    await expect(ask({ silenceMs: 200 })).rejects.toThrow(ServiceBroken);
    await server.seen[0]?.disconnected;
  });

  it('says for how long to wait', async () => {
    server.behave(status(429, {}, { 'retry-after': '7' }), status(503, {}, { 'retry-after': '8' }));
    await expect(ask()).rejects.toMatchObject({ retryAfterMs: 7000 });
    await expect(ask()).rejects.toMatchObject({ retryAfterMs: 8000 });
  });

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (code) => {
    server.behave(status(code, '', { location: `${server.url}/elsewhere` }), answer('[]'));
    await expect(ask()).rejects.toThrow(new ServiceRedirects(code));
    expect(server.seen).toHaveLength(1);
  });
});

describe('no connection', () => {
  it('is refused where nobody listens', async () => {
    const gone = await openFaultServer();
    await gone.close();
    await expect(ask({ url: gone.url })).rejects.toThrow(new ServiceUnreachable('refused', 'ECONNREFUSED'));
    await expect(ask({ url: `http://localhost:${gone.port}` })).rejects.toMatchObject({ reason: 'refused' });
  });

  it('has no host of that name', async () => {
    await expect(ask({ url: 'http://nobody.invalid/' })).rejects.toMatchObject({ reason: 'unknown-host' });
  });

  it('is not secure where the other side speaks plain HTTP', async () => {
    await expect(ask({ url: server.url.replace('http:', 'https:') })).rejects.toMatchObject({
      reason: 'not-secure',
    });
  });

  it('is made anew when the service closed a kept one', async () => {
    server.behave(answer('[1]', { 'keep-alive': 'timeout=60' }), answer('[2]'));
    expect(await ask()).toBe('[1]');
    const closed = server.seen[0]?.disconnected;
    server.dropIdle();
    await closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ask()).toBe('[2]');
    expect(server.connections).toBe(2);
  });
});

describe('cancelling', () => {
  it.each([
    ['before the answer', silent],
    ['during the answer', pieces('[{"a":1},')],
    ['during a compressed answer', pieces(gzipSync('[{"a":1},{"a":2}]').subarray(0, 20))],
  ])('%s closes the connection', async (_, behaviour) => {
    const ended = new AbortController();
    server.behave(behaviour);
    const asked = ask({ signal: ended.signal });
    await server.reached(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    ended.abort('enough');
    await expect(asked).rejects.toThrow(Cancelled);
    await expect(asked).rejects.toMatchObject({ cause: 'enough' });
    await server.seen[0]?.disconnected;
  });

  it('before it began sends nothing', async () => {
    await expect(ask({ signal: AbortSignal.abort() })).rejects.toThrow(Cancelled);
    expect(server.connections).toBe(0);
  });
});

describe('a reader that cannot take the answer', () => {
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

  it('is not given what came with the part it refused', async () => {
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
