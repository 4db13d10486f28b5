import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';

const publicUrl = 'https://rollcall.example.com';

/** The settings of a bot that Slackbot reaches. */
export const assistantSettings = { MCP: 'yes', PUBLIC_URL: publicUrl } as const;

/** What Slack says about who asks. */
export interface Identity {
  readonly user_id?: unknown;
  readonly team_id?: unknown;
}

export const identityOf = (user: string): Identity => ({ user_id: user, team_id: defaultSeed.team.id });

export interface SignedRequest {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  /** Seconds since the epoch. Absent: now. */
  readonly stamp?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly method?: string;
  readonly signal?: AbortSignal;
}

/** The headers with which Slack signs a body. */
export function signatureOf(body: string, secret: string, stamp = Math.floor(Date.now() / 1000)) {
  const hash = createHmac('sha256', secret).update(`v0:${stamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(stamp), 'x-slack-signature': `v0=${hash}` };
}

/** Sends a request as Slack does, but for what `headers` change; `undefined` leaves one out. */
export function sendSigned({ url, secret, body, stamp, headers, method = 'POST', signal }: SignedRequest) {
  const all = {
    host: new URL(publicUrl).host,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...signatureOf(body, secret, stamp),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise<{ status: number; headers: Headers; text: string }>((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, headers: sent as Record<string, string>, signal },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => {
          const headers = new Headers(response.headers as Record<string, string>);
          resolve({ status: response.statusCode ?? 0, headers, text });
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(method === 'POST' ? body : undefined);
  });
}

let calls = 0;

/** Sends one message of the protocol, and returns its result or error. */
export async function callSigned(
  to: Omit<SignedRequest, 'body'>,
  method: string,
  params: object = {},
): Promise<{ status: number; result?: ToolResult; error?: { code: number; message: string } }> {
  calls += 1;
  const body = JSON.stringify({ jsonrpc: '2.0', id: calls, method, params });
  const { status, text } = await sendSigned({ ...to, body });
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status, ...(data.startsWith('{') ? JSON.parse(data) : {}) };
}

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of several tools.
  readonly structuredContent?: any;
  readonly isError?: boolean;
  readonly _meta?: { readonly slack?: { readonly blocks?: readonly { readonly type: string }[] } };
  readonly tools?: readonly { readonly name: string; readonly description: string }[];
}

/** Calls a tool for a person. */
export async function callTool(
  to: Omit<SignedRequest, 'body'>,
  user: string | Identity,
  name: string,
  args: object = {},
): Promise<ToolResult> {
  const slack = typeof user === 'string' ? identityOf(user) : user;
  const { result, error, status } = await callSigned(to, 'tools/call', {
    name,
    arguments: args,
    _meta: { slack },
  });
  if (!result) throw new Error(`${name} gave ${status}: ${error?.message}`);
  return result;
}

/** The official client, whose requests are signed as Slack's are. */
export async function officialClient(
  { url, secret }: Pick<SignedRequest, 'url' | 'secret'>,
  identity: Identity | undefined,
  versions: 'earlier' | 'newest' = 'earlier',
): Promise<Client> {
  const client = new Client(
    { name: 'a-client', version: '1.0.0' },
    versions === 'newest' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  const signing = async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const message = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    if (message?.method === 'tools/call' && identity)
      message.params._meta = { ...message.params._meta, slack: identity };
    const body = message ? JSON.stringify(message) : '';
    const given = Object.fromEntries(new Headers(init.headers));
    const { status, headers, text } = await sendSigned({
      url: String(address),
      secret,
      body,
      method: init.method ?? 'GET',
      headers: {
        ...given,
        'content-length': init.method === 'POST' ? String(Buffer.byteLength(body)) : undefined,
      },
    });
    return new Response([202, 204, 304].includes(status) ? null : text, { status, headers });
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: signing }));
  return client;
}
