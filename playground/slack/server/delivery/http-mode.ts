import { createHmac } from 'node:crypto';
import { stringify } from 'node:querystring';
import type { SlackObject } from '../workspace/records.js';
import type { Envelope, Receipt, Transport } from './delivery.js';

export interface SignedHttpOptions {
  readonly url: string;
  readonly signingSecret: string;
  readonly ackMs: number;
}

/** Signed POSTs to the bot's request address, as Slack sends them without Socket Mode. */
export function signedHttp({ url, signingSecret, ackMs }: SignedHttpOptions): Transport {
  return {
    async send(envelope) {
      const { contentType, body } = bodyOf(envelope);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': contentType,
            ...signature(body, signingSecret),
            ...(envelope.retry && {
              'x-slack-retry-num': String(envelope.retry.attempt),
              'x-slack-retry-reason': envelope.retry.reason,
            }),
          },
          body,
          redirect: 'manual',
          signal: AbortSignal.timeout(ackMs),
        });
        return await receiptOf(response);
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError')
          return { ok: false, error: 'operation_timeout', reason: 'http_timeout' };
        return { ok: false, error: 'dispatch_failed', reason: 'connection_failed' };
      }
    },
  };
}

/** Slack asks an address once whether it is the app's. Throws when the address does not answer as it should. */
export async function verifyRequestUrl({ url, signingSecret }: SignedHttpOptions): Promise<void> {
  const challenge = 'is-this-the-app';
  const body = JSON.stringify({ type: 'url_verification', token: 'local', challenge });
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signature(body, signingSecret) },
    body,
  });
  const answer = await response.text();
  if (!response.ok || !answer.includes(challenge))
    throw new Error(`${url} did not answer Slack's challenge (status ${response.status}).`);
}

function signature(body: string, secret: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${hash}` };
}

function bodyOf({ type, payload }: Envelope): { contentType: string; body: string } {
  if (type === 'events_api') return { contentType: 'application/json', body: JSON.stringify(payload) };
  const form = type === 'interactive' ? { payload: JSON.stringify(payload) } : asForm(payload);
  return { contentType: 'application/x-www-form-urlencoded', body: stringify(form) };
}

function asForm(payload: SlackObject): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]));
}

async function receiptOf(response: Response): Promise<Receipt> {
  const text = await response.text();
  if (!response.ok) {
    const noRetry = response.headers.get('x-slack-no-retry') === '1';
    return { ok: false, error: 'dispatch_failed', reason: 'http_error', ...(noRetry && { noRetry }) };
  }
  if (text === '') return { ok: true, answer: undefined };
  if (!(response.headers.get('content-type') ?? '').includes('json')) return { ok: true, answer: { text } };
  return { ok: true, answer: JSON.parse(text) };
}
