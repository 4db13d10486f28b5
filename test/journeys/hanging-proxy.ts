import { request as ask, createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface HangingProxy {
  readonly url: string;
  /** Stops passing data in both directions without closing anything, as a lost network does. */
  hang(): void;
  close(): Promise<void>;
}

/** A proxy for plain HTTP and for tunnels that can stop passing data. */
export async function openHangingProxy(): Promise<HangingProxy> {
  const sockets = new Set<Socket>();
  let isHanging = false;
  const server = createServer((request, response) => {
    if (isHanging) return;
    const onwards = ask(
      request.url ?? '',
      { method: request.method ?? 'GET', headers: request.headers },
      (answer) => {
        if (isHanging) return;
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk) => isHanging || response.write(chunk));
        answer.on('end', () => isHanging || response.end());
      },
    );
    onwards.on('error', () => {});
    request.pipe(onwards);
  });
  server.on('connect', (request, client: Socket) => {
    if (isHanging) return;
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
    sockets.add(target);
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      from.on('data', (chunk) => isHanging || to.write(chunk));
      from.on('end', () => isHanging || to.end());
      from.on('error', () => {});
    }
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang() {
      isHanging = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
