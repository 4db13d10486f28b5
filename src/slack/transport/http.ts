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

/** Many times what Slack's longest payload, a view of 250 KB, takes as a form. */
const maxBodyBytes = 2 * 1024 * 1024;

/** How long an answer that is written may take to leave. */
const flushTimeoutMs = 300;

/** Slack's requests come to `POST /slack/events`, signed. Opening it throws CannotListen. */
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
    // Whatever is wrong with a request for another address is its sender's doing.
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
