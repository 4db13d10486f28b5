import { createHmac } from 'node:crypto';
import { stringify } from 'node:querystring';
import type { Inspector } from '../inspector.js';
import type { SlackObject } from '../workspace/records.js';

export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';

export interface Envelope {
  readonly type: EnvelopeType;
  readonly payload: SlackObject;
  readonly retry?: { readonly attempt: number; readonly reason: string };
}

/** The bot's answer to an envelope. */
export type DeliveryResult =
  | { readonly ok: true; readonly answer: unknown }
  /** `operation_timeout`: no answer within 3 seconds. `dispatch_failed`: no connection, or an error status. */
  | {
      readonly ok: false;
      readonly error: 'operation_timeout' | 'dispatch_failed';
      readonly reason: string;
      readonly noRetry?: boolean;
    };

/** How envelopes reach the bot: Socket Mode or signed HTTP. */
export interface Transport {
  send(envelope: Envelope): Promise<DeliveryResult>;
}

/** Sends envelopes to the bot. */
export interface Delivery {
  /** Sends a command or an interaction once. Resolves with the answer. */
  deliver(type: 'slash_commands' | 'interactive', payload: SlackObject): Promise<DeliveryResult>;
  /** Sends an event if the app subscribes to it. Retries as Slack does, until the bot acknowledges. */
  sendEvent(payload: SlackObject): void;
  /** Resolves when nothing is in flight. Does not wait for scheduled retries. */
  settled(): Promise<void>;
  stop(): void;
}

export interface DeliveryOptions {
  /** The transport to use now. */
  readonly transport: () => Transport;
  readonly inspector: Inspector;
  /** Milliseconds before each retry of an event. */
  readonly retryDelays: readonly number[];
  /** Whether the app subscribes to this event. */
  readonly subscribed: (event: SlackObject) => boolean;
}

export function createDelivery({ transport, inspector, retryDelays, subscribed }: DeliveryOptions): Delivery {
  const timers = new Set<NodeJS.Timeout>();
  const inFlight = new Set<Promise<unknown>>();
  let stopped = false;

  async function send(envelope: Envelope): Promise<DeliveryResult> {
    const exchange = inspector.begin({
      direction: 'Slack to bot',
      title: titleOf(envelope),
      body: envelope.payload,
    });
    const result = await transport().send(envelope);
    if (result.ok) exchange.end({ state: 'ok', body: result.answer ?? '(acknowledged)' });
    else exchange.end({ state: 'failed', error: `${result.error} (${result.reason})` });
    return result;
  }

  async function attemptEvent(payload: SlackObject, attempt: number, reason: string): Promise<void> {
    const result = await send({
      type: 'events_api',
      payload,
      retry: attempt > 0 ? { attempt, reason } : undefined,
    });
    const delay = retryDelays[attempt];
    if (result.ok || result.noRetry || delay === undefined || stopped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      track(attemptEvent(payload, attempt + 1, result.reason));
    }, delay);
    timers.add(timer);
  }

  function track(work: Promise<unknown>) {
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work));
  }

  return {
    deliver(type, payload) {
      const work = send({ type, payload });
      track(work);
      return work;
    },
    sendEvent(payload) {
      if (subscribed(payload.event as SlackObject)) track(attemptEvent(payload, 0, ''));
    },
    async settled() {
      while (inFlight.size > 0) await Promise.all([...inFlight]);
    },
    stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}

function titleOf({ type, payload, retry }: Envelope): string {
  const again = retry ? ` (retry ${retry.attempt})` : '';
  if (type === 'slash_commands') return `${payload.command} ${payload.text}`.trim() + again;
  if (type === 'events_api') return `event ${(payload.event as SlackObject).type}${again}`;
  const [action] = Array.isArray(payload.actions) ? (payload.actions as SlackObject[]) : [];
  const view = payload.view as SlackObject | undefined;
  const name = action?.action_id ?? payload.callback_id ?? payload.action_id ?? view?.callback_id ?? '';
  return `${payload.type} ${name}`.trim() + again;
}

export interface SignedHttpOptions {
  readonly url: string;
  readonly signingSecret: string;
  readonly ackMs: number;
}

/** Signed POST requests to the bot's request URL, as Slack sends them without Socket Mode. */
export function signedHttp({ url, signingSecret, ackMs }: SignedHttpOptions): Transport {
  return {
    async send(envelope) {
      const { contentType, body } = encodeBody(envelope);
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
        return await readResult(response);
      } catch (error) {
        if (error instanceof Error && error.name === 'TimeoutError')
          return { ok: false, error: 'operation_timeout', reason: 'http_timeout' };
        return { ok: false, error: 'dispatch_failed', reason: 'connection_failed' };
      }
    },
  };
}

/** Slack verifies a request URL once. Throws if the URL does not return the challenge. */
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

export function signature(body: string, secret: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000);
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(timestamp), 'x-slack-signature': `v0=${hash}` };
}

function encodeBody({ type, payload }: Envelope): { contentType: string; body: string } {
  if (type === 'events_api') return { contentType: 'application/json', body: JSON.stringify(payload) };
  const form = type === 'interactive' ? { payload: JSON.stringify(payload) } : toForm(payload);
  return { contentType: 'application/x-www-form-urlencoded', body: stringify(form) };
}

function toForm(payload: SlackObject): Record<string, string> {
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]));
}

async function readResult(response: Response): Promise<DeliveryResult> {
  const text = await response.text();
  if (!response.ok) {
    const noRetry = response.headers.get('x-slack-no-retry') === '1';
    return { ok: false, error: 'dispatch_failed', reason: 'http_error', noRetry };
  }
  if (text === '') return { ok: true, answer: undefined };
  if (!(response.headers.get('content-type') ?? '').includes('json')) return { ok: true, answer: { text } };
  return { ok: true, answer: JSON.parse(text) };
}
