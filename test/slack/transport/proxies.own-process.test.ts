import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandPayload, type StubSlack } from './stub-slack.js';
import { onCommand, surroundings, until } from './transport-test-app.js';

const around = surroundings();

/** A proxy that sends every host to the stub, and records the requests. */
async function startProxy(slack: StubSlack) {
  const { port } = new URL(slack.apiUrl);
  const seen: string[] = [];
  const sockets = new Set<Duplex>();
  const proxy = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    const { pathname } = new URL(incoming.url ?? '', 'http://none');
    const onward = request(
      { port, path: pathname, method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  proxy.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${incoming.url}`);
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    seen,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

describe('a proxy', () => {
  let closeProxy = () => {};
  beforeEach(() => {
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']) {
      vi.stubEnv(name, undefined);
      vi.stubEnv(name.toLowerCase(), undefined);
    }
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    closeProxy();
  });

  it('carries all calls to Slack, and the sockets', async () => {
    const slack = await around.slack();
    const proxy = await startProxy(slack);
    closeProxy = proxy.close;
    vi.stubEnv('HTTP_PROXY', proxy.address);
    slack.answer('apps.connections.open', () => ({ ok: true, url: 'ws://sockets.slack.test/link' }));
    const received: string[] = [];
    await around.connect(
      { ...slack, apiUrl: 'http://slack.test/api/' },
      { mode: 'socket', appToken: 'xapp-1' },
      onCommand(async ({ ack, command }) => {
        await ack();
        received.push(command.text);
      }),
    );
    await until(() => slack.sockets.size === 2);
    slack.deliver('slash_commands', commandPayload('through'));
    await until(() => received.length === 1);
    expect(proxy.seen).toContain('POST http://slack.test/api/auth.test');
    expect(proxy.seen.filter((line) => line.includes('sockets.slack.test'))).toHaveLength(2);
  });

  it('carries nothing for the hosts in NO_PROXY', async () => {
    const slack = await around.slack();
    const proxy = await startProxy(slack);
    closeProxy = proxy.close;
    vi.stubEnv('HTTP_PROXY', proxy.address);
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    await around.connect(slack, { mode: 'socket', appToken: 'xapp-1' });
    await until(() => slack.sockets.size === 2);
    expect(proxy.seen).toEqual([]);
  });
});
