import type { WebClient } from '@slack/web-api';
import { askOnce } from '../transport/identity.js';

/**
 * Why the bot's token cannot deliver a digest, with who can change that; undefined where it can, and where Slack does
 * not tell the token's scopes. One call, which posts nothing. Never throws.
 */
export async function whyNoScope(
  { csv }: { readonly csv: boolean },
  client: WebClient,
): Promise<string | undefined> {
  const identity = await askOnce(client).catch(() => undefined);
  const scopes = identity?.scopes ?? [];
  if (scopes.length === 0) return undefined;
  const needed = [
    { scope: 'chat:write', what: 'post' },
    ...(csv ? [{ scope: 'files:write', what: 'put the file into Slack' }] : []),
  ];
  const lacking = needed.find(({ scope }) => !scopes.includes(scope));
  return (
    lacking &&
    `My Slack app lacks the scope ${lacking.scope}, so I cannot ${lacking.what}. The operator has to bring the app’s manifest up to date and install the app again.`
  );
}
