import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HTTPReceiver, HTTPModuleFunctions as httpFunctions, isValidSlackRequest } from '@slack/bolt';
import { Failure, systemCodeOf } from '../../errors/failure.js';
import type { Log } from '../../logging/logger.js';
import { boltLog } from '../delivery/clients.js';
import { assistantPath, requestPath } from '../manifest.js';
import type { DeliveryProperties } from './deliveries.js';
import type { Transport } from './transport.js';

export interface HttpAddress {
  readonly signingSecret: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

interface HttpOptions {
  /** For a whole request to arrive. It has to arrive before its signature can be verified. */
  readonly receiveTimeoutMs?: number;
  readonly forAssistants?: HandleRequest | undefined;
}

/** Several times Slack's longest payload, a view of 250 KB. */
const maxBodyBytes = 2 * 1024 * 1024;

/** Slack signs each request when it sends it. */
export const maxStampOffMs = 5 * 60_000;

/** Slack waits three seconds for an answer, so that it sends a request in less. */
const defaultReceiveTimeoutMs = 5000;

/** Time for written responses to be sent before connections are closed, in milliseconds. */
const flushTimeoutMs = 300;

/** Handles a request from its beginning. Never rejects. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Receives Slack's signed requests at `POST /slack/events`. `open` throws `cannot-listen`.
 *
 * @param forAssistants handles requests to `/mcp`; absent: there is no such path
 */
export function httpTransport(
  { signingSecret, host, port }: HttpAddress,
  log: Log,
  { receiveTimeoutMs = defaultReceiveTimeoutMs, forAssistants }: HttpOptions = {},
): Transport {
  const receiver = new HTTPReceiver({
    signingSecret,
    endpoints: requestPath,
    bodyLimit: maxBodyBytes,
    logger: boltLog(log, 'error'),
    customPropertiesExtractor: requestProperties,
    customRoutes: forAssistants
      ? [
          {
            path: assistantPath,
            method: ['POST', 'GET', 'DELETE'],
            handler: (...both) => void forAssistants(...both),
          },
        ]
      : [],
    // Requests for other paths are not from Slack.
    dispatchErrorHandler: ({ response }) => {
      response.writeHead(404).end();
    },
  });
  const { requestListener: withBolt } = receiver;
  const checked = checkedRequests(signingSecret, log, withBolt);
  receiver.requestListener = (request, response) =>
    request.method === 'POST' && pathOf(request) === requestPath
      ? void checked(request, response)
      : withBolt(request, response);
  let server: Server | undefined;

  return {
    receiver,

    async open() {
      const limits = {
        headersTimeout: receiveTimeoutMs,
        requestTimeout: receiveTimeoutMs,
        connectionsCheckingInterval: receiveTimeoutMs / 4,
      };
      server = await receiver.start({ host, port }, limits).catch((error: unknown) => {
        const reason = systemCodeOf(error);
        throw new Failure('cannot-listen', { host, port, reason, cause: error });
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
    state() {
      const address: AddressInfo | string | null | undefined = server?.address();
      const actual = typeof address === 'object' ? address?.port : undefined;
      return { mode: 'http', ready: server?.listening ?? false, host, port: actual ?? port };
    },
  };
}

/** The path, by Bolt's rules. */
function pathOf({ url = '' }: IncomingMessage): string | undefined {
  const base = 'http://localhost';
  return URL.canParse(url, base) ? new URL(url, base).pathname : undefined;
}

/**
 * Answers at once what Bolt would accept, or would leave without an answer: a request stamped in the future, and a signed
 * body with nothing in it. Never rejects.
 *
 * @param withBolt verifies and handles all others
 */
function checkedRequests(
  signingSecret: string,
  log: Log,
  withBolt: HTTPReceiver['requestListener'],
): HandleRequest {
  return async (request, response) => {
    const refuse = (status: number, why: string) => {
      log.warn({ status, why }, 'A request was refused');
      httpFunctions.buildNoBodyResponse(response, status);
    };
    const stamp = Number(request.headers['x-slack-request-timestamp']);
    if (stamp * 1000 > Date.now() + maxStampOffMs)
      return refuse(401, 'It is stamped more than five minutes ahead');
    try {
      // Bolt goes on with what was read.
      const whole = await httpFunctions.bufferIncomingMessage(request, maxBodyBytes);
      const headers = {
        'x-slack-signature': String(request.headers['x-slack-signature']),
        'x-slack-request-timestamp': stamp,
      };
      const isSigned = () => isValidSlackRequest({ signingSecret, body: whole.rawBody.toString(), headers });
      if (!hasDelivery(whole) && isSigned()) return refuse(400, 'Its body has nothing from Slack');
    } catch (error) {
      const isTooLarge = httpFunctions.isRawBodyError(error) && error.statusCode === 413;
      return isTooLarge
        ? refuse(413, `Its body is larger than ${maxBodyBytes} bytes`)
        : refuse(401, 'Its body was cut off');
    }
    withBolt(request, response);
  };
}

/** True for a body that names itself, as everything that Slack sends does. */
function hasDelivery(request: Parameters<typeof httpFunctions.parseHTTPRequestBody>[0]): boolean {
  try {
    const body = httpFunctions.parseHTTPRequestBody(request);
    return [body?.type, body?.command, body?.ssl_check].some((name) => typeof name === 'string');
  } catch {
    return false;
  }
}

/**
 * Identifies a request by what its signature covers. Bolt accepts other spellings of the two headers, such as a signature
 * with text after it, so that the headers themselves would make a repeated request look new.
 */
export function requestProperties(request: {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody?: Buffer;
}): DeliveryProperties {
  const { 'x-slack-signature': signature = '', 'x-slack-request-timestamp': timestamp = '' } =
    request.headers;
  const isWellFormed =
    /^v0=[0-9a-f]{64}$/.test(String(signature)) && /^[1-9]\d{0,11}$/.test(String(timestamp));
  if (!isWellFormed || !request.rawBody) return { isMalformed: true };
  const hash = createHash('sha256').update(`${timestamp}:`).update(request.rawBody);
  return { requestHash: hash.digest('hex') };
}
