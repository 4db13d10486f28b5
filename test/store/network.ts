import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The network between a process and PostgreSQL. */
export interface Network {
  readonly port: number;
  /** Breaks all connections at once. New ones work. */
  cut(): void;
  /** Breaks all connections, and refuses new ones, as a server does that restarts. */
  down(isDown: boolean): void;
  /** Stops passing data in both directions, as a pulled cable does. */
  hold(isHeld: boolean): void;
  close(): void;
}

/** @param alter changes the bytes of PostgreSQL's answers */
export async function openNetwork(to: number, alter: (bytes: Buffer) => void = () => {}): Promise<Network> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let isDown = false;
  const server = createServer((client) => {
    if (isDown) return client.destroy();
    const upstream = connect(to, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        if (isHeld) return;
        if (socket === upstream) alter(bytes);
        other.write(bytes);
      });
      socket.on('close', () => {
        sockets.delete(socket);
        if (!isHeld) other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut,
    down(down) {
      isDown = down;
      cut();
    },
    hold(held) {
      isHeld = held;
      // Lost data is never delivered.
      if (!held) cut();
    },
    close() {
      cut();
      server.close();
    },
  };
}
