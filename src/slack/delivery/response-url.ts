import type { FetchFunction } from '@slack/web-api';
import { type OutgoingMessage, type PostOutcome, wasRefused } from './post-message.js';

/** Slack accepts five replies within 30 minutes. Rollcall stops at 25, so that none arrives late. */
export const maxUrlUses = 5;
const lifetimeMs = 25 * 60_000;

/** `fetch` through the proxies of the settings, to Slack alone. Throws NotSlack for other addresses. */
export type Send = FetchFunction;

/** A response URL that does not lead to Slack. Nothing was sent. */
class NotSlack extends Error {}

/**
 * Limits `fetch` to Slack. A request that was forged with the signing secret may name any address, and answers
 * would go there.
 *
 * @param apiUrl the address of the Web API; its host is trusted too, whatever the port
 */
export function sendToSlackOnly(fetch: FetchFunction, apiUrl: string): Send {
  const { hostname: apiHost } = new URL(apiUrl);
  return async (url, init) => {
    const { protocol, hostname } = new URL(String(url));
    const isSlack = protocol === 'https:' && /\.slack(?:-gov)?\.com$/.test(hostname);
    if (!isSlack && hostname !== apiHost) throw new NotSlack('The response URL does not lead to Slack');
    return fetch(url, init);
  };
}

/** It works in conversations without the bot. `age`: milliseconds since Slack sent it, in real time. */
export function responseUrl(url: string, send: Send, age = 0) {
  const expires = performance.now() + lifetimeMs - age;
  let left = maxUrlUses;

  async function answer(body: object): Promise<PostOutcome> {
    left -= 1;
    try {
      const response = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(30_000),
      });
      return outcomeOf(response.status, (await response.text()).slice(0, 500));
    } catch (error) {
      if (error instanceof NotSlack) return { kind: 'not-posted', code: 'not_slack', objections: [] };
      return wasRefused(error)
        ? { kind: 'not-posted', code: 'connection_refused', objections: [] }
        : { kind: 'unknown', code: 'connection_lost' };
    }
  }

  const shown = (response_type: 'ephemeral' | 'in_channel') => (message: OutgoingMessage) =>
    answer({ response_type, replace_original: false, ...message });

  return {
    /** False if it has been used up or has expired. */
    isOpen: () => left > 0 && performance.now() < expires,
    toAsker: shown('ephemeral'),
    toChannel: shown('in_channel'),
    /** Replaces the message with the button. */
    replaceOriginal: (message: OutgoingMessage) => answer({ replace_original: true, ...message }),
    deleteOriginal: () => answer({ delete_original: true }),
  };
}

/** The response URL that Slack sends with a command or a button. */
export type ResponseUrl = ReturnType<typeof responseUrl>;

/**
 * Slack replies `ok`, or a status or text with an error. After a server error the outcome is unknown, and after the page
 * of a proxy too.
 */
function outcomeOf(status: number, text: string): PostOutcome {
  if (status >= 500) return { kind: 'unknown', code: `http_${status}` };
  if (status === 429) return { kind: 'not-posted', code: 'ratelimited', objections: [] };
  const code = errorIn(text);
  if (status >= 300 || code !== undefined) {
    return { kind: 'not-posted', code: code ?? `http_${status}`, objections: [] };
  }
  if (text.trimStart().startsWith('<')) return { kind: 'unknown', code: 'connection_lost' };
  return { kind: 'posted', channel: '', ts: '' };
}

/** The error in a reply: `{"ok":false,"error":"…"}` or the bare code; undefined for `ok`. */
function errorIn(text: string): string | undefined {
  const bare = text.trim();
  if (bare === '' || bare === 'ok') return undefined;
  try {
    const answer: unknown = JSON.parse(bare);
    if (typeof answer !== 'object' || answer === null || !('ok' in answer) || answer.ok === true)
      return undefined;
    return 'error' in answer && typeof answer.error === 'string' ? answer.error : 'not_ok';
  } catch {
    return /^[a-z_]{3,60}$/.test(bare) ? bare : undefined;
  }
}
