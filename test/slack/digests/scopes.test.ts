import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { afterEach, describe, expect, it } from 'vitest';
import { missingScope } from '../../../src/slack/digests/validate.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A stub of Slack that returns these scopes from `auth.test`, or none. */
async function slackWith(scopes: string | undefined, status = 200) {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(String(request.url));
    response.writeHead(status, {
      'content-type': 'application/json',
      connection: 'close',
      ...(scopes === undefined ? {} : { 'x-oauth-scopes': scopes }),
    });
    response.end(JSON.stringify({ ok: true, team_id: 'T1', user_id: 'U1', url: 'https://x.example/' }));
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = new WebClient('xoxb-1', {
    slackApiUrl: `http://127.0.0.1:${port}/api/`,
    retryConfig: { retries: 0 },
  });
  return { client, calls };
}

describe('the scopes of the token', () => {
  it.each([
    ['chat:write,files:write', true, undefined],
    ['chat:write', false, undefined],
    ['chat:write', true, 'files:write'],
    ['files:write', true, 'chat:write'],
    ['commands,users:read', false, 'chat:write'],
  ])('%s, with the file: %s', async (scopes, csv, lacking) => {
    const { client, calls } = await slackWith(scopes);
    const why = await missingScope({ file: csv ? 'csv' : undefined }, client);
    const wanted = expect.stringContaining(`lacks the scope ${lacking},`);
    expect(why).toEqual(lacking === undefined ? undefined : wanted);
    expect(calls).toEqual(['/api/auth.test']);
  });

  it('refuse no digest if Slack does not list them', async () => {
    expect(await missingScope({ file: 'csv' as const }, (await slackWith(undefined)).client)).toBeUndefined();
    expect(
      await missingScope({ file: 'csv' as const }, (await slackWith('commands', 503)).client),
    ).toBeUndefined();
  });
});
