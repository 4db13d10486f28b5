import { createServer, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange } from '../../src/reporting-api/http-exchange.js';
import { openDispatcher, type Proxies } from '../../src/reporting-api/settings.js';
import { answer, type FaultServer, openFaultServer } from './fault-server.js';

interface Proxy {
  readonly url: string;
  /** What went through it: `POST http://…` or `CONNECT host:port`. */
  readonly passed: readonly string[];
  /** Answers tunnels with this status from now on. */
  refuse(status: number): void;
  close(): Promise<void>;
}

async function openProxy(): Promise<Proxy> {
  const passed: string[] = [];
  let refusal: number | undefined;
  const server = createServer((request, response) => {
    passed.push(`${request.method} ${request.url}`);
    const { method, headers } = request;
    const onward = send(request.url ?? '', { method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connect', (request, socket) => {
    passed.push(`CONNECT ${request.url}`);
    if (refusal) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    refuse: (status) => {
      refusal = status;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let server: FaultServer;
let proxy: Proxy;

beforeEach(async () => {
  server = await openFaultServer();
  proxy = await openProxy();
});

afterEach(async () => {
  await proxy.close();
  await server.close();
});

async function ask(proxies: Proxies | undefined, url = `${server.url}/x`): Promise<string> {
  const dispatcher = openDispatcher(proxies);
  let text = '';
  const write = (chunk: Buffer) => {
    text += chunk;
    return undefined;
  };
  try {
    const wire = { url, headers: { authorization: 't' }, body: '{}', idleTimeoutMs: 5000 };
    await exchange(wire, write, { dispatcher, signal: new AbortController().signal });
    return text;
  } finally {
    await dispatcher.destroy();
  }
}

describe('proxies', () => {
  it('forward plain requests with the token', async () => {
    server.behave(answer('[1]'));
    expect(await ask({ http: proxy.url })).toBe('[1]');
    expect(proxy.passed).toEqual([`POST ${server.url}/x`]);
    expect(server.seen[0]?.headers.authorization).toBe('t');
  });

  it('tunnel secure requests', async () => {
    const url = `https://127.0.0.1:${server.port}/x`;
    // The server behind speaks plain HTTP: what counts here is the way to it.
    await expect(ask({ https: proxy.url }, url)).rejects.toMatchObject({ details: { reason: 'not-secure' } });
    expect(proxy.passed).toEqual([`CONNECT 127.0.0.1:${server.port}`]);
  });

  it('that refuse a tunnel cause a proxy error', async () => {
    for (const status of [403, 407, 502]) {
      proxy.refuse(status);
      await expect(ask({ https: proxy.url }, 'https://service.test/x')).rejects.toMatchObject({
        code: 'service-unreachable',
        details: { reason: 'proxy' },
      });
    }
  });

  it('are not used for excepted hosts; plain requests never use the proxy of secure ones', async () => {
    server.behave(answer('[1]'), answer('[2]'));
    expect(await ask({ http: proxy.url, except: 'service.test,127.0.0.1' })).toBe('[1]');
    expect(await ask({ https: proxy.url })).toBe('[2]');
    expect(proxy.passed).toEqual([]);
  });

  it('default to those of the environment', async () => {
    const before = process.env.http_proxy;
    process.env.http_proxy = proxy.url;
    try {
      server.behave(answer('[1]'), answer('[2]'));
      expect(await ask(undefined)).toBe('[1]');
      expect(proxy.passed).toHaveLength(1);
      expect(await ask({})).toBe('[2]');
      expect(proxy.passed).toHaveLength(1);
    } finally {
      if (before === undefined) delete process.env.http_proxy;
      else process.env.http_proxy = before;
    }
  });
});
