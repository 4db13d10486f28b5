import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTPReceiver } from '@slack/bolt';
import type { Log } from '../../logging/logger.js';
import { boltLog } from './clients.js';
import type { DeliveryProperties } from './event-filter.js';
import { CannotListen, type Transport } from './transport.js';

export interface HttpAddress {
  readonly signingSecret: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Several times Slack's longest payload, a view of 250 KB. */
const maxBodyBytes = 2 * 1024 * 1024;

/** Time for written responses to be sent before connections are closed, in milliseconds. */
const flushTimeoutMs = 300;

/** Receives Slack's signed requests at `POST /slack/events`. `open` throws CannotListen. */
export function httpTransport({ signingSecret, host, port }: HttpAddress, log: Log): Transport {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: '/slack/events',
    bodyLimit: maxBodyBytes,
    logger: boltLog(log, 'error'),
    customPropertiesExtractor: ({ headers }): DeliveryProperties => {
      const signature = headers['x-slack-signature'];
      return typeof signature === 'string' ? { signature } : {};
    },
    // Requests for other paths are not from Slack.
    dispatchErrorHandler: ({ response }) => {
      response.writeHead(404).end();
    },
  });
  let server: Server | undefined;

  return {
    receiver,

    async open() {
      server = await receiver.start({ host, port }).catch((error: unknown) => {
        const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        throw new CannotListen(host, port, reason, { cause: error });
      });
    },

    async close(listenersDone) {
      if (!server?.listening) return;
      const closing = receiver.stop();
      await listenersDone;
      const timer = setTimeout(() => server?.closeAllConnections(), flushTimeoutMs);
      await closing;
      clearTimeout(timer);
    },

    acknowledge: () => false,
    state: () => ({ mode: 'http', ready: server?.listening ?? false, host, port: portOf(server) ?? port }),
  };
}

function portOf(server: Server | undefined): number | undefined {
  const address: AddressInfo | string | null | undefined = server?.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
}
