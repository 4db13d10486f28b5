import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import { isPermanentError, slackClients } from '../../../src/slack/delivery/clients.js';
import { outcomeOfFailure } from '../../../src/slack/delivery/post-message.js';
import type { HomeParts } from '../../../src/slack/home/home-facts.js';
import { homeOf } from '../../../src/slack/listeners/home.js';
import { signalsOver } from '../../../src/store/signals.js';
import { surroundings } from './transport-test-app.js';

const around = surroundings();

function clientsAt(apiUrl: string, failures: string[]) {
  return slackClients(
    {
      botToken: 'xoxb-1',
      apiUrl,
      transport: { mode: 'socket', appToken: 'xapp-1' },
      signingSecretUnused: false,
      trustEmail: false,
      proxies: {},
    },
    createLogger({ level: 'info', forPeople: false, destination: { write: () => {} } }),
    (method, code) => failures.push(`${method} ${code}`),
  );
}

async function clientsWith(failures: string[]) {
  const slack = await around.slack();
  return { slack, clients: clientsAt(slack.apiUrl, failures) };
}

/** The clients of a Slack that answers every call in the same way. */
async function clientsOf(answer: (response: ServerResponse) => void, failures: string[]) {
  const server = createServer((_request, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return clientsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, failures);
}

describe('calls to Slack', () => {
  it('with visible results are made once, whatever fails', async () => {
    const failures: string[] = [];
    const { slack, clients } = await clientsWith(failures);
    const message = { channel: 'C1', text: 'hello' };
    for (const [answer, code] of [
      [{ status: 503 }, 'http_503'],
      [{ status: 429 }, 'ratelimited'],
      [{ ok: false, error: 'channel_not_found' }, 'channel_not_found'],
    ] as const) {
      slack.answer('chat.postMessage', () => ({ ...answer }));
      await expect(clients.posting.chat.postMessage(message)).rejects.toThrow();
      expect(failures.at(-1)).toBe(`chat.postMessage ${code}`);
    }
    expect(slack.calls['chat.postMessage']).toBe(3);
    slack.answer('views.open', () => ({ status: 500 }));
    await expect(
      clients.interactive.views.open({
        trigger_id: 't',
        view: { type: 'modal', title: { type: 'plain_text', text: 'x' }, blocks: [] },
      }),
    ).rejects.toThrow();
    expect(slack.calls['views.open']).toBe(1);
    await clients.close();
  });

  it.each([
    ['cut short', '{"ok":true,"channel":"C1","ts'],
    ['the page of a proxy', '<html>Sign in</html>'],
    ['empty', ''],
    ['JSON of a proxy', '{"message":"Sign in"}'],
  ])('whose reply is %s have an unknown outcome', async (_what, reply) => {
    const failures: string[] = [];
    const clients = await clientsOf((response) => response.end(reply), failures);
    const posting = clients.posting.chat.postMessage({ channel: 'C1', text: 'hello' });
    const error: unknown = await posting.catch((failure: unknown) => failure);
    expect(outcomeOfFailure(error)).toEqual({ kind: 'unknown', code: 'connection_lost' });
    expect(isPermanentError(error)).toBe(false);
    expect(failures).toEqual(['chat.postMessage no_connection']);
    await clients.close();
  });

  it('wait for a Home tab longer than the trigger of a modal lives', async () => {
    const failures: string[] = [];
    const slow = (response: ServerResponse) => void setTimeout(() => response.end('{"ok":true}'), 2700);
    const clients = await clientsOf(slow, failures);
    const nobody = async (id: string) => ({ id, standing: 'gone' });
    const home = homeOf({
      signals: signalsOver(undefined, 'this process'),
      membership: { process: 'this process', hasEnded: async () => false },
      log: { info() {}, warn() {}, error() {} },
      people: { find: nobody, invalidate() {} },
      client: clients.posting,
      interactive: clients.interactive,
    } as unknown as HomeParts);
    await home.show('U1');
    expect(failures).toEqual([]);
    const title = { type: 'plain_text', text: 'x' } as const;
    const modal = clients.interactive.views.open({
      trigger_id: 't',
      view: { type: 'modal', title, blocks: [] },
    });
    await expect(modal).rejects.toThrow();
    expect(failures).toEqual(['views.open no_connection']);
    await clients.close();
  });

  it('that only read are retried', async () => {
    const failures: string[] = [];
    const { slack, clients } = await clientsWith(failures);
    let calls = 0;
    slack.answer('users.info', () => {
      calls += 1;
      return calls < 3 ? { status: 500 } : { ok: true, user: { id: 'U1' } };
    });
    expect((await clients.reading.users.info({ user: 'U1' })).user?.id).toBe('U1');
    expect(failures).toEqual([]);
    await clients.close();
  });

  it('that only read are not made while Slack is rate-limiting a method', async () => {
    const { slack, clients } = await clientsWith([]);
    // The stub's rate limit lasts one second.
    slack.answer('users.info', () => ({ status: 429 }));
    const began = performance.now();
    slack.answer('team.info', () => ({ ok: true }));
    const ask = () => clients.reading.users.info({ user: 'U1' });
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(ask()).rejects.toMatchObject({ retryAfter: expect.any(Number) });
    }
    const seconds = (performance.now() - began) / 1000;
    expect(slack.calls['users.info']).toBeLessThanOrEqual(1 + seconds);
    await clients.reading.team.info();
    slack.answer('users.info', () => ({ ok: true, user: { id: 'U1' } }));
    await expect.poll(() => ask().then(({ user }) => user?.id, String)).toBe('U1');
    await clients.close();
  });

  it('send the token only to Slack', async () => {
    const { slack, clients } = await clientsWith([]);
    await expect(clients.posting.apiCall('http://127.0.0.1:1/elsewhere')).rejects.toThrow();
    expect(Object.keys(slack.calls)).toEqual([]);
    await clients.close();
  });
});
