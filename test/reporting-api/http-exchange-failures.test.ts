import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure, isFailure } from '../../src/errors/failure.js';
import { answer, cut, openFaultServer, pieces, silent, status } from './fault-server.js';
import { ask, server, setUpExchange } from './http-exchange-setup.js';

setUpExchange();

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
    await expect(ask()).rejects.toThrow(new Failure('connection-lost', { afterFirstByte: true }));
  });

  it.each(['close', 'reset'] as const)('before it began is lost (%s)', async (how) => {
    server.behave(cut(undefined, how));
    await expect(ask()).rejects.toThrow(new Failure('connection-lost', { afterFirstByte: false }));
  });

  it('is cut short if the compressed bytes end too early, at any byte', async () => {
    const zipped = gzipSync('[{"a":1},{"a":2}]');
    for (let length = 1; length < zipped.length; length += 1) {
      server.behave(answer(zipped.subarray(0, length)));
      await expect(ask(), `${length} bytes`).rejects.toMatchObject({
        code: 'damaged-answer',
        details: { cutShort: true },
      });
    }
  });

  it('is damaged if its compressed bytes are, and goes on if more bytes follow', async () => {
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
      await expect(ask()).rejects.toMatchObject({ code: 'damaged-answer', details: { cutShort: false } });
    }
  });

  it.each([204, 205])('is empty with status %i', async (code) => {
    server.behave((response) => void response.writeHead(code).end());
    await expect(ask()).rejects.toThrow(new Failure('empty-answer', { status: code }));
  });
});

describe('bytes on the connection', () => {
  let raw: Server | undefined;
  afterEach(() => raw?.close());

  /** A server that answers the first bytes of each connection with exactly these, and ends it where that is wanted. */
  async function answering(bytes: string | Buffer, ends: boolean): Promise<string> {
    raw = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(bytes);
        if (ends) socket.end();
      });
    });
    await new Promise<void>((resolve) => raw?.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(raw.address() as AddressInfo).port}/`;
  }
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n';
  const zipped = gzipSync('[{"a":1}]').toString('latin1');
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  describe.each([
    ['a connection that closes', `${head}Connection: close\r\n\r\n`],
    ['a connection that is kept', `${head}\r\n`],
  ])('in chunks on %s', (_, start) => {
    it.each([
      ['without the last chunk', chunk('[{"a":1}]')],
      ['without the last chunk, compressed', chunk(zipped)],
      ['within a chunk', '9\r\n[{"a"'],
      ['within the size of a chunk', `${chunk('[{"a":1}')}1`],
      ['within the last chunk', `${chunk('[{"a":1}]')}0\r\n`],
      ['before the first chunk', ''],
    ])('that end %s cut the answer short', async (_where, body) => {
      const url = await answering(Buffer.from(start + body, 'latin1'), true);
      await expect(ask({ url })).rejects.toThrow(new Failure('connection-lost', { afterFirstByte: true }));
    });

    it.each([
      ['a size that is no number', `${chunk('[{"a":1}')}zz\r\n`],
      ['more in a chunk than its size', '2\r\n[{"a":1}]\r\n0\r\n\r\n'],
    ])('that have %s damage the answer', async (_what, body) => {
      const url = await answering(start + body, false);
      await expect(ask({ url })).rejects.toThrow(new Failure('damaged-answer', { cutShort: false }));
    });

    it('are complete with the last chunk', async () => {
      const url = await answering(`${start}${chunk('[{"a":1}]')}0\r\n\r\n`, true);
      expect(await ask({ url })).toBe('[{"a":1}]');
    });
  });

  it.each([
    ['plain', '[{"a":1}]'],
    ['compressed', zipped],
  ])('without a length end with the connection, and wait for a slow writer (%s)', async (_, body) => {
    const url = await answering(Buffer.from(`HTTP/1.1 200 OK\r\n\r\n${body}`, 'latin1'), true);
    let written = '';
    const write = async (chunk: Buffer) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      written += chunk;
    };
    await ask({ url, write });
    expect(written).toBe('[{"a":1}]');
  });

  // The connection ends while reading pauses, with all bytes read or some left.
  it.each([
    ['', 256 * 1024],
    ['', 256 * 1024 + 1],
    ['', 400_000],
    ['Connection: close\r\n', 256 * 1024],
    ['Connection: close\r\n', 400_000],
  ])('may end before a slow writer has taken them (%j, %i bytes)', async (header, size) => {
    const length = header === '' ? '' : `Content-Length: ${size}\r\n`;
    const start = `HTTP/1.1 200 OK\r\n${header}${length}\r\n`;
    const url = await answering(Buffer.concat([Buffer.from(start), Buffer.alloc(size, ' ')]), true);
    let written = 0;
    const write = async (chunk: Buffer) => {
      if (written === 0) await new Promise((resolve) => setTimeout(resolve, 150));
      written += chunk.length;
    };
    await ask({ url, write });
    expect(written).toBe(size);
  });

  it('may begin with a status that only says that an answer comes', async () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
    let begun = 0;
    const onBegun = () => {
      begun += 1;
    };
    const url = await answering(`${hint}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]`, false);
    expect(await ask({ url, onBegun })).toBe('[]');
    expect(begun).toBe(1);
  });

  it.each(['SSH-2.0-OpenSSH_9.6\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n'])(
    'that are no HTTP (%j) are no connection to the service',
    async (bytes) => {
      const url = await answering(bytes, false);
      await expect(ask({ url })).rejects.toThrow(
        new Failure('service-unreachable', { reason: 'not-http', systemCode: 'HTTPParserError' }),
      );
    },
  );
});

describe('a failing or slow writer', () => {
  const later = () => new Promise<void>((resolve) => setTimeout(resolve, 60));

  it.each([
    ['plain', (text: string) => Buffer.from(text)],
    ['compressed', gzipSync],
  ] as const)('is waited for to the end of an answer that is %s', async (_, wrap) => {
    server.behave(answer(wrap('[1]')), answer(wrap('[1]')));
    let written = false;
    await ask({
      write: async () => {
        await later();
        written = true;
      },
    });
    expect(written).toBe(true);
    const ours = new TypeError('ours');
    const write = () => later().then(() => Promise.reject(ours));
    await expect(ask({ write })).rejects.toBe(ours);
  });

  it('has no timeout after the answer has arrived', async () => {
    server.behave(answer('[1]'));
    const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 500));
    await ask({ idleTimeoutMs: 100, write: slowly });
  });
});

describe('a timeout', () => {
  it('before the first byte ends the request and its connection', async () => {
    server.behave(silent);
    const began = performance.now();
    await expect(ask({ idleTimeoutMs: 1000 })).rejects.toThrow(
      new Failure('service-timed-out', { idleTimeoutMs: 1000, afterFirstByte: false }),
    );
    const took = performance.now() - began;
    expect(took).toBeGreaterThanOrEqual(995);
    await server.seen[0]?.disconnected;
  });

  it('between bytes ends the request, and slow bytes do not', async () => {
    server.behave(async (response) => {
      response.writeHead(200).flushHeaders();
      for (let i = 0; i < 8; i += 1) {
        response.write(' ');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    const began = performance.now();
    await expect(ask({ idleTimeoutMs: 400 })).rejects.toThrow(
      new Failure('service-timed-out', { idleTimeoutMs: 400, afterFirstByte: true }),
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
    await server.seen[0]?.disconnected;
  });

  it('does not count while this thread is busy', async () => {
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
    await ask({ idleTimeoutMs: 300, write: busy });
  });
});

describe('an error status', () => {
  it.each([
    [400, 'query-refused'],
    [401, 'token-refused'],
    [403, 'token-refused'],
    [404, 'no-such-report'],
    [409, 'query-refused'],
    [422, 'query-refused'],
    [429, 'too-many-requests'],
    [500, 'service-broken'],
    [502, 'service-broken'],
    [503, 'service-broken'],
    [599, 'service-broken'],
  ])('%i is recognized with a body in JSON, in HTML or none', async (code, kind) => {
    server.behave(status(code, { message: 'No' }), status(code, '<html>No</html>'), status(code, ''));
    for (let i = 0; i < 3; i += 1) {
      await expect(ask()).rejects.toMatchObject({ code: kind });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(server.connections).toBe(1);
  });

  const says = async (body: string | object | Buffer, headers = {}): Promise<unknown> => {
    server.behave(
      answer(body instanceof Buffer || typeof body === 'string' ? body : JSON.stringify(body), headers, 422),
    );
    const error = await ask().catch((thrown: unknown) => thrown);
    if (!isFailure(error, 'query-refused')) throw error;
    expect(JSON.stringify({ ...error, message: error.message })).not.toContain('departments');
    return error.details.serviceMessage;
  };

  it('keeps the message of the service only from JSON', async () => {
    expect(await says({ message: 'departments: unknown entry' })).toBe('departments: unknown entry');
    expect(await says({ error: 'Unknown field: sessions' })).toBe('Unknown field: sessions');
    expect(await says({ error: { code: 7, message: 'Unknown field' } })).toBe('Unknown field');
    expect(await says({ title: 'Bad Request', detail: 'Unknown field' })).toBe('Unknown field');
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
      { error: 7, detail: null },
      { message: ' \n ' },
    ]) {
      expect(await says(body), JSON.stringify(body)).toBeUndefined();
    }
  });

  it('cuts the message to one line without control characters, people and the token', async () => {
    expect(await says({ message: 'One\r\n\u0000two\u202e three' })).toBe('One two three');
    expect(await says({ message: `Token s3cret of ada@example.com` })).toBe('Token … of …');
    expect(await says({ message: 'é'.repeat(500) })).toBe('é'.repeat(200));
    expect(await says({ message: 'departments', more: 'x'.repeat(100_000) })).toBeUndefined();
  });

  it('does not wait for the rest of a body', async () => {
    server.behave((response) => void response.writeHead(500).write('{'));
    await expect(ask({ idleTimeoutMs: 200 })).rejects.toMatchObject({ code: 'service-broken' });
    await server.seen[0]?.disconnected;
  });

  it('carries the wait', async () => {
    server.behave(status(429, {}, { 'retry-after': '7' }), status(503, {}, { 'retry-after': '8' }));
    await expect(ask()).rejects.toMatchObject({ details: { retryAfterMs: 7000 } });
    await expect(ask()).rejects.toMatchObject({ details: { retryAfterMs: 8000 } });
  });

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (code) => {
    server.behave(status(code, '', { location: `${server.url}/elsewhere` }), answer('[]'));
    await expect(ask()).rejects.toThrow(new Failure('service-redirects', { status: code }));
    expect(server.seen).toHaveLength(1);
  });
});

describe('no connection', () => {
  it('is refused by a port without a listener', async () => {
    const gone = await openFaultServer();
    await gone.close();
    await expect(ask({ url: gone.url })).rejects.toThrow(
      new Failure('service-unreachable', { reason: 'refused', systemCode: 'ECONNREFUSED' }),
    );
    await expect(ask({ url: `http://localhost:${gone.port}` })).rejects.toMatchObject({
      details: { reason: 'refused' },
    });
  });

  it('fails for an unknown host', async () => {
    await expect(ask({ url: 'http://nobody.invalid/' })).rejects.toMatchObject({
      details: { reason: 'unknown-host' },
    });
  });

  it('is not secure if the service speaks plain HTTP', async () => {
    await expect(ask({ url: server.url.replace('http:', 'https:') })).rejects.toMatchObject({
      details: { reason: 'not-secure' },
    });
  });

  it('is opened again after the service closed an idle one', async () => {
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
