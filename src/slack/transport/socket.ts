import type { Log } from '../../logging/logger.js';
import type { SlackClients } from './clients.js';
import { holdConnections } from './held-connections.js';
import { openSocketConnection } from './socket-connection.js';
import type { Door } from './transport.js';
import type { Sleep } from './wait-before.js';

export interface SocketDoorParts {
  readonly appToken: string;
  readonly apiUrl: string;
  readonly clients: SlackClients;
  readonly log: Log;
  readonly sleep: Sleep;
}

/** Slack's envelopes come through two WebSockets. Opening it throws SlackTokenRefused. */
export function socketDoor({ appToken, apiUrl, clients, log, sleep }: SocketDoorParts): Door {
  const { fetch, tunnels } = clients;
  let connections: ReturnType<typeof holdConnections> | undefined;
  const standing = () => connections?.open() ?? 0;

  return {
    // Each connection has a receiver of its own, which lives as long as the connection.
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },

    async open(app) {
      const parts = { app, appToken, apiUrl, fetch, tunnels, log };
      connections = holdConnections((signal) => openSocketConnection(parts, signal), log, sleep);
      await connections.start();
    },

    async close(listenersDone) {
      await listenersDone;
      await connections?.stop();
    },

    acknowledge: (envelopeId, answer) => connections?.acknowledge(envelopeId, answer) ?? false,
    state: () => ({ mode: 'socket', ready: standing() > 0, connections: standing() }),
  };
}
