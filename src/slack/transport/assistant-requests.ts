import type { IncomingMessage, ServerResponse } from 'node:http';
import { isValidSlackRequest } from '@slack/bolt';
import type { LogOf } from '../../logging/logger.js';
import { assistantPath } from '../manifest.js';
import { maxStampOffMs, requestProperties } from './http.js';

/** Calls of tools are short. */
const maxBodyBytes = 256 * 1024;

/** So many signed requests may be open at once. One that waits for its answer takes memory, and no time. */
const maxOpen = 200;

interface AssistantRequestParts {
  readonly signingSecret: string;
  /** PUBLIC_URL */
  readonly publicUrl: string;
  readonly teamId: string;
  /** Saves the key of a request. False if any process had it before. */
  readonly claim: (key: string) => Promise<boolean>;
  readonly log: LogOf<'warn' | 'error'>;
  /** Answers a message of the protocol. */
  readonly serve: (request: Request, call: AssistantCall) => Promise<Response>;
}

/** One message of a client. */
export interface AssistantCall {
  readonly message: object;
  /** The Slack user ID of who asks; undefined where the message does not say. */
  readonly user: string | undefined;
  /** Aborted when the client hangs up. */
  readonly hungUp: AbortSignal;
}

/** Refused before anything is read of it. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly why: string,
  ) {
    super(why);
  }
}

/**
 * Handles the requests of Slackbot: those that Slack signed, for this host and this workspace, once each. Never rejects,
 * because nobody awaits it.
 */
export function assistantRequests(parts: AssistantRequestParts) {
  const { log, publicUrl, teamId, serve } = parts;
  let open = 0;

  async function answer(
    { headers: given }: IncomingMessage,
    signed: SignedBody,
    hungUp: AbortSignal,
  ): Promise<Response> {
    const { message, body } = await readOnce(signed, parts);
    const user = identityIn(message, teamId);
    const headers = new Headers({ host: String(given.host) });
    for (const name of passedHeaders) {
      const value = given[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const passed = new Request(new URL(assistantPath, publicUrl), { method: 'POST', headers, body });
    return serve(passed, { message, user, hungUp });
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const hungUp = new AbortController();
    response.on('close', () => hungUp.abort());
    response.on('error', () => hungUp.abort());
    let isOpen = false;
    try {
      const signed = await readSigned(request, parts);
      if (open >= maxOpen) throw new Refused(503, 'Too many requests are open. Try again in a minute');
      open += 1;
      isOpen = true;
      await send(await answer(request, signed, hungUp.signal), response, hungUp.signal);
    } catch (error) {
      if (!(error instanceof Refused)) log.error({ err: error }, 'A request of an assistant failed');
      else if (error.status !== 405) log.warn({ why: error.why }, 'A request of an assistant was refused');
      const { status, why } = error instanceof Refused ? error : new Refused(500, 'Something went wrong');
      refuse(response, status, why);
    } finally {
      if (isOpen) open -= 1;
    }
  };
}

const passedHeaders = [
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
];

/** A body that Slack signed lately. It may have come before. */
interface SignedBody {
  readonly rawBody: Buffer;
  readonly requestHash: string;
}

/** @throws Refused */
async function readSigned(
  request: IncomingMessage,
  { signingSecret, publicUrl }: AssistantRequestParts,
): Promise<SignedBody> {
  const { headers, method } = request;
  if (method !== 'POST') throw new Refused(405, 'Only POST is served');
  const { host, hostname, origin } = new URL(publicUrl);
  const isOurHost = headers.host === host || headers.host === hostname;
  if (!isOurHost || (headers.origin !== undefined && headers.origin !== origin))
    throw new Refused(403, 'The host is not that of PUBLIC_URL');
  const rawBody = await readBody(request);
  const { requestHash } = requestProperties({ headers, rawBody });
  const stamp = Number(headers['x-slack-request-timestamp']);
  const isSigned =
    requestHash !== undefined &&
    isValidSlackRequest({
      signingSecret,
      body: rawBody.toString('utf8'),
      headers: {
        'x-slack-signature': String(headers['x-slack-signature']),
        'x-slack-request-timestamp': stamp,
      },
    });
  if (!isSigned || Math.abs(Date.now() - stamp * 1000) > maxStampOffMs)
    throw new Refused(401, 'Slack did not sign the request, or not now');
  return { rawBody, requestHash };
}

/** The message of a body that no process had before. @throws Refused */
async function readOnce({ rawBody, requestHash }: SignedBody, { claim, log }: AssistantRequestParts) {
  const isNew = await claim(`request ${requestHash}`).catch((error: unknown) => {
    log.error({ err: error }, 'The signature of an assistant’s request could not be saved');
    throw new Refused(503, 'The database does not answer');
  });
  if (!isNew) throw new Refused(401, 'The request came before');
  try {
    const message: unknown = JSON.parse(rawBody.toString('utf8'));
    // The protocol has no batches any more.
    if (typeof message === 'object' && message !== null && !Array.isArray(message))
      return { message, body: rawBody };
  } catch {
    // It is refused below.
  }
  throw new Refused(400, 'The body is no message of the protocol');
}

/** @throws Refused */
function readBody(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new Refused(413, `The body is larger than ${maxBodyBytes} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else reject(tooLarge);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    const broken = () => reject(new Refused(400, 'The body was cut off'));
    request.on('aborted', broken);
    request.on('error', broken);
  });
}

/** Who asks. Undefined where the message does not say. @throws Refused for another workspace */
function identityIn(message: object, teamId: string): string | undefined {
  const { params } = message as { params?: { _meta?: { slack?: Readonly<Record<string, unknown>> } } };
  const identity = params?._meta?.slack;
  if (typeof identity !== 'object' || identity === null) return undefined;
  const { user_id: user, team_id: team } = identity;
  if (team !== teamId) throw new Refused(401, 'The request is from another workspace');
  return typeof user === 'string' && /^[UW][A-Z0-9]{1,30}$/.test(user) ? user : undefined;
}

async function send(answer: Response, response: ServerResponse, hungUp: AbortSignal): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) return void response.end();
  const reader = answer.body.getReader();
  hungUp.addEventListener('abort', () => void reader.cancel().catch(() => {}));
  // What waits for an answer may wait long.
  response.flushHeaders();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (!response.write(next.value))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
  }
  response.end();
}

function refuse(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const error = { jsonrpc: '2.0', error: { code: -32_000, message: why }, id: null };
  // What is left of a body is not read.
  response.writeHead(status, {
    'content-type': 'application/json',
    connection: 'close',
    ...(status === 405 && { allow: 'POST' }),
  });
  response.end(JSON.stringify(error));
}
