import type { Thing } from '../workspace/records.js';
import type { Api, Method } from './method.js';
import { Refusal } from './refusal.js';

/** Checks who calls, and whether they may. */
export interface Tokens {
  check(method: Method, authorization: string | undefined, args: Thing, api: Api): void;
  /** From now on every call with the bot token is answered with this error; `undefined` makes it good again. */
  revoke(error: 'token_revoked' | 'account_inactive' | 'invalid_auth' | undefined): void;
}

export function createTokens(bot: string, app: string): Tokens {
  let revoked: string | undefined;
  return {
    check(method, authorization, args, api) {
      if (method.token === 'none') return;
      const given = authorization?.replace(/^Bearer\s+/i, '') ?? args.token;
      if (given === undefined || given === '') throw new Refusal('not_authed');
      if (given !== bot && given !== app) throw new Refusal('invalid_auth');
      if (given === bot && revoked) throw new Refusal(revoked);
      if (given !== (method.token === 'bot' ? bot : app)) throw new Refusal('not_allowed_token_type');
      const needed = typeof method.scopes === 'function' ? method.scopes(args, api) : (method.scopes ?? []);
      const held = method.token === 'app' ? new Set(['connections:write']) : api.scopes;
      const missing = needed.find((scope) => !held.has(scope));
      if (missing) throw new Refusal('missing_scope', { needed: missing, provided: [...held].join(',') });
    },
    revoke(error) {
      revoked = error;
    },
  };
}
