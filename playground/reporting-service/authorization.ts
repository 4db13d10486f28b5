import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './refusal.js';

/** `raw`: the header is the token itself; `bearer`: the token after `Bearer `. */
export type AuthScheme = 'raw' | 'bearer';

/**
 * Refuses whoever does not show the token, and pages of other sites, which a browser would let in from outside.
 * @throws Refusal 401, 403
 */
export function authorize(headers: IncomingHttpHeaders, token: string, scheme: AuthScheme): void {
  const { origin } = headers;
  if (origin !== undefined && !isLoopback(origin)) {
    throw new Refusal(
      403,
      'foreign_origin',
      'Pages of other sites may not ask: the Origin header names one.',
    );
  }
  const form = scheme === 'raw' ? 'Authorization: TOKEN' : 'Authorization: Bearer TOKEN';
  const refuse = (code: string, because: string) =>
    new Refusal(401, code, `${because} It is sent as ${form}.`, {
      headers: { 'www-authenticate': scheme === 'raw' ? 'Token' : 'Bearer' },
    });
  const said = headers.authorization;
  if (said === undefined) throw refuse('no_token', 'The Authorization header is missing.');
  const shown = scheme === 'raw' ? said : /^bearer +(.*)$/i.exec(said)?.[1];
  if (shown === undefined || !same(shown, token)) {
    throw refuse('wrong_token', 'The token in the Authorization header is not the one of this service.');
  }
}

function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return ['localhost', '127.0.0.1', '[::1]'].includes(host);
}
